#include "core/testing/worker_driver.h"

#include <algorithm>
#include <stdexcept>

namespace core::testing {

SendAnswer status(int code) {
  return SendAnswer{Transport::answered, code, std::nullopt};
}
SendAnswer failed(Transport transport) {
  return SendAnswer{transport, 0, std::nullopt};
}

WorkerDriver::WorkerDriver(const Policy& policy, Store& store, std::uint64_t seed, int plan_version)
    : provider([](MemberId, const std::string&) { return status(200); }),
      worker_(policy, seed, plan_version),
      store_(store) {}

void WorkerDriver::tell(const Event& event) {
  worker_.on(now_, event);
  while (auto command = worker_.next()) {
    if (const auto* asked = std::get_if<StoreCommand>(&*command)) {
      asked_ = *asked;
      if (on_asked) on_asked(*asked_);
    } else if (const auto* send = std::get_if<Send>(&*command)) {
      sends_.push_back({send->lane, send->member, now_});
      flying_.push_back(sends_.back());
    } else if (const auto* wait = std::get_if<Wait>(&*command)) {
      waiting_ = *wait;
    } else {
      exit_ = std::get<Exit>(*command);
    }
  }
}

void WorkerDriver::pass(Duration duration) {
  if (on_passing) on_passing(duration);
  now_ += duration;
  tell(Tick{});
}

void WorkerDriver::answer_store() {
  if (before_store) before_store(asked_.value());
  StoreReply reply = store_.execute(asked_.value());
  if (const auto* claimed = std::get_if<Claimed>(&reply.answer.result)) {
    for (std::size_t i = 0; i < claimed->members.size(); ++i) {
      addresses_[claimed->members[i].id] = i < reply.addresses.size() ? reply.addresses[i] : "";
    }
  }
  if (after_store) after_store(asked_.value(), reply.answer);
  answer_store_with(std::move(reply.answer));
}

void WorkerDriver::answer_store_with(StoreAnswer answer) {
  asked_.reset();
  tell(answer);
}

void WorkerDriver::answer_send(MemberId member, const SendAnswer& answer) {
  const auto flight = std::find_if(flying_.begin(), flying_.end(),
                                   [&](const Flight& f) { return f.member == member; });
  if (flight == flying_.end()) throw std::logic_error("no request of this member is under way");
  const std::int64_t lane = flight->lane;
  flying_.erase(flight);
  tell(SendFinished{lane, answer});
}

bool WorkerDriver::step() {
  if (exit_) return false;
  if (asked_) {
    answer_store();
  } else if (!flying_.empty() &&
             (latency == Duration(0) || now_ >= flying_.front().started + latency)) {
    const MemberId member = flying_.front().member;
    answer_send(member, provider(member, addresses_[member]));
  } else {
    Instant until = waiting_.value().until;
    if (!flying_.empty()) until = std::min(until, flying_.front().started + latency);
    pass(std::max(until - now_, Duration(1)));
  }
  return !exit_;
}

void WorkerDriver::run_until(const std::function<bool()>& done) {
  for (int steps = 0; !exit_ && !done(); ++steps) {
    if (steps == steps_max) throw std::runtime_error("the worker does not come to an end");
    step();
  }
}

Exit WorkerDriver::run() {
  if (!asked_ && !waiting_) start();
  run_until([] { return false; });
  return exit_.value();
}

std::vector<MemberId> WorkerDriver::held() const {
  std::vector<MemberId> members;
  for (const Claim& claim : worker_.claims()) {
    for (const ClaimMember& member : claim.members()) {
      if (member.phase != MemberPhase::settled) members.push_back(member.member.id);
    }
  }
  return members;
}

void run_together(const std::vector<WorkerDriver*>& drivers,
                  const std::function<void(Duration)>& on_passing,
                  const std::function<void()>& after_each_step) {
  const auto left = [](const WorkerDriver* driver) { return driver->exit().has_value(); };
  for (WorkerDriver* driver : drivers) driver->start();
  for (int steps = 0; !std::all_of(drivers.begin(), drivers.end(), left); ++steps) {
    if (steps == WorkerDriver::steps_max)
      throw std::runtime_error("the workers do not come to an end");
    bool any_busy = false;
    std::optional<Duration> wait;
    for (WorkerDriver* driver : drivers) {
      if (left(driver)) continue;
      if (driver->is_busy()) {
        any_busy = true;
        driver->step();
        after_each_step();
      } else {
        const Duration until = driver->waiting().value().until - driver->now();
        wait = std::min(wait.value_or(until), until);
      }
    }
    if (any_busy || !wait) continue;
    const Duration passing = std::max(*wait, Duration(1));
    on_passing(passing);
    for (WorkerDriver* driver : drivers) {
      if (!left(driver)) driver->pass(passing);
    }
  }
}

}  // namespace core::testing
