#include <fmt/format.h>

#include <algorithm>

#include "harness/counting/count.h"
#include "harness/counting/ledger_csv.h"
#include "harness/counting/verdict.h"
#include "harness/running_sender.h"

namespace harness {
namespace {

// A ledger of 1.2 M members has 60 MB: too much to leave behind after each run.
constexpr std::int64_t ledger_kept_up_to = 100'000;

}  // namespace

RunningSender::Step RunningSender::count() {
  in_.progress.stage(fmt::format("{}: counting", in_.subject.name));
  for (const auto& [member, commit_us] : opt_outs_) audience_.opted_out(member, commit_us);
  if (keeps_states()) {
    const auto table = database_->audience();
    if (!table) return as_error(table);
    for (const Member& member : table->members()) audience_.became(member.id, member.truth);
  }
  const std::filesystem::path ledger = file("ledger.csv");
  if (auto done = provider_->write_ledger(ledger); !done) return as_error(done);
  Tally tally(audience_);
  if (auto done = read_ledger(ledger, [&](const LedgerRow& row) { tally.add(row); }); !done)
    return as_error(done);
  if (in_.members > ledger_kept_up_to) std::filesystem::remove(ledger);
  tally.write(result_);
  if (only_memory()) result_.lost = 0;  // it was not given the time: nothing is judged
  events_.judge(false, result_);
  judge_tally(tally, keeps_states(), job_.gave_up(), result_);
  if (!only_memory()) say_who(tally, audience_, result_);
  if (keeps_states() && db_us_ >= 0) {
    result_.db_ns_per_member = db_us_ * 1000 / std::max<std::int64_t>(result_.members, 1);
    result_.db_source = "client wall time";
    if (proxy_) note("the database time includes the way through the proxy");
    if (std::ranges::find(result_.exit_codes, 137) != result_.exit_codes.end())
      note("the database time is that of the processes that finished; a killed one doesn't tell");
  } else if (const auto cost = database_->cost(); cost && !only_memory()) {
    result_.db_ns_per_member = cost->count() / std::max<std::int64_t>(result_.members, 1);
    result_.db_source = "pg_stat_statements";
  }
  if (job_.gave_up()) note("the Job used up its restarts");
  return {};
}

}  // namespace harness
