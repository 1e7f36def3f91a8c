// Numbers and moments for people.
#pragma once

#include <cstdint>
#include <string>

#include "core/time.h"

namespace core {

std::string grouped(std::int64_t number);  // "1,234,567"
// "2026-12-01T02:00:00Z", whole seconds, rounded down.
std::string utc_text(DbTime time);
// "2 h 5 min 3 s", "12 s"; rounded up to whole seconds. Requires: not negative.
std::string span_text(Duration span);

}  // namespace core
