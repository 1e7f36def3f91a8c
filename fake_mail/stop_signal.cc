#include "fake_mail/stop_signal.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace fake_mail {

StopSignal::StopSignal() : fd_(::eventfd(0, EFD_CLOEXEC)) {
  if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
}

StopSignal::~StopSignal() {
  ::close(fd_);
}

void StopSignal::raise() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(fd_, &one, sizeof one);
}

bool StopSignal::wait_for(core::Duration duration) const {
  const auto end = std::chrono::steady_clock::now() + duration;
  pollfd raised{.fd = fd_, .events = POLLIN, .revents = 0};
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::nanoseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    const timespec timeout{.tv_sec = static_cast<time_t>(left.count() / 1'000'000'000),
                           .tv_nsec = static_cast<long>(left.count() % 1'000'000'000)};
    if (::ppoll(&raised, 1, &timeout, nullptr) > 0) return true;
  }
}

}  // namespace fake_mail
