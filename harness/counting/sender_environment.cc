#include "harness/counting/sender_environment.h"

namespace harness {

std::vector<std::pair<std::string, std::string>> sender_environment(
    const scenarios::SenderSettings& settings) {
  std::vector<std::pair<std::string, std::string>> environment{
      {"DEADLINE_S", "3000"},
      {"MIN_INTERVAL_S", "0"},
      {"LANES", std::to_string(settings.lanes)},
      {"RATE_PER_S", std::to_string(settings.rate_per_s)},
      {"BATCH", std::to_string(settings.batch)}};
  environment.insert(environment.end(), settings.env.begin(), settings.env.end());
  return environment;
}

}  // namespace harness
