// The lanes: one thread and one connection each, one request at a time.
#pragma once

#include <atomic>
#include <memory>
#include <semaphore>
#include <string>
#include <vector>

#include "core/os/process.h"
#include "core/provider.h"
#include "core/sender/mailbox.h"

namespace core::sender {

class Lanes {
 public:
  Lanes(std::vector<std::unique_ptr<Provider>> providers, Duration worst_send, Mailbox& mailbox);
  ~Lanes();

  // Requires: the lane is free. A lane that gets to run only after latest_start doesn't start the
  // request.
  void start(const Send& send, std::string address, Instant now);
  void finished(std::int64_t lane) { lanes_[static_cast<std::size_t>(lane)]->busy = false; }
  // Cancels requests that have outlived the worst send, again and again until they end.
  void cancel_overdue(Instant now);

 private:
  struct Lane {
    std::unique_ptr<Provider> provider;
    MemberId member{};
    std::string address;
    std::binary_semaphore work{0};
    Instant latest_start{};
    Instant deadline{};
    bool busy = false;  // as the event loop sees it
    std::unique_ptr<os::SmallThread> thread;
  };
  Duration worst_send_;
  std::atomic<bool> ending_{false};
  std::vector<std::unique_ptr<Lane>> lanes_;
};

}  // namespace core::sender
