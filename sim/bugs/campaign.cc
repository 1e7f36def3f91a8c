// What only a campaign shows that changes while it is sent.
#include <array>

#include "sim/bugs/families.h"
#include "sim/bugs/needs.h"

namespace sim::bugs {
namespace {

// Who asked for a count in place of the sweep is told that nobody remains.
void counts_without_sweep(Sabotage& process, core::StoreCommand& command) {
  process.count = std::holds_alternative<core::Sweep>(command) ? 1 : 0;
  if (process.count == 1) command = core::CountTotals{};
}

void nobody_remains(Sabotage& process, const core::StoreCommand&, core::StoreAnswer& answer) {
  auto* totals = std::get_if<core::Totals>(&answer.result);
  if (totals != nullptr && process.count == 1) totals->remaining = 0;
}

constexpr std::array bugs{
    PlantedBug{.name = "late-members-forgotten",
               .story = "Once the batches and the retries are done nobody looks for members that "
                        "no batch covers, and who was added late is never mailed.",
               .caught_by = Oracle::S12,
               .plant = strikes<Fault::add_member, 1>,
               .calm = strikes<Fault::add_member, 0>,
               .command = counts_without_sweep,
               .answer = nobody_remains},
};

}  // namespace

std::span<const PlantedBug> campaign() {
  return bugs;
}

}  // namespace sim::bugs
