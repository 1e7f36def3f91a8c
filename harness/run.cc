#include "harness/run.h"

#include <fmt/format.h>

#include <atomic>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <thread>

#include "core/number_text.h"
#include "harness/claim_cost/claim_cost.h"
#include "harness/counting/memory_growth.h"
#include "harness/database/campaign_database.h"
#include "harness/postgres/server.h"
#include "harness/postgres_mirror.h"
#include "harness/processes/process.h"
#include "harness/processes/run_lock.h"
#include "harness/sender_run.h"
#include "harness/simulation/scenario_run.h"
#include "harness/subject.h"

namespace harness {
namespace {

std::atomic<bool> stop_flag = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

std::expected<std::vector<Subject>, RunError> subjects_of(const scenarios::Scenario& scenario,
                                                          const RunOptions& options) {
  std::vector<std::string> names = options.senders;
  if (names.empty()) names = scenarios::usual_senders(scenario);
  std::vector<Subject> subjects;
  for (const std::string& name : names) {
    auto subject = subject_named(name);
    if (!subject) return std::unexpected(RunError{subject.error()});
    subjects.push_back(std::move(*subject));
  }
  return subjects;
}

// A statement that takes minutes doesn't look at the stop flag: this ends it.
class CutOnStop {
 public:
  explicit CutOnStop(std::string server_dsn)
      : thread_([this, dsn = std::move(server_dsn)](const std::stop_token& over) {
          const auto poll = std::chrono::milliseconds(200);
          std::unique_lock lock(mutex_);
          while (!over_.wait_for(lock, over, poll, [&] { return over.stop_requested(); }))
            if (stop_asked()) cut_run_sessions(dsn);
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any over_;
  std::jthread thread_;  // last: it uses the others
};

// What a campaign leaves behind in the table, and what vacuum gives back of it.
std::string wear_text(const char* design, const ClaimCost& cost) {
  const auto mebibytes = [](std::int64_t bytes) { return bytes >> 20; };
  const Wear& wear = cost.wear;
  return fmt::format(
      "{}: table {} -> {} MiB, indexes {} -> {} MiB, {:.1f} % of updates HOT, {} dead rows, WAL {} "
      "B/member; vacuum {:.1f} s, then {} and {} MiB",
      design, mebibytes(wear.table_bytes_before), mebibytes(wear.table_bytes),
      mebibytes(wear.index_bytes_before), mebibytes(wear.index_bytes),
      static_cast<double>(wear.hot_permille) / 10, core::grouped(wear.dead_rows),
      cost.members == 0 ? 0 : wear.wal_bytes / cost.members,
      static_cast<double>(wear.vacuum.count()) / 1e6, mebibytes(wear.table_bytes_vacuumed),
      mebibytes(wear.index_bytes_vacuumed));
}

// The database's share alone, both designs in turn over the reference's largest audience.
std::expected<void, RunError> compare_claim_designs(const std::string& server_dsn,
                                                    reports::RunResult& result,
                                                    Progress& progress) {
  reports::SenderResult* largest = nullptr;
  for (auto& one : result.senders)
    if (one.sender == "reference" && (largest == nullptr || one.members > largest->members))
      largest = &one;
  if (largest == nullptr) return {};
  progress.stage(fmt::format("claim + record alone, {} members by each design", largest->members));
  const auto costs = compare_claims(server_dsn, largest->members, false, [&](std::int64_t done) {
    progress.count("claim + record", done, 2 * largest->members, 0);
    return !stop_asked();
  });
  if (!costs) return std::unexpected(RunError{costs.error()});
  const auto us = [](std::int64_t ns) { return static_cast<double>(ns) / 1000; };
  const ClaimCost& batches = costs->batch_claims;
  const ClaimCost& rows = costs->row_claims;
  largest->notes.push_back(fmt::format(
      "claim + record alone, {} members: batch claims {:.2f} us/member, row claims {:.1f} "
      "(medians; means {:.2f} and {:.1f}: {:.1f} x)",
      largest->members, us(batches.ns_per_member()), us(rows.ns_per_member()),
      us(batches.mean_ns_per_member()), us(rows.mean_ns_per_member()),
      us(rows.mean_ns_per_member()) / us(batches.mean_ns_per_member())));
  for (const auto& [name, cost] :
       {std::pair("batch claims", &batches), std::pair("row claims", &rows)})
    largest->notes.push_back(wear_text(name, *cost));
  return {};
}

// --tier sim-pg
std::expected<std::vector<reports::SenderResult>, RunError> run_mirrored(
    const scenarios::Scenario& scenario, const RunOptions& options, const std::string& server_dsn,
    Progress& progress) {
  try {
    auto simulated =
        run_in_simulator(scenario, options, progress, stop_asked, mirror_on_postgres(server_dsn));
    if (!simulated) return std::unexpected(simulated.error());
    return std::move(simulated->senders);
  } catch (const std::runtime_error& error) {
    return std::unexpected(RunError{error.what()});
  }
}

// A folder of its own for each choice: what processes say would overwrite one another's.
std::filesystem::path folder_of(const scenarios::Scenario& variant, const RunOptions& options) {
  if (variant.choice.empty()) return options.out_folder;
  std::string name = variant.choice;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '-';
  return options.out_folder / name;
}

std::expected<void, RunError> run_variant(const scenarios::Scenario& variant,
                                          const RunOptions& options,
                                          const std::vector<Subject>& subjects,
                                          const postgres::Server& server,
                                          const std::filesystem::path& run_lock, Progress& progress,
                                          reports::RunResult& result) {
  const std::filesystem::path folder = folder_of(variant, options);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return std::unexpected(RunError{fmt::format("{}: {}", folder.string(), error.message())});
  for (const std::int64_t members : variant.audience.members) {
    for (const Subject& subject : subjects) {
      auto one = run_sender({.scenario = variant,
                             .options = options,
                             .subject = subject,
                             .progress = progress,
                             .members = members,
                             .server_dsn = server.dsn(),
                             .folder = folder,
                             .run_lock = run_lock});
      if (!one) {
        if (stop_asked()) return std::unexpected(RunError{"stopped"});
        const std::string server_says = server.own_trouble();
        return std::unexpected(
            RunError{one.error().message +
                     (server_says.empty() ? "" : "; PostgreSQL says: " + server_says)});
      }
      one->choice = variant.choice;
      result.senders.push_back(std::move(*one));
    }
  }
  return {};
}

}  // namespace

void stop_everything() noexcept {
  stop_flag = true;
}
bool stop_asked() noexcept {
  return stop_flag;
}

std::expected<reports::RunResult, RunError> run_scenario(const scenarios::Scenario& scenario,
                                                         const RunOptions& options,
                                                         Progress& progress) {
  // Everything that can be refused is refused before anything is started.
  const bool simulates = options.tier == "sim-pg";
  if (simulates)
    if (const auto refused = simulator_refuses(scenario, options))
      return std::unexpected(RunError{*refused});
  if (!simulates && scenario.only_in_the_simulator())
    return std::unexpected(RunError{
        "cronjob, job.active_deadline_s: nights take virtual time; run it with --tier sim"});
  auto subjects = simulates ? std::vector<Subject>() : subjects_of(scenario, options);
  if (!subjects) return std::unexpected(subjects.error());
  if (!options.setup_file.empty() && !std::filesystem::is_regular_file(options.setup_file))
    return std::unexpected(
        RunError{options.setup_file + ": no such file: --setup wants a .sql file"});
  std::error_code error;
  std::filesystem::create_directories(options.out_folder, error);
  if (error)
    return std::unexpected(
        RunError{fmt::format("{}: {}", options.out_folder.string(), error.message())});

  const auto lock = RunLock::take(options.out_folder);
  if (!lock) return std::unexpected(RunError{lock.error()});

  progress.stage("starting PostgreSQL");
  auto server_options = postgres::options_from_environment();
  if (!options.dsn.empty()) server_options.dsn = options.dsn;
  auto server = postgres::Server::start(server_options);
  if (!server) return std::unexpected(RunError{server.error()});

  const CutOnStop cut_on_stop(server->dsn());

  reports::RunResult result;
  result.scenario = scenario.name;
  result.title = scenario.title;
  result.seed = scenario.seed;
  result.run = options.out_folder.filename().string();
  result.postgres_version = server->version();
  result.postgres_source = server->source();
  if (!server->warning().empty()) progress.note(server->warning());
  if (simulates) {
    auto senders = run_mirrored(scenario, options, server->dsn(), progress);
    if (!senders) return std::unexpected(senders.error());
    result.tier = options.tier;
    result.senders = std::move(*senders);
    return result;
  }
  for (const scenarios::Scenario* variant : scenarios::variants_of(scenario))
    if (auto done =
            run_variant(*variant, options, *subjects, *server, lock->file(), progress, result);
        !done)
      return std::unexpected(done.error());
  if (scenario.measure_database)
    if (auto done = compare_claim_designs(server->dsn(), result, progress); !done)
      return std::unexpected(done.error());
  if (scenario.measure_memory)
    note_memory_growth(result.senders, "peak RSS", peak_rss_floor().value_or(0));
  return result;
}

}  // namespace harness
