#include "harness/sender_run.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <utility>

#include "harness/campaign_database.h"
#include "harness/clock_skip.h"
#include "harness/count.h"
#include "harness/pods.h"
#include "harness/provider.h"
#include "harness/triggers.h"
#include "harness/verdict.h"

namespace harness {
namespace {

using std::chrono::steady_clock;
using Clock = steady_clock::time_point;

constexpr std::chrono::milliseconds tick{20};
constexpr std::chrono::milliseconds count_every{200};
// Longer than any time-out, back-off step or budget of a sender that is alive.
constexpr std::chrono::seconds nothing_happens_at_most{300};
constexpr std::chrono::seconds dies_within{10};
// A ledger of 1.2 M members has 60 MB: too much to leave behind after each run.
constexpr std::int64_t ledger_kept_up_to = 100'000;

template <typename T>
std::expected<void, RunError> as_error(const std::expected<T, std::string>& done) {
  if (!done) return std::unexpected(RunError{done.error()});
  return {};
}

class SenderRun {
 public:
  explicit SenderRun(const SenderRunInput& input) : in_(input), job_(input.scenario.job) {}
  std::expected<reports::SenderResult, RunError> run();

 private:
  using Step = std::expected<void, RunError>;

  Step prepare();
  Step start(Job::Pod pod);
  Step loop();
  Step take(const Report& report);
  Step on_line(const LineReport& report);
  Step on_end(const EndReport& report);
  Step fire(std::size_t event, const std::string& owner);
  Step do_deed(const scenarios::Event& event, scenarios::Deed deed, const std::string& who,
               std::vector<std::string>& killed);
  Step look();
  Step skip_waiting();
  Step give_up_on_a_hang(const fake_mail::Counters& counters);
  void enforce_memory_limit();
  Step count();

  bool only_memory() const {
    return in_.scenario.measure_memory && in_.subject.kind == Subject::Kind::naive;
  }
  bool skips() const {
    const bool can = in_.subject.kind == Subject::Kind::reference || in_.options.shift_now;
    return can && !in_.options.real_time;
  }
  void note(std::string line) { result_.notes.push_back(std::move(line)); }
  std::filesystem::path file(const std::string& what) const {
    return in_.folder / fmt::format("{}-{}.{}", in_.subject.file_name(), in_.members, what);
  }

  const SenderRunInput& in_;
  reports::SenderResult result_;
  std::optional<CampaignDatabase> database_;
  std::unique_ptr<Provider> provider_;
  Reports reports_;
  Pods pods_;
  Job job_;
  std::vector<bool> fired_;
  std::vector<std::pair<std::int64_t, std::int64_t>>
      opt_outs_;  // member, commit in system clock us
  std::int64_t db_us_ = -1;
  std::int64_t last_requests_ = 0;
  std::int64_t last_accepted_ = 0;
  Clock last_sign_of_life_ = steady_clock::now();
  Clock last_count_ = steady_clock::now();
};

SenderRun::Step SenderRun::prepare() {
  in_.progress.stage(fmt::format("{}: loading {} members", in_.subject.name, in_.members));
  auto database = CampaignDatabase::create(in_.server_dsn, campaign_id);
  if (!database) return as_error(database);
  database_.emplace(std::move(*database));
  if (auto done = database_->make_table(); !done) return as_error(done);
  if (in_.subject.kind == Subject::Kind::reference) {
    if (auto done = database_->migrate(); !done) return as_error(done);
    if (auto done = database_->replace_clock(); !done) return as_error(done);
  }
  if (auto done = database_->load(in_.members); !done) return as_error(done);
  if (!in_.options.setup_file.empty())
    if (auto done = database_->run_file(in_.options.setup_file); !done) return as_error(done);
  if (in_.subject.kind != Subject::Kind::reference && in_.options.shift_now) {
    if (auto done = database_->shift_now(); !done) return as_error(done);
  }
  if (in_.subject.kind != Subject::Kind::reference) database_->start_cost();

  const scenarios::SenderSettings& sender = in_.scenario.sender;
  // Every process may keep a connection a lane, and so may its replacement before the provider sees
  // the first go.
  const std::int64_t threads = 2 * sender.lanes * std::max<std::int64_t>(sender.processes, 2) + 16;
  auto provider = Provider::start(in_.scenario.provider, threads, file("provider.log"));
  if (!provider) return as_error(provider);
  provider_ = std::move(*provider);
  fired_.assign(in_.scenario.events.size(), false);
  if (only_memory())  // it is ended right after its read and must mail nobody
    if (auto done = provider_->freeze(); !done) return as_error(done);
  return as_error(set_triggers(*provider_, in_.scenario.events));
}

SenderRun::Step SenderRun::start(Job::Pod pod) {
  const auto begun = pods_.start(pod,
                                 {.subject = in_.subject,
                                  .settings = in_.scenario.sender,
                                  .dsn = database_->dsn(),
                                  .skips_waiting = skips(),
                                  .mail_url = provider_->mail_url(fmt::format("p{}", pod)),
                                  .run_lock = in_.run_lock,
                                  .stderr_file = file(fmt::format("p{}.log", pod))},
                                 reports_);
  last_sign_of_life_ = steady_clock::now();
  return as_error(begun);
}

SenderRun::Step SenderRun::on_line(const LineReport& report) {
  LiveProcess& process = pods_[report.pod];
  if (in_.options.verbose) in_.progress.note(fmt::format("{}: {}", process.owner, report.text));
  if (!report.line) return {};
  process.last = *report.line;
  if (report.line->kind == SenderLine::Kind::finished) {
    result_.stale_writes += report.line->stale_writes;
    if (report.line->db_us >= 0) db_us_ = std::max<std::int64_t>(db_us_, 0) + report.line->db_us;
  }
  if (report.line->kind != SenderLine::Kind::read) return {};
  if (only_memory()) {
    process.peak_rss_bytes = process.process->peak_rss_so_far();
    process.process->signal(SIGKILL);
    note("ended right after it read its audience: only its memory is measured");
    return {};
  }
  for (std::size_t i = 0; i < fired_.size(); ++i)
    if (!fired_[i] && in_.scenario.events[i].when == scenarios::Moment::read)
      if (auto done = fire(i, process.owner); !done) return done;
  return {};
}

SenderRun::Step SenderRun::on_end(const EndReport& report) {
  LiveProcess& process = pods_[report.pod];
  process.ended = true;
  // The kill that follows a memory measurement comes late: what was read then is the measurement.
  if (!only_memory()) process.peak_rss_bytes = report.ended.peak_rss_bytes;
  result_.exit_codes.push_back(report.ended.exit_code);
  result_.peak_rss_bytes = std::max(result_.peak_rss_bytes, process.peak_rss_bytes);
  if (report.ended.exit_code != 0 && report.ended.exit_code != 137)
    if (const std::string words = process.process->last_words(); !words.empty())
      note(fmt::format("{} exit {}: {}", process.owner, report.ended.exit_code, words));
  const Job::Decision next = job_.ended(report.pod, only_memory() ? 0 : report.ended.exit_code);
  if (next.due == Job::Due::start) return start(next.pod);
  return {};
}

SenderRun::Step SenderRun::do_deed(const scenarios::Event& event, scenarios::Deed deed,
                                   const std::string& who, std::vector<std::string>& killed) {
  LiveProcess* const process = pods_.alive(who);
  const auto signal = [&](int number) {
    if (process != nullptr) return process->process->signal(number);
    note(fmt::format("at mail {}: no process {} to signal", event.accept, who));
    return false;
  };
  switch (deed) {
    case scenarios::Deed::freeze:
      if (event.when == scenarios::Moment::accept) return {};  // the provider did it itself
      return as_error(provider_->freeze());
    case scenarios::Deed::kill:
      if (signal(SIGKILL)) {
        killed.push_back(who);
        if (!process->process->wait(dies_within))
          return std::unexpected(RunError{who + " was killed and does not end"});
      }
      return {};
    case scenarios::Deed::stop:
      if (signal(SIGSTOP)) process->frozen = true;
      return {};
    case scenarios::Deed::proceed:
      if (signal(SIGCONT)) process->frozen = false;
      return {};
    case scenarios::Deed::start: {
      const Job::Decision decision = job_.fire();
      if (decision.due == Job::Due::start) return start(decision.pod);
      note("a start was dropped: the Job runs and its policy is forbid");
      return {};
    }
    case scenarios::Deed::opt_out:
      for (std::int64_t member = event.first; member < event.first + event.count; ++member) {
        const auto commit_us = database_->opt_out(member);
        if (!commit_us) return as_error(commit_us);
        opt_outs_.emplace_back(member, *commit_us);
      }
      return {};
    case scenarios::Deed::outage:
      return as_error(provider_->outage(event.lasts));
    case scenarios::Deed::advance:
      if (auto done = database_->skip(event.lasts); !done) return as_error(done);
      return as_error(provider_->advance(event.lasts));
  }
  return {};
}

SenderRun::Step SenderRun::fire(std::size_t number, const std::string& owner) {
  const scenarios::Event& event = in_.scenario.events[number];
  fired_[number] = true;
  const std::string who = event.who == "owner" ? owner : event.who;
  std::vector<std::string> killed;
  bool froze = false;
  for (const scenarios::Deed deed : event.deeds) {
    froze = froze || deed == scenarios::Deed::freeze;
    if (auto done = do_deed(event, deed, who, killed); !done) return done;
  }
  // Requests of the killed that wait in the frozen provider were never answered and are never
  // accepted.
  if (froze) return as_error(provider_->thaw(killed));
  return {};
}

SenderRun::Step SenderRun::take(const Report& report) {
  last_sign_of_life_ = steady_clock::now();
  if (const auto* line = std::get_if<LineReport>(&report)) return on_line(*line);
  if (const auto* end = std::get_if<EndReport>(&report)) return on_end(*end);
  if (const auto* trigger = std::get_if<TriggerReport>(&report))
    return fire(trigger->event, trigger->owner);
  return std::unexpected(RunError{std::get<BrokenReport>(report).message});
}

void SenderRun::enforce_memory_limit() {
  const std::int64_t limit = in_.scenario.job.memory_limit_bytes;
  if (limit == 0) return;
  for (LiveProcess* process : pods_.all_alive()) {
    if (process->process->peak_rss_so_far() <= limit) continue;
    if (process->process->signal(SIGKILL))
      note(fmt::format("{} was killed: above its memory limit of {} MiB", process->owner,
                       limit / (1024 * 1024)));
  }
}

SenderRun::Step SenderRun::skip_waiting() {
  Idleness seen;
  for (const LiveProcess* process : pods_.all_alive())
    seen.workers.push_back(
        {.waiting = process->last.kind == SenderLine::Kind::waiting && !process->frozen,
         .until_us = process->last.until_us,
         .holding = process->last.holding});
  // The dear questions only when the cheap ones leave a chance.
  if (!std::ranges::all_of(seen.workers, &Idleness::Worker::waiting)) return {};
  const auto counters = provider_->counters();
  if (!counters) return as_error(counters);
  seen.open_requests = counters->open_requests;
  const auto busy = database_->busy_sessions();
  if (!busy) return as_error(busy);
  seen.busy_sessions = *busy;
  const auto clock_us = database_->clock_us();
  if (!clock_us) return as_error(clock_us);
  seen.clock_us = *clock_us;
  const auto skip = skip_of(seen);
  if (!skip) return {};
  if (auto done = provider_->advance(*skip); !done) return as_error(done);
  if (auto done = database_->skip(*skip); !done) return as_error(done);
  result_.skipped += *skip;
  return {};
}

SenderRun::Step SenderRun::give_up_on_a_hang(const fake_mail::Counters& counters) {
  if (counters.requests != last_requests_ || counters.accepted != last_accepted_)
    last_sign_of_life_ = steady_clock::now();
  if (steady_clock::now() - last_sign_of_life_ < nothing_happens_at_most) return {};
  std::string who;
  for (const LiveProcess* process : pods_.all_alive()) {
    if (process->last.kind == SenderLine::Kind::waiting && !process->frozen) {
      const auto clock_us = database_->clock_us();
      if (clock_us && process->last.until_us > *clock_us)
        return {};  // it said how long it will wait
    }
    who += fmt::format("{}{} (pid {}{}) {}", who.empty() ? "" : ", ", process->owner,
                       process->process->pid(), process->frozen ? ", stopped by the scenario" : "",
                       process->process->last_words());
  }
  return std::unexpected(
      RunError{fmt::format("{} hangs: no mail and no line for {} s: {}", in_.subject.name,
                           nothing_happens_at_most.count(), who)});
}

SenderRun::Step SenderRun::look() {
  enforce_memory_limit();
  if (skips())
    if (auto done = skip_waiting(); !done) return done;
  const auto now = steady_clock::now();
  if (now - last_count_ < count_every) return {};
  const auto counters = provider_->counters();
  if (!counters) return as_error(counters);
  if (auto done = give_up_on_a_hang(*counters); !done) return done;
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(now - last_count_);
  in_.progress.count(in_.subject.name, counters->accepted, in_.members,
                     (counters->accepted - last_accepted_) * 1000 / elapsed.count());
  last_accepted_ = counters->accepted;
  last_requests_ = counters->requests;
  last_count_ = now;
  return {};
}

SenderRun::Step SenderRun::loop() {
  const TriggerWatch watch(*provider_, in_.scenario.events, reports_);
  Clock next_look = steady_clock::now() + tick;
  while (!job_.over()) {
    if (stop_asked()) return std::unexpected(RunError{"stopped"});
    if (const auto report = reports_.next(tick))
      if (auto done = take(*report); !done) return done;
    if (steady_clock::now() < next_look) continue;
    if (auto done = look(); !done) return done;
    next_look = steady_clock::now() + tick;
  }
  return {};
}

SenderRun::Step SenderRun::count() {
  in_.progress.stage(fmt::format("{}: counting", in_.subject.name));
  auto audience = database_->audience();
  if (!audience) return as_error(audience);
  for (const auto& [member, commit_us] : opt_outs_) audience->opted_out(member, commit_us);
  const std::filesystem::path ledger = file("ledger.csv");
  if (auto done = provider_->write_ledger(ledger); !done) return as_error(done);
  Tally tally(*audience);
  if (auto done = read_ledger(ledger, [&](const LedgerRow& row) { tally.add(row); }); !done)
    return as_error(done);
  if (in_.members > ledger_kept_up_to) std::filesystem::remove(ledger);
  tally.write(result_);
  if (only_memory()) result_.lost = 0;  // it was not given the time: nothing is judged
  const bool keeps_states = in_.subject.kind == Subject::Kind::reference;
  judge_events(in_.scenario, fired_, result_);
  judge_tally(tally, keeps_states, job_.gave_up(), result_);
  if (keeps_states && db_us_ >= 0) {
    result_.db_ns_per_member = db_us_ * 1000 / std::max<std::int64_t>(result_.members, 1);
    result_.db_source = "client wall time";
    if (std::ranges::find(result_.exit_codes, 137) != result_.exit_codes.end())
      note("the database time is that of the processes that finished; a killed one doesn't tell");
  } else if (const auto cost = database_->cost(); cost && !only_memory()) {
    result_.db_ns_per_member = cost->count() / std::max<std::int64_t>(result_.members, 1);
    result_.db_source = "pg_stat_statements";
  }
  if (job_.gave_up()) note("the Job used up its restarts");
  return {};
}

std::expected<reports::SenderResult, RunError> SenderRun::run() {
  result_.sender = in_.subject.name;
  if (auto done = prepare(); !done) return std::unexpected(done.error());
  in_.progress.stage(fmt::format("{}: sending to {} members", in_.subject.name, in_.members));
  const auto begin = steady_clock::now();
  for (const Job::Pod pod : job_.begin(in_.scenario.sender.processes))
    if (auto done = start(pod); !done) return std::unexpected(done.error());
  if (auto done = loop(); !done) return std::unexpected(done.error());
  result_.wall = std::chrono::duration_cast<core::Duration>(steady_clock::now() - begin);
  if (auto done = count(); !done) return std::unexpected(done.error());
  if (in_.subject.kind != Subject::Kind::reference && !in_.options.shift_now)
    note("runs in real time: only the reference sender's waiting can be skipped");
  return result_;
}

}  // namespace

std::expected<reports::SenderResult, RunError> run_sender(const SenderRunInput& input) {
  return SenderRun(input).run();
}

}  // namespace harness
