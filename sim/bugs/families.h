// The families that the catalog is made of, one file each.
#pragma once

#include <span>

#include "sim/bugs/planted_bug.h"

namespace sim::bugs {

std::span<const PlantedBug> claims();
std::span<const PlantedBug> records();
std::span<const PlantedBug> answers();
std::span<const PlantedBug> keys();
std::span<const PlantedBug> opt_outs();
std::span<const PlantedBug> rates();
std::span<const PlantedBug> statements();
std::span<const PlantedBug> campaign();
std::span<const PlantedBug> hours();

}  // namespace sim::bugs
