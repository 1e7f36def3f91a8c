// The one database lane: runs statements and clock reads in the order asked, answers into the
// mailbox.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "core/pg/store.h"
#include "core/sender/mailbox.h"

namespace core::sender {

class DatabaseThread {
 public:
  DatabaseThread(pg::PgStore& store, Mailbox& mailbox);
  ~DatabaseThread();
  // Requires: no other statement is under way.
  void ask(StoreCommand command);
  // Requires: no other read of this kind is under way.
  void read_clock();
  void read_remaining();

 private:
  void work(pg::PgStore& store, Mailbox& mailbox);

  std::mutex mutex_;
  std::condition_variable asked_;
  std::optional<StoreCommand> command_;
  bool clock_ = false, remaining_ = false;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace core::sender
