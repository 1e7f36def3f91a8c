// Steps, answers and rows as text: what is compared is what is printed.
#pragma once

#include <string>

#include "core/pg/transport.h"
#include "sim/pg/schedule.h"

namespace sim::pg {

std::string text(const Step& step);
std::string text(const core::StoreAnswer& answer);

// Columns as sim/pg/statements/*_rows.sql have them, "-" for null.
std::string text(const MemberRow& row);
std::string text(const BatchRow& row);
std::string text(const CampaignRow& campaign, const ProviderRow& provider);
std::string text(const core::pg::Row& row);

}  // namespace sim::pg
