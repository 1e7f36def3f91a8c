#include "sim/database/conjunct.h"

#include <array>

namespace sim {
namespace {

#define SIM_CONJUNCT(statement, part) std::string_view(#statement "." #part),
constexpr std::array names = {SIM_CONJUNCTS(SIM_CONJUNCT)};
#undef SIM_CONJUNCT

}  // namespace

std::string_view conjunct_name(Conjunct conjunct) {
  return names[static_cast<std::size_t>(conjunct)];
}

std::optional<Conjunct> parse_conjunct(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Conjunct>(i);
  }
  return std::nullopt;
}

}  // namespace sim
