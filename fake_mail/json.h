// Behaviour and counters as JSON, for the control API: the only place that knows their field names.
// Durations are integers of microseconds with the suffix _us; latency_us is [[permille, us], ...].
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "fake_mail/behaviour.h"
#include "fake_mail/counters.h"

namespace fake_mail {

std::string to_json(const Behaviour& behaviour);
std::string to_json(const Counters& counters);

// Fields that are absent have their default. Refuses unknown fields and values out of range.
// Returns: the value, or one line that names the field and what would be right.
std::expected<Behaviour, std::string> behaviour_from_json(std::string_view text);
// Every field must be there.
std::expected<Counters, std::string> counters_from_json(std::string_view text);

}  // namespace fake_mail
