#include "harness/cli/fake_engine.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "harness/audit.h"

namespace harness {
namespace {

std::atomic<bool> stopped = false;

std::expected<reports::RunResult, RunError> everybody_once(const scenarios::Scenario& scenario,
                                                           const RunOptions& options,
                                                           Progress& progress) {
  const char* mode = std::getenv("FAKE_ENGINE");
  if (mode != nullptr && std::string_view(mode) == "wait") {
    progress.stage("waiting");
    while (!stopped) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return std::unexpected(RunError{"stopped"});
  }
  reports::RunResult out;
  out.scenario = scenario.name;
  out.title = scenario.title;
  out.seed = scenario.seed;
  for (const std::string& sender : options.senders) {
    reports::SenderResult one;
    one.sender = sender;
    one.members = one.accepted = scenario.audience.members.front();
    one.exit_codes = {0};
    out.senders.push_back(one);
  }
  return out;
}

}  // namespace

FakeRun& fake_run() {
  static FakeRun run = everybody_once;
  return run;
}

std::expected<reports::RunResult, RunError> run_scenario(const scenarios::Scenario& scenario,
                                                         const RunOptions& options,
                                                         Progress& progress) {
  return fake_run()(scenario, options, progress);
}

void stop_everything() noexcept {
  stopped = true;
}
bool stop_asked() noexcept {
  return stopped;
}

std::expected<AuditResult, RunError> audit(const AuditOptions& options) {
  if (options.campaign == "nobody") return std::unexpected(RunError{"no such campaign"});
  return AuditResult{};
}
reports::Verdict verdict_of(const AuditResult&) {
  return reports::Verdict::passed;
}
std::string to_table(const AuditResult&) {
  return "audit table\n";
}
std::string to_json(const AuditResult&) {
  return "{}\n";
}

}  // namespace harness
