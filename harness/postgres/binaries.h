// Where PostgreSQL's server programs are on this machine, and where things made once a machine are
// kept.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <vector>

namespace harness::postgres {

struct Binaries {
  std::filesystem::path folder;  // holds postgres and initdb
  std::string source;            // "embedded" or "installed FOLDER"
};

// Cache folders in the order of looking: the machine's (filled by root), then the user's. The first
// one that this user may write comes out of writable_cache_folder().
std::vector<std::filesystem::path> cache_folders();
std::filesystem::path writable_cache_folder();

// given: a folder the user insists on; empty: installed ones of version 17, then the embedded ones.
std::expected<Binaries, std::string> find_binaries(const std::filesystem::path& given);

// True if the library that shared_preload_libraries needs for pg_stat_statements is there.
bool has_stat_statements(const Binaries& binaries);

}  // namespace harness::postgres
