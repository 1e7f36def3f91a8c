#include "harness/simulation/scripted_night.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/assert.h"
#include "core/os/windows.h"
#include "core/sender/settings.h"
#include "harness/counting/sender_environment.h"
#include "harness/simulation/explore.h"
#include "sim/night/naive_night.h"
#include "sim/night/reference_night.h"

namespace harness {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::int64_t steps_a_look = 20'000;  // some milliseconds

fake_mail::Behaviour with_latency(fake_mail::Behaviour behaviour) {
  if (behaviour.latency.empty()) behaviour.latency = {{1000, core::Duration(1ms)}};
  return behaviour;
}

sim::Command statement_of(const scenarios::Event& event) {
  const auto command = sim::command_named(event.statement);
  ASSERT(command && sim::is_statement(*command));
  return *command;
}

sim::Choice fate_of(const scenarios::Event& event) {
  if (event.does(scenarios::Deed::lose)) return sim::Choice::lost;
  if (event.does(scenarios::Deed::lose_answer)) return sim::Choice::lost_done;
  if (event.does(scenarios::Deed::ghost)) return sim::Choice::ghost;
  if (event.does(scenarios::Deed::refuse)) return sim::Choice::undone;
  return sim::Choice::done;
}

int actor_of(Job::Pod pod) {
  return pod - 1;
}
Job::Pod pod_of(int actor) {
  return actor + 1;
}

// As if all nights were as far apart as the first two.
void set_hours(sim::WorldSettings& settings, const scenarios::Campaign& campaign) {
  if (!campaign.starts) return;
  const core::DbTime begin = *campaign.starts;
  if (const auto window = core::os::parse_window(campaign.window)) {
    const core::os::OpenHours first = core::os::hours_at(*window, begin);
    settings.window_opens = first.opens - begin;
    settings.window_closes = first.closes - begin;
    settings.window_every = core::os::hours_at(*window, first.closes).closes - first.closes;
  }
  if (const auto moment = core::os::parse_moment(campaign.not_after))
    settings.not_after = std::max(*moment - begin, core::Duration(1));  // 0: none
}

// "p1" is 0. Returns: -1 for one that can't be.
int actor_named(std::string_view who) {
  Job::Pod pod = 0;
  const auto [end, error] = std::from_chars(who.data() + 1, who.data() + who.size(), pod);
  return error == std::errc{} ? actor_of(pod) : -1;
}

}  // namespace

std::expected<core::Policy, RunError> policy_of(const scenarios::Scenario& scenario) {
  auto environment = sender_environment(scenario.sender);
  for (const auto& [name, value] : {std::pair{"DB_DSN", "dbname=model"},
                                    {"CAMPAIGN_ID", "model"},
                                    {"MAIL_URL", "http://127.0.0.1/send"}})
    environment.emplace_back(name, value);
  std::vector<std::string> problems;
  const core::sender::Settings settings = core::sender::read_settings(
      [&](const std::string& name) -> std::optional<std::string> {
        const auto found = std::find_if(environment.rbegin(), environment.rend(),
                                        [&](const auto& one) { return one.first == name; });
        if (found == environment.rend()) return std::nullopt;
        return found->second;
      },
      problems);
  if (!problems.empty()) return std::unexpected(RunError{problems.front()});
  return settings.policy;
}

ScriptedNight::Step ScriptedNight::prepare() {
  const fake_mail::Behaviour provider = with_latency(in_.scenario.provider);
  const auto policy = policy_of(in_.scenario);
  if (!policy) return std::unexpected(policy.error());
  if (naive()) {
    night_ = std::make_unique<sim::NaiveNight>(provider, in_.members, policy->min_interval);
  } else {
    sim::WorldSettings settings;
    settings.members = in_.members;
    settings.policy = *policy;
    settings.provider = provider;
    settings.seed = in_.scenario.seed;
    set_hours(settings, in_.scenario.campaign);
    // Where the provider breaks its contract, duplicates are for the scenario to judge.
    if (provider.ignores_keys || provider.dedupe_window < settings.policy.dedupe_window)
      settings.ignored.set(static_cast<std::size_t>(sim::Oracle::S1));
    if (const std::string wrong = plant(settings, in_.bug); !wrong.empty())
      return std::unexpected(RunError{"--bug: " + wrong});
    auto night = std::make_unique<sim::ReferenceNight>(settings);
    if (in_.make_mirror) {
      mirror_ = in_.make_mirror(settings);
      night->log_calls(&calls_);
    }
    world_ = &night->world();
    night_ = std::move(night);
  }
  for (const scenarios::Event& event : in_.scenario.events) {
    if (event.freezes() && event.when == scenarios::Moment::accept) night_->freeze_at(event.accept);
    if (event.when == scenarios::Moment::statement)
      night_->strike_at(statement_of(event), event.nth, fate_of(event));
  }
  return {};
}

void ScriptedNight::start(Job::Pod pod) {
  const int actor = night_->start();
  ++started_;
  ASSERT(actor == actor_of(pod));  // both are numbered in the order of starting
}

void ScriptedNight::end(const sim::Ended& ended) {
  result_.exit_codes.push_back(ended.exit_code);
  const Job::Decision next = job_.ended(pod_of(ended.actor), only_memory() ? 0 : ended.exit_code);
  if (next.due == Job::Due::start) start(next.pod);
}

void ScriptedNight::signal(std::size_t number, scenarios::Deed deed, int actor) {
  const std::string who =
      actor < 0 ? in_.scenario.events[number].who : fmt::format("p{}", pod_of(actor));
  const Found found{.who = who,
                    .alive = actor >= 0 && actor < started_ && night_->alive(actor),
                    .stopped = stopped_.contains(actor)};
  if (!events_.does(number, deed, found)) return;
  if (deed == scenarios::Deed::kill) return night_->kill(actor);
  if (deed == scenarios::Deed::stop) {
    stopped_.insert(actor);
    return night_->suspend(actor);
  }
  stopped_.erase(actor);
  night_->resume(actor);
}

void ScriptedNight::do_deed(std::size_t number, scenarios::Deed deed, int actor) {
  const scenarios::Event& event = in_.scenario.events[number];
  switch (deed) {
    case scenarios::Deed::freeze:  // the provider did it itself; nothing moves during a deed
      events_.does(number, deed);
      return;
    case scenarios::Deed::kill:
    case scenarios::Deed::stop:
    case scenarios::Deed::proceed:
      return signal(number, deed, actor);
    case scenarios::Deed::start: {
      const Job::Decision decision = job_.fire(elapsed());
      if (events_.does(number, deed, {.dropped = decision.due == Job::Due::dropped}))
        start(decision.pod);
      return;
    }
    case scenarios::Deed::opt_out: {
      Found found;
      for (std::int64_t member = event.first;
           member < event.first + event.count && member <= in_.members; ++member) {
        if (!opt_outs_.emplace(member, core::Instant(elapsed())).second) continue;
        night_->opt_out(core::MemberId(member));
        ++found.opted_out;
      }
      events_.does(number, deed, found);
      return;
    }
    case scenarios::Deed::outage:
      events_.does(number, deed);
      return night_->begin_outage(event.lasts);
    case scenarios::Deed::advance:
      events_.does(number, deed);
      return night_->advance(event.lasts);
    case scenarios::Deed::lose:
    case scenarios::Deed::lose_answer:
    case scenarios::Deed::ghost:
    case scenarios::Deed::refuse:
      events_.does(number, deed);
      return;  // so it went already
    case scenarios::Deed::land:
      events_.does(number, deed);
      return night_->land();
  }
}

void ScriptedNight::fire(std::size_t number, int owner) {
  const scenarios::Event& event = in_.scenario.events[number];
  events_.fires(number);
  const int actor = event.who == "owner" ? owner : actor_named(event.who);
  for (const scenarios::Deed deed : event.deeds) do_deed(number, deed, actor);
  if (event.does(scenarios::Deed::ghost) && !in_.scenario.has_event_that(scenarios::Deed::land))
    night_->land();
  if (event.freezes()) night_->thaw();
}

// What the last step means for the Job and the scenario.
void ScriptedNight::look(std::optional<int> moved) {
  hangs_ = !moved && night_->ended().size() == ended_seen_;
  for (; readers_seen_ < night_->readers().size(); ++readers_seen_) {
    const int reader = night_->readers()[readers_seen_];
    if (only_memory()) {
      night_->kill(reader);
      note("ended right after it read its audience: only its memory is measured");
      continue;
    }
    for (std::size_t i = 0; i < in_.scenario.events.size(); ++i)
      if (!events_.has_fired(i) && in_.scenario.events[i].when == scenarios::Moment::read)
        fire(i, reader);
  }
  const std::int64_t deliveries = night_->provider().deliveries();
  for (std::size_t i = 0; i < in_.scenario.events.size(); ++i) {
    const scenarios::Event& event = in_.scenario.events[i];
    if (!events_.has_fired(i) && event.when == scenarios::Moment::accept &&
        event.accept <= deliveries)
      fire(i, moved.value_or(-1));
  }
  for (std::size_t i = 0; i < in_.scenario.events.size(); ++i) {
    const scenarios::Event& event = in_.scenario.events[i];
    if (!events_.has_fired(i) && event.when == scenarios::Moment::statement &&
        night_->reached(statement_of(event)) >= event.nth)
      fire(i, moved.value_or(-1));
  }
  for (; ended_seen_ < night_->ended().size(); ++ended_seen_) {
    const sim::Ended ended = night_->ended()[ended_seen_];
    end(ended);
  }
}

void ScriptedNight::follow() {
  if (mirror_ == nullptr) return;
  difference_ = mirror_->follow(calls_);
  calls_.clear();
}

void ScriptedNight::say_progress() {
  const auto now = Clock::now();
  if (now - said_at_ < 100ms) return;
  const std::int64_t accepted = night_->provider().accepted();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now - said_at_).count();
  in_.progress.count(in_.sender, accepted, in_.members, (accepted - said_accepted_) * 1000 / ms);
  said_at_ = now;
  said_accepted_ = accepted;
}

// The CronJob's next start, if there is one: at once if its time has come while the Job before ran.
bool ScriptedNight::next_night() {
  const scenarios::CronJob& cronjob = in_.scenario.cronjob;
  if (starts_ == cronjob.starts) return false;
  const core::Duration due = cronjob.every * starts_++;
  if (const core::Duration wait = due - elapsed(); wait > core::Duration(0)) {
    night_->advance(wait);
    between_nights_ += wait;
    jumps_.push_back({night_->arrivals().size(), between_nights_});
  }
  for (const Job::Pod pod : job_.schedule(in_.scenario.sender.processes, elapsed())) start(pod);
  return true;
}

void ScriptedNight::meet_deadlines() {
  for (const Job::Pod pod : job_.expire(elapsed()))
    if (night_->alive(actor_of(pod))) night_->terminate(actor_of(pod));
}

ScriptedNight::Step ScriptedNight::loop() {
  for (const Job::Pod pod : job_.begin(in_.scenario.sender.processes)) start(pod);
  while (!night_->verdict() && !difference_ && !hangs_) {
    if (job_.over() && !next_night()) break;
    if (++steps_ % steps_a_look == 0) {
      if (in_.stop()) return std::unexpected(RunError{"stopped"});
      say_progress();
    }
    look(night_->step());
    meet_deadlines();
    follow();
  }
  if (const auto& verdict = night_->verdict())
    result_.ended_early =
        fmt::format("at step {}, where {} broke", steps_, sim::text_of(verdict->oracle).name);
  else if (difference_)
    result_.ended_early = fmt::format("at step {}, where PostgreSQL answered otherwise", steps_);
  if (!result_.ended_early.empty() || hangs_) return {};
  if (!job_.gave_up()) night_->settle();
  return {};
}

std::expected<reports::SenderResult, RunError> ScriptedNight::run() {
  result_.sender = in_.sender;
  const auto begin = Clock::now();
  if (auto done = prepare(); !done) return std::unexpected(done.error());
  in_.progress.stage(fmt::format("{}: sending to {} members", in_.sender, in_.members));
  if (auto done = loop(); !done) return std::unexpected(done.error());
  count();
  result_.wall = std::chrono::duration_cast<core::Duration>(Clock::now() - begin);
  return result_;
}

}  // namespace harness
