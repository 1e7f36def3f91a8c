// The sender's processes of one run: started with the environment that every sender relies on,
// found again by name.
#pragma once

#include <deque>
#include <expected>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/live_process.h"
#include "harness/subject.h"
#include "scenarios/scenario.h"

namespace harness {

inline constexpr const char* campaign_id = "spring-2026";

struct PodSpec {
  const Subject& subject;
  const scenarios::SenderSettings& settings;
  std::string dsn;
  bool skips_waiting = false;
  std::string mail_url;
  std::filesystem::path run_lock;
  std::filesystem::path stderr_file;
};

class Pods {
 public:
  // Its lines and its end are put into `reports`, which must outlive this.
  std::expected<void, std::string> start(Job::Pod pod, const PodSpec& spec, Reports& reports);

  // Requires: it was started.
  LiveProcess& operator[](Job::Pod pod);
  LiveProcess* alive(const std::string& owner);  // nullptr: no such process lives
  std::vector<LiveProcess*> all_alive();

 private:
  std::deque<LiveProcess> processes_;
};

}  // namespace harness
