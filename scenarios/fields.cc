#include "scenarios/fields.h"

#include <algorithm>

namespace scenarios {

std::string_view field_name(Field field) {
  switch (field) {
    case Field::members:
      return "members";
    case Field::accepted:
      return "accepted";
    case Field::duplicates:
      return "duplicates";
    case Field::extra_deliveries:
      return "extra_deliveries";
    case Field::lost:
      return "lost";
    case Field::failed:
      return "failed";
    case Field::unknown:
      return "unknown";
    case Field::opted_out:
      return "opted_out";
    case Field::late_opt_outs:
      return "late_opt_outs";
    case Field::opt_outs_in_grace:
      return "opt_outs_in_grace";
    case Field::stale_writes:
      return "stale_writes";
    case Field::repeats:
      return "repeats";
    case Field::requests:
      return "requests";
    case Field::peak_rss_bytes:
      return "peak_rss_bytes";
    case Field::peak_rss_spread_bytes:
      return "peak_rss_spread_bytes";
    case Field::exit_codes:
      return "exit_codes";
    case Field::wall_s:
      return "wall_s";
    case Field::skipped_s:
      return "skipped_s";
    case Field::last_mail_s:
      return "last_mail_s";
    case Field::days:
      return "days";
    case Field::db_us_per_member:
      return "db_us_per_member";
    case Field::max_in_any_second:
      return "max_in_any_second";
    case Field::steady_per_s:
      return "steady_per_s";
  }
  return "";
}

std::optional<Field> find_field(std::string_view name) {
  const auto found = std::ranges::find(kAllFields, name, field_name);
  return found == kAllFields.end() ? std::nullopt : std::optional(*found);
}

}  // namespace scenarios
