-- wrk script: sends requests that were built and signed beforehand, in random order, so that the load generator spends
-- next to nothing on them. The pool file holds records of a decimal length, a line feed, and that many bytes.
-- usage: wrk ... -s replay.lua URL -- POOL_FILE

local threads = 0

function setup(thread)
    threads = threads + 1
    thread:set("seed", threads)
end

function init(arguments)
    local file = assert(io.open(arguments[1], "rb"))
    requests = {}
    for line in file:lines() do
        requests[#requests + 1] = file:read(tonumber(line))
    end
    file:close()
    math.randomseed(seed * 1000003)
end

function request()
    return requests[math.random(#requests)]
end

function done(summary, latency, _)
    local errors = summary.errors
    io.write(string.format(
        '\nRESULT {"requests": %d, "duration_us": %d, "p50_us": %d, "p99_us": %d, "bad_status": %d, "socket_errors": %d}\n',
        summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status,
        errors.connect + errors.read + errors.write + errors.timeout))
end
