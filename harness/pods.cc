#include "harness/pods.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/counting/sender_environment.h"
#include "harness/processes/run_lock.h"

namespace harness {
namespace {

std::vector<std::pair<std::string, std::string>> environment_of(const PodSpec& spec) {
  std::vector<std::pair<std::string, std::string>> environment{
      {"DB_DSN", spec.dsn},
      {"CAMPAIGN_ID", campaign_id},
      {"MAIL_URL", spec.mail_url},
      {run_lock_variable, spec.run_lock.string()}};
  // Seen soon after a jump of the clock, and else at the cost of a look at it each 20 ms.
  if (spec.skips_waiting) environment.emplace_back("POLL_MS", "20");
  // What the scenario says comes last and wins.
  auto more = sender_environment(spec.settings);
  environment.insert(environment.end(), more.begin(), more.end());
  return environment;
}

}  // namespace

std::expected<void, std::string> Pods::start(Job::Pod pod, const PodSpec& spec, Reports& reports) {
  auto process = Process::start(
      {.argv = spec.subject.argv,
       .environment = environment_of(spec),
       .stderr_file = spec.stderr_file,
       .on_line =
           [pod, &reports](std::string_view line) {
             reports.put(LineReport{pod, std::string(line), read_sender_line(line)});
           },
       .on_end = [pod, &reports](const Ended& ended) { reports.put(EndReport{pod, ended}); }});
  if (!process) return std::unexpected(process.error());
  LiveProcess& live = processes_.emplace_back();
  live.pod = pod;
  live.owner = fmt::format("p{}", pod);
  live.process = std::move(*process);
  return {};
}

LiveProcess& Pods::operator[](Job::Pod pod) {
  return *std::ranges::find(processes_, pod, &LiveProcess::pod);
}

LiveProcess* Pods::alive(const std::string& owner) {
  const auto found = std::ranges::find_if(
      processes_, [&](const LiveProcess& one) { return one.owner == owner && !one.ended; });
  return found == processes_.end() ? nullptr : &*found;
}

std::vector<LiveProcess*> Pods::all_alive() {
  std::vector<LiveProcess*> alive;
  for (LiveProcess& one : processes_)
    if (!one.ended) alive.push_back(&one);
  return alive;
}

}  // namespace harness
