#include "harness/running_sender.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "harness/statement_strikes.h"
#include "harness/triggers.h"

namespace harness {
namespace {

constexpr std::chrono::milliseconds tick{20};

}  // namespace

RunningSender::Step RunningSender::prepare() {
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
  auto audience = database_->audience();
  if (!audience) return as_error(audience);
  if (audience->members().empty())
    return std::unexpected(RunError{"--setup left nobody of the campaign in campaign_targets"});
  audience_ = std::move(*audience);
  if (in_.subject.kind != Subject::Kind::reference) database_->start_cost();

  const std::int64_t threads = scenarios::connections_at_most(in_.scenario.sender);
  auto provider = Provider::start(in_.scenario.provider, threads, file("provider.log"));
  if (!provider) return as_error(provider);
  provider_ = std::move(*provider);
  if (in_.scenario.has_event_at(scenarios::Moment::statement)) {
    auto proxy = strike_statements(database_->dsn(), in_.scenario.events, reports_);
    if (!proxy) return as_error(proxy);
    proxy_ = std::move(*proxy);
  }
  if (only_memory())  // it is ended right after its read and must mail nobody
    if (auto done = provider_->freeze(); !done) return as_error(done);
  return as_error(set_triggers(*provider_, in_.scenario.events));
}

RunningSender::Step RunningSender::set_clock() {
  const auto& starts = in_.scenario.campaign.starts;
  if (!starts) return {};
  if (!reads_our_clock()) {
    note("the campaign's clock was not set: the sender reads now(), see --shift-now");
    return {};
  }
  const auto clock_us = database_->clock_us();
  if (!clock_us) return as_error(clock_us);
  return as_error(database_->skip(starts->time_since_epoch() - core::Duration(*clock_us)));
}

RunningSender::Step RunningSender::start(Job::Pod pod) {
  std::expected<std::string, std::string> dsn = database_->dsn();
  if (proxy_) dsn = proxy_->open(pod);
  if (!dsn) return as_error(dsn);
  const auto begun = pods_.start(pod,
                                 {.subject = in_.subject,
                                  .settings = in_.scenario.sender,
                                  .dsn = *dsn,
                                  .skips_waiting = skips(),
                                  .mail_url = provider_->mail_url(fmt::format("p{}", pod)),
                                  .run_lock = in_.run_lock,
                                  .stderr_file = file(fmt::format("p{}.log", pod))},
                                 reports_);
  last_sign_of_life_ = Clock::now();
  return as_error(begun);
}

RunningSender::Step RunningSender::on_line(const LineReport& report) {
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
  for (std::size_t i = 0; i < in_.scenario.events.size(); ++i)
    if (!events_.has_fired(i) && in_.scenario.events[i].when == scenarios::Moment::read)
      if (auto done = fire(i, process.owner); !done) return done;
  return {};
}

RunningSender::Step RunningSender::on_end(const EndReport& report) {
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

RunningSender::Step RunningSender::take(const Report& report) {
  last_sign_of_life_ = Clock::now();
  if (const auto* line = std::get_if<LineReport>(&report)) return on_line(*line);
  if (const auto* end = std::get_if<EndReport>(&report)) return on_end(*end);
  if (const auto* trigger = std::get_if<TriggerReport>(&report))
    return fire(trigger->event, trigger->owner);
  return std::unexpected(RunError{std::get<BrokenReport>(report).message});
}

RunningSender::Step RunningSender::loop() {
  const TriggerWatch watch(*provider_, in_.scenario.events, reports_);
  Clock::time_point next_look = Clock::now() + tick;
  while (!job_.over()) {
    if (stop_asked()) return std::unexpected(RunError{"stopped"});
    if (const auto report = reports_.next(tick))
      if (auto done = take(*report); !done) return done;
    if (Clock::now() < next_look) continue;
    if (auto done = look(); !done) return done;
    next_look = Clock::now() + tick;
  }
  return {};
}

std::expected<reports::SenderResult, RunError> RunningSender::run() {
  result_.sender = in_.subject.name;
  if (auto done = prepare(); !done) return std::unexpected(done.error());
  in_.progress.stage(fmt::format("{}: sending to {} members", in_.subject.name, in_.members));
  if (auto done = set_clock(); !done) return std::unexpected(done.error());
  const auto begin = Clock::now();
  for (const Job::Pod pod : job_.begin(in_.scenario.sender.processes))
    if (auto done = start(pod); !done) return std::unexpected(done.error());
  if (auto done = loop(); !done) return std::unexpected(done.error());
  result_.wall = std::chrono::duration_cast<core::Duration>(Clock::now() - begin);
  if (auto done = count(); !done) return std::unexpected(done.error());
  if (in_.subject.kind != Subject::Kind::reference && !in_.options.shift_now)
    note("runs in real time: only the reference sender's waiting can be skipped");
  return result_;
}

std::filesystem::path RunningSender::file(const std::string& what) const {
  return in_.folder / fmt::format("{}-{}.{}", in_.subject.file_name(), in_.members, what);
}

std::expected<reports::SenderResult, RunError> run_sender(const SenderRunInput& input) {
  return RunningSender(input).run();
}

}  // namespace harness
