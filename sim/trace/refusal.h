// Why a text isn't what it should be.
#pragma once

#include <string>
#include <vector>

namespace sim {

struct Refusal {
  std::string what;
  std::string right;  // what would be right; empty where one of `known` would be
  std::string word;   // the refused name
  std::vector<std::string> known;
};

}  // namespace sim
