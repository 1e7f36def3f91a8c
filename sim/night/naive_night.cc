#include "sim/night/naive_night.h"

#include <algorithm>

namespace sim {
namespace {

std::vector<NaiveMember> audience(std::int64_t members) {
  std::vector<NaiveMember> list;
  list.reserve(static_cast<std::size_t>(members));
  for (std::int64_t id = 1; id <= members; ++id)
    list.push_back({id, "member" + std::to_string(id) + "@example.com"});
  return list;
}

}  // namespace

NaiveNight::NaiveNight(const fake_mail::Behaviour& provider, std::int64_t members,
                       core::Duration interval)
    : members_(members), interval_(interval), provider_(provider, members) {}

int NaiveNight::start() {
  pods_.emplace_back();
  return static_cast<int>(pods_.size()) - 1;
}

void NaiveNight::kill(int actor) {
  leave(actor, killed_exit_code);
}

void NaiveNight::leave(int actor, int exit_code) {
  pod(actor).left = true;
  ended_.push_back({actor, exit_code});
}

bool NaiveNight::ready(const Pod& pod) const {
  if (pod.left || pod.suspended) return false;
  if (!pod.posting) return now_ >= pod.sleeps_until;
  return pod.answer && now_ >= pod.hears;
}

// In turn, as processes run beside each other; the clock moves when all wait for answers.
std::optional<int> NaiveNight::step() {
  const int pods = static_cast<int>(pods_.size());
  for (int i = 1; i <= pods; ++i) {
    const int actor = (moved_ + i) % pods;
    if (!ready(pod(actor))) continue;
    move(actor);
    moved_ = actor;
    return actor;
  }
  core::Instant next = core::Instant::max();
  for (const Pod& pod : pods_) {
    if (pod.left || pod.suspended || (pod.posting && !pod.answer)) continue;
    next = std::min(next, pod.posting ? pod.hears : pod.sleeps_until);
  }
  if (next == core::Instant::max()) return std::nullopt;
  now_ = next;
  return environment;
}

void NaiveNight::move(int actor) {
  NaiveMachine& machine = pod(actor).machine;
  if (pod(actor).posting) {
    const int status = *pod(actor).answer;
    pod(actor).posting = false;
    pod(actor).answer.reset();
    machine.on_status(status);
    return;
  }
  const NaiveCommand command = machine.next();
  if (std::holds_alternative<NaiveRead>(command)) {
    machine.on_audience(audience(members_));
    peak_held_bytes_ = std::max(peak_held_bytes_, machine.held_bytes());
    readers_.push_back(actor);
    pod(actor).sleeps_until = now_ + interval_;
  } else if (const auto* request = std::get_if<NaivePost>(&command)) {
    post(actor, core::MemberId(request->member));
  } else if (const auto* exit = std::get_if<NaiveExit>(&command)) {
    leave(actor, exit->code);
  } else {
    machine.on_done();
    pod(actor).sleeps_until = now_ + interval_;
  }
}

void NaiveNight::post(int actor, core::MemberId member) {
  const fake_mail::Answer answer = provider_.answer(
      {member, no_key, 0, now_ + provider_ahead_, static_cast<std::uint32_t>(actor)});
  const int status = answer.withheld ? fake_mail::status::none : answer.status;
  arrivals_.push_back({now_, member, status, answer.outcome});
  Pod& sender = pod(actor);
  sender.posting = true;
  sender.withheld = answer.withheld;
  sender.hears = now_ + answer.latency;
  if (status != fake_mail::status::none) sender.answer = status;
}

void NaiveNight::thaw() {
  std::vector<std::uint32_t> gone;
  for (std::size_t actor = 0; actor < pods_.size(); ++actor) {
    Pod& pod = pods_[actor];
    if (pod.left) gone.push_back(static_cast<std::uint32_t>(actor));
    if (!pod.withheld) continue;
    pod.withheld = false;
    pod.hears = now_;
    pod.answer = fake_mail::status::ok;
  }
  provider_.thaw(gone);
}

}  // namespace sim
