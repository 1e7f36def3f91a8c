// How a campaign stands, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "core/admin/campaign_admin.h"

namespace core::admin {

// Several lines of at most 100 columns.
std::string status_text(const Status& status, const std::string& campaign,
                        const std::string& provider);
std::string status_json(const Status& status, const std::string& campaign,
                        const std::string& provider);

std::string unknown_text(const UnknownMembers& unknown);
std::string unknown_json(const UnknownMembers& unknown);

// "500/s", "5/min", "1/h"; 0: "no limit".
std::string limit_text(Duration interval);
// Of "500", "500/s", "5/min", "1/h", "none". Nothing: it is none of these.
std::optional<Duration> parse_limit(const std::string& text);

}  // namespace core::admin
