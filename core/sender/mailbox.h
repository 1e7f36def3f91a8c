// Events from the threads to the event loop.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/commands.h"
#include "core/store.h"

namespace core::sender {

struct ClockRead {  // an idle worker's look at the database's clock
  std::optional<DbTime> now;
};
struct RemainingRead {  // of the whole campaign
  std::optional<std::int64_t> members;
};
using Message = std::variant<StoreReply, ClockRead, RemainingRead, SendFinished, Stop>;

class Mailbox {
 public:
  void put(Message message) {
    {
      const std::lock_guard lock(mutex_);
      messages_.push_back(std::move(message));
    }
    arrived_.notify_one();
  }
  // Whatever has arrived; empty at `until`. Swaps buffers: no allocation in the steady state.
  void take(std::vector<Message>& taken, std::chrono::steady_clock::time_point until) {
    taken.clear();
    std::unique_lock lock(mutex_);
    arrived_.wait_until(lock, until, [&] { return !messages_.empty(); });
    std::swap(taken, messages_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<Message> messages_;
};

}  // namespace core::sender
