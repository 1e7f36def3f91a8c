// The fake provider as a running program, and its control API.
//
// Ownership: owns the program.
// Threads: every method from any thread; each call has a connection of its own.
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
#include "fake_mail/counters.h"
#include "harness/processes/process.h"

namespace fake_mail {
class ControlClient;
}

namespace harness {

class Provider {
 public:
  using Done = std::expected<void, std::string>;

  // connections: how many it can serve at once. log: its stderr.
  static std::expected<std::unique_ptr<Provider>, std::string> start(
      const fake_mail::Behaviour& behaviour, std::int64_t connections,
      const std::filesystem::path& log);
  ~Provider();
  Provider(const Provider&) = delete;
  Provider& operator=(const Provider&) = delete;

  // What a process gets as MAIL_URL.
  std::string mail_url(const std::string& owner) const;

  // At delivery number `accept` it freezes in the same critical section, if asked to.
  Done set_trigger(std::int64_t accept, bool freeze);
  // Waits for delivery number `accept`. Returns whose request it was; nullopt: not made in that
  // time.
  std::expected<std::optional<std::string>, std::string> wait_for(std::int64_t accept,
                                                                  core::Duration at_most);
  Done freeze();
  // What processes that were killed had waiting is never accepted.
  Done thaw(const std::vector<std::string>& killed);
  Done outage(core::Duration lasts);
  Done advance(core::Duration by);
  std::expected<fake_mail::Counters, std::string> counters();
  Done write_ledger(const std::filesystem::path& file);

 private:
  Provider();
  template <typename Call>
  auto ask(Call&& call)
      -> std::expected<decltype(call(std::declval<fake_mail::ControlClient&>())), std::string>;

  std::unique_ptr<Process> process_;
  std::unique_ptr<fake_mail::ControlClient> control_;
  int port_ = 0;
};

}  // namespace harness
