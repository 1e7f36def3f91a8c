// The commands of campaign_sender that a person gives: status, pause, resume, cancel, limit,
// unknown, resolve.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/pg/transport.h"

namespace core::admin {

using Environment = std::function<std::optional<std::string>(const std::string&)>;
using Connect = std::function<std::unique_ptr<pg::Transport>(const std::string& dsn)>;

bool is_command(const std::string& word);
// "  campaign_sender status ...", one line or more a command.
std::string usage();

// arguments: the first is the command. Reads DB_DSN, CAMPAIGN_ID, and PROVIDER or MAIL_URL.
// Returns: the exit code: 0 done, 1 the database is away, 3 refused; errors are one line on `err`.
int run_command(const std::vector<std::string>& arguments, const Environment& environment,
                const Connect& connect, std::ostream& out, std::ostream& err);

}  // namespace core::admin
