// A Basalt server of its own for a test file: started on a free port over a temporary directory, killed and started again
// at will. The JavaScript twin of running_server.py.
import { spawn } from "node:child_process";
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

const READY = /BASALT READY endpoint=(\S+) pid=(\d+)/;
const READY_MS = 60_000;

// Nothing of the user's own setup may leak into a test.
const program = process.env.BASALT_BINARY;
for (const name of Object.keys(process.env).filter((name) => /^(AWS|BASALT)_/.test(name))) {
    delete process.env[name];
}
Object.assign(process.env, {
    AWS_CONFIG_FILE: devNull, AWS_SHARED_CREDENTIALS_FILE: devNull, AWS_EC2_METADATA_DISABLED: "true",
});

/** BASALT_BINARY, or the release build's. */
function serverProgram() {
    const project = join(dirname(fileURLToPath(import.meta.url)), "../..");
    const path = program ?? join(project, "build/release/src/server/basalt");
    if (!existsSync(path)) {
        throw new Error(`${path} is not there: build the server, or name it in BASALT_BINARY`);
    }
    return path;
}

/** One process at a time over one directory. */
export class RunningServer {
    static async start({ options = [], inMemory = false } = {}) {
        const server = new RunningServer();
        server.folder = mkdtempSync(join(tmpdir(), "basalt-sdk-"));
        server.log = join(server.folder, "log");
        server.options = [...options, ...(inMemory ? ["--in-memory"] : ["--data-dir", join(server.folder, "data")])];
        server.clients = [];
        await server.run();
        return server;
    }

    async run() {
        this.process = spawn(serverProgram(), ["--host", "127.0.0.1", "--port", "0", ...this.options], {
            stdio: ["ignore", "pipe", "pipe"],
        });
        this.process.stderr.pipe(createWriteStream(this.log, { flags: "a" }));
        this.ended = new Promise((resolve) => {
            this.process.once("close", (code, signal) => resolve(code ?? signal));
        });
        const tooLate = setTimeout(() => this.process.kill("SIGKILL"), READY_MS);
        for await (const line of createInterface({ input: this.process.stdout })) {
            const ready = READY.exec(line);
            if (ready) {
                clearTimeout(tooLate);
                this.endpoint = ready[1];
                this.process.stdout.resume();
                return;
            }
        }
        clearTimeout(tooLate);
        throw new Error(`never became ready; ended with ${await this.ended}\n${this.logText()}`);
    }

    /** kill -9 */
    async kill() {
        this.disconnect();
        this.process.kill("SIGKILL");
        await this.ended;
    }

    async crashAndRestart() {
        await this.kill();
        await this.run();
    }

    /** A polite stop, and the end of the directory. Throws when the exit code is not 0: a sanitizer found something. */
    async close() {
        this.disconnect();
        this.process.kill("SIGTERM");
        const code = await this.ended;
        const log = this.logText();
        rmSync(this.folder, { recursive: true, force: true });
        if (code !== 0) {
            throw new Error(`the server ended with ${code}\n${log}`);
        }
    }

    logText() {
        return existsSync(this.log) ? readFileSync(this.log, "utf8") : "";
    }

    /** One try: a retry would hide a wrong answer. */
    client() {
        const client = new DynamoDBClient({
            endpoint: this.endpoint,
            region: "us-east-1",
            credentials: { accessKeyId: "local", secretAccessKey: "local" },
            maxAttempts: 1,
        });
        this.clients.push(client);
        return client;
    }

    documentClient(marshallOptions = {}) {
        return DynamoDBDocumentClient.from(this.client(), { marshallOptions });
    }

    disconnect() {
        this.clients.splice(0).forEach((client) => client.destroy());
    }
}

/** keySchema("pk", "sk") */
export function keySchema(hash, range) {
    const schema = [{ AttributeName: hash, KeyType: "HASH" }];
    return range ? [...schema, { AttributeName: range, KeyType: "RANGE" }] : schema;
}

/** definitions({pk: "S", sk: "N"}) */
export function definitions(types) {
    return Object.entries(types).map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}

/** Parameters of CreateTable for keys such as {pk: "S", sk: "N"}: on demand unless more says otherwise. */
export function tableRequest(TableName, keys, more = {}) {
    return {
        TableName,
        KeySchema: keySchema(...Object.keys(keys)),
        AttributeDefinitions: definitions(keys),
        BillingMode: "PAY_PER_REQUEST",
        ...more,
    };
}
