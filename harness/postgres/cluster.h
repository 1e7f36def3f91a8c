// A fresh database cluster for a run. initdb takes most of a second, copying what it made before a
// tenth of that: so there is a template a user and version in the cache folder, made at first need.
#pragma once

#include <expected>
#include <filesystem>
#include <optional>
#include <string>

#include "harness/postgres/binaries.h"
#include "harness/postgres/run_folder.h"

namespace harness::postgres {

// Fills folder.cluster(), owned by `account`: superuser postgres, trust authentication, UTF8, C
// collation (the same order of text on every machine).
std::expected<void, std::string> make_cluster(const Binaries& binaries, const RunFolder& folder,
                                              const std::optional<Account>& account);

// The line of a log that tells why a program ended: the last that is an error, else the last.
std::string last_words(const std::filesystem::path& log);
// The last line that tells of the server's own trouble: a PANIC, a process of it killed, a full
// disk; "" if none does.
std::string own_trouble(const std::filesystem::path& log);

}  // namespace harness::postgres
