// A flag that threads can wait for, also next to a socket: an eventfd that becomes readable once
// and stays so.
//
// Ownership: owns the descriptor. Threads: every method from any thread.
#pragma once

#include "core/time.h"

namespace fake_mail {

class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  void raise();
  // Blocks for `duration` or until the signal is raised. Returns: whether it was raised.
  bool wait_for(core::Duration duration) const;
  int fd() const { return fd_; }

 private:
  int fd_;
};

}  // namespace fake_mail
