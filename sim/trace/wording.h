// What a move says, as a sentence without its subject: "claims a batch", "records what came of b1;
// the answer is lost". Move's own words (move.h) are for traces; these are for readers.
#pragma once

#include <string>

#include "sim/world/move.h"

namespace sim {

// Returns: one line; who does it is said apart (actor_name).
std::string wording(const Move& move);

std::string actor_name(int actor);           // "w1"; of the world around the workers "-"
std::string name_of(core::MemberId member);  // "m1"
std::string name_of(core::BatchId batch);    // "b1"
// Seconds with a point, as few digits as say it: "90", "0.0015".
std::string seconds(core::Duration time);

}  // namespace sim
