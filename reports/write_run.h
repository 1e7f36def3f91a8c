// The files that every run leaves: out/<scenario>/<run>/summary.json and junit.xml.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "reports/result.h"
#include "reports/write_file.h"

namespace reports {

// Makes <out>/<scenario>/<run> with a new name of the form 20260401T170000Z-3fa9: UTC and a random
// suffix, so that runs sort by time and two started in one second don't meet. Call it before the
// run: a folder that can't be written is better known before anything is started. Time: reads the
// system clock.
std::expected<std::filesystem::path, WriteError> make_run_folder(const std::filesystem::path& out,
                                                                 std::string_view scenario);

// Removes the run's folder at its end, and its scenario's, if nothing was put into them: an empty
// folder says nothing. Whatever a run has left in it stays.
class NoEmptyFolder {
 public:
  explicit NoEmptyFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  ~NoEmptyFolder();
  NoEmptyFolder(const NoEmptyFolder&) = delete;
  NoEmptyFolder& operator=(const NoEmptyFolder&) = delete;

 private:
  std::filesystem::path folder_;
};

// Atomic for each file: a reader sees the whole of it or none; summary.json comes last, so where it
// is, all is. Blocks until both are on disk.
std::expected<void, WriteError> write_run(const RunResult& run,
                                          const std::filesystem::path& folder);

}  // namespace reports
