// What the environment says: the mission's variables and ours, read strictly.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/http/mail_client.h"
#include "core/metrics/publisher.h"
#include "core/pg/pqxx_transport.h"
#include "core/policy.h"

namespace core::sender {

struct Settings {
  std::string campaign;
  std::optional<std::string> template_name;
  std::optional<std::int64_t> rate_per_s;
  std::optional<std::string> window;  // as windows.h writes it
  std::optional<DbTime> not_after;
  std::string provider;  // key of the shared rate row: PROVIDER, or the origin of MAIL_URL
  Policy policy;
  pg::ConnectionSettings database;
  http::MailSettings mail;
  metrics::Destinations metrics;
  Duration poll = 1s;  // between two looks at the database's clock while waiting
};

// Looks a variable up; nothing: not set.
using Environment = std::function<std::optional<std::string>(const std::string&)>;

// Returns: the settings; problems: one line each, what, where and what would be right. With
// problems the settings are not to be used.
Settings read_settings(const Environment& environment, std::vector<std::string>& problems);

// For --help: every variable, its unit, default and reason.
std::string describe_settings();

}  // namespace core::sender
