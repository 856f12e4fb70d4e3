#include "server/event_loop.h"

#include "base/check.h"
#include "base/log.h"

#include <boost/asio/post.hpp>

#include <pthread.h>

namespace basalt::server {
namespace {

thread_local const EventLoop *current_loop = nullptr;

} // namespace

EventLoop::EventLoop(std::int64_t tick_ms)
    : work_(context_.get_executor()),
      tick_timer_(context_),
      tick_period_(tick_ms)
{
    refresh_clock();
}

EventLoop::~EventLoop()
{
    BASALT_CHECK(!thread_.joinable());
    BASALT_CHECK(members_.empty());
}

void EventLoop::start()
{
    thread_ = std::thread([this] {
        pthread_setname_np(pthread_self(), "basalt-io");
        current_loop = this;
        context_.run();
        current_loop = nullptr;
    });
}

void EventLoop::drain()
{
    boost::asio::post(context_, [this] {
        draining_ = true;
        const std::vector<LoopMember *> members = members_;
        for (LoopMember *member : members) {
            member->on_drain();
        }
    });
}

void EventLoop::abort()
{
    boost::asio::post(context_, [this] {
        draining_ = true;
        const std::vector<LoopMember *> members = members_;
        for (LoopMember *member : members) {
            member->on_abort();
        }
    });
}

void EventLoop::join()
{
    boost::asio::post(context_, [this] {
        work_.reset();
        if (members_.empty()) {
            tick_timer_.cancel();
        }
    });
    thread_.join();
}

void EventLoop::wake(Wakeable &waiter)
{
    Wakeable *head = woken_.load(std::memory_order_relaxed);
    do {
        waiter.next = head;
    } while (!woken_.compare_exchange_weak(head, &waiter, std::memory_order_release, std::memory_order_relaxed));
    if (head == nullptr) {
        boost::asio::post(context_, [this] { run_woken(); });
    }
}

void EventLoop::run_woken()
{
    Wakeable *newest = woken_.exchange(nullptr, std::memory_order_acquire);
    Wakeable *oldest = nullptr;
    while (newest != nullptr) {
        Wakeable *const next = newest->next;
        newest->next = oldest;
        oldest = newest;
        newest = next;
    }
    while (oldest != nullptr) {
        Wakeable *const next = oldest->next; // the resumed coroutine may free its Wakeable
        oldest->waiting.resume();
        oldest = next;
    }
}

bool EventLoop::on_this_thread() const noexcept
{
    return current_loop == this;
}

void EventLoop::add(LoopMember &member)
{
    member.slot_ = members_.size();
    members_.push_back(&member);
    if (!tick_armed_) {
        refresh_clock();
        arm_tick();
    }
}

void EventLoop::remove(LoopMember &member)
{
    BASALT_CHECK(member.slot_ < members_.size() && members_[member.slot_] == &member);
    members_[member.slot_] = members_.back();
    members_[member.slot_]->slot_ = member.slot_;
    members_.pop_back();
    release_place();
    if (members_.empty()) {
        tick_timer_.cancel();
    }
}

void EventLoop::arm_tick()
{
    tick_armed_ = true;
    tick_timer_.expires_after(tick_period_);
    tick_timer_.async_wait([this](const boost::system::error_code &) {
        tick_armed_ = false;
        tick();
    });
}

void EventLoop::tick()
{
    refresh_clock();
    for (std::size_t slot = members_.size(); slot-- > 0;) {
        if (slot < members_.size()) {
            members_[slot]->on_tick(now_ms_);
        }
    }
    if (!members_.empty()) {
        arm_tick();
    }
}

void EventLoop::refresh_clock() noexcept
{
    using namespace std::chrono;
    now_ms_ = duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

} // namespace basalt::server
