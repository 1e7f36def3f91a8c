#include "core/sender/database_thread.h"

namespace core::sender {

DatabaseThread::DatabaseThread(pg::PgStore& store, Mailbox& mailbox)
    : thread_([this, &store, &mailbox] { work(store, mailbox); }) {}

DatabaseThread::~DatabaseThread() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  asked_.notify_one();
  thread_.join();
}

void DatabaseThread::ask(StoreCommand command) {
  {
    const std::lock_guard lock(mutex_);
    command_ = std::move(command);
  }
  asked_.notify_one();
}

void DatabaseThread::read_clock() {
  {
    const std::lock_guard lock(mutex_);
    clock_ = true;
  }
  asked_.notify_one();
}

void DatabaseThread::read_remaining() {
  {
    const std::lock_guard lock(mutex_);
    remaining_ = true;
  }
  asked_.notify_one();
}

void DatabaseThread::work(pg::PgStore& store, Mailbox& mailbox) {
  std::unique_lock lock(mutex_);
  for (;;) {
    asked_.wait(lock, [&] { return ending_ || command_ || clock_ || remaining_; });
    if (ending_) return;
    if (command_) {
      const StoreCommand command = std::move(*command_);
      command_.reset();
      lock.unlock();
      mailbox.put(store.execute(command));
    } else if (clock_) {
      clock_ = false;
      lock.unlock();
      mailbox.put(ClockRead{store.clock()});
    } else {  // what only informs comes last
      remaining_ = false;
      lock.unlock();
      mailbox.put(RemainingRead{store.remaining()});
    }
    lock.lock();
  }
}

}  // namespace core::sender
