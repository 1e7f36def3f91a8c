#include "sim/database/conjunct.h"

namespace sim {

std::optional<Conjunct> parse_conjunct(std::string_view name) {
  for (std::size_t i = 0; i < conjunct_count; ++i) {
    if (conjunct_names[i] == name) return static_cast<Conjunct>(i);
  }
  return std::nullopt;
}

}  // namespace sim
