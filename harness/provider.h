// The fake provider as a running program, and its control API.
//
// Ownership: owns the program. Threads: every method from any thread; each call has a connection of its own.
// Errors: one line; the provider is then gone or not to be relied upon.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"
#include "fake_mail/behaviour.h"
#include "fake_mail/control_client.h"
#include "fake_mail/counters.h"
#include "harness/process.h"

namespace harness {

class Provider {
 public:
  // threads: connections it can serve at once. log: its stderr.
  static std::expected<std::unique_ptr<Provider>, std::string> start(
      const fake_mail::Behaviour& behaviour, std::int64_t threads,
      const std::filesystem::path& log);

  // What a process gets as MAIL_URL.
  std::string mail_url(const std::string& owner) const;
  fake_mail::ControlClient& control() { return *control_; }
  std::string last_words() const { return process_->last_words(); }

 private:
  std::unique_ptr<Process> process_;
  std::unique_ptr<fake_mail::ControlClient> control_;
  int port_ = 0;
};

}  // namespace harness
