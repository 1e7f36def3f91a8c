// The names of what a run counts, written once: the reader checks expectations against them,
// reports gives each its value. What each one means is said at reports::SenderResult.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace scenarios {

enum class Field {
  members,
  accepted,
  duplicates,
  extra_deliveries,
  lost,
  failed,
  unknown,
  opted_out,
  late_opt_outs,
  opt_outs_in_grace,
  stale_writes,
  repeats,
  requests,
  peak_rss_bytes,
  peak_rss_spread_bytes,  // largest less smallest peak over the audience sizes of one sender
  exit_codes,             // the only list
  wall_s,
  skipped_s,
  last_mail_s,  // of several starts: from the first one to the last mail
  days,         // begun from the first start to the last mail
  db_us_per_member,
  max_in_any_second,
  steady_per_s,
};

inline constexpr std::array kAllFields = {
    Field::members,           Field::accepted,       Field::duplicates,
    Field::extra_deliveries,  Field::lost,           Field::failed,
    Field::unknown,           Field::opted_out,      Field::late_opt_outs,
    Field::opt_outs_in_grace, Field::stale_writes,   Field::repeats,
    Field::requests,          Field::peak_rss_bytes, Field::peak_rss_spread_bytes,
    Field::exit_codes,        Field::wall_s,         Field::skipped_s,
    Field::last_mail_s,       Field::days,           Field::db_us_per_member,
    Field::max_in_any_second, Field::steady_per_s,
};

std::string_view field_name(Field field);
std::optional<Field> find_field(std::string_view name);

}  // namespace scenarios
