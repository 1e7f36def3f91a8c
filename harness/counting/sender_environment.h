// The part of a sender's environment that a scenario decides; who it talks to is the tier's affair.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenarios/scenario.h"

namespace harness {

// In order: a later one of the same name wins. The scenario's own env comes last.
std::vector<std::pair<std::string, std::string>> sender_environment(
    const scenarios::SenderSettings& settings);

}  // namespace harness
