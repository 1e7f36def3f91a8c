#include "fake_mail/service.h"

namespace fake_mail {

Arrival wall_now() {
  return Arrival(std::chrono::duration_cast<core::Duration>(
      std::chrono::system_clock::now().time_since_epoch()));
}

template <typename Decide>
std::optional<Answer> Service::decide(std::string_view owner, bool new_connection, Decide decide) {
  std::unique_lock lock(mutex_);
  thawed_.wait(lock, [&] { return stopping_ || !provider_.frozen() || provider_.dropped(owner); });
  if (stopping_ || provider_.dropped(owner)) return std::nullopt;
  if (new_connection) provider_.log_connection(owner);
  const Answer answer = decide();
  const std::int64_t accepted = provider_.ledger().accepted();
  if (!waited_for_.empty() && *waited_for_.begin() <= accepted) accepted_.notify_all();
  if (!answer.withheld) return answer;
  const std::int64_t thaws_before = thaws_;
  thawed_.wait(lock, [&] { return stopping_ || thaws_ != thaws_before; });
  if (stopping_ || provider_.dropped(owner)) return std::nullopt;
  return answer;
}

std::optional<Answer> Service::serve(const Request& request, bool new_connection) {
  return decide(request.owner, new_connection, [&] { return provider_.answer(request); });
}

std::optional<Answer> Service::refuse_malformed(std::string_view owner, Arrival arrival,
                                                bool new_connection) {
  return decide(owner, new_connection, [&] { return provider_.refuse_malformed(owner, arrival); });
}

void Service::set_behaviour(Behaviour behaviour) {
  const std::lock_guard lock(mutex_);
  provider_.set_behaviour(std::move(behaviour));
}

void Service::set_trigger(std::int64_t accept, bool freeze) {
  const std::lock_guard lock(mutex_);
  provider_.set_trigger(accept, freeze);
}

void Service::freeze() {
  const std::lock_guard lock(mutex_);
  provider_.freeze();
}

void Service::thaw(const std::vector<std::string>& dropped_owners) {
  const std::lock_guard lock(mutex_);
  provider_.thaw(dropped_owners);
  ++thaws_;
  thawed_.notify_all();
}

void Service::begin_outage(core::Duration lasts) {
  const std::lock_guard lock(mutex_);
  provider_.begin_outage(wall_now(), lasts);
}

void Service::advance_clock(core::Duration by) {
  const std::lock_guard lock(mutex_);
  provider_.advance_clock(wall_now(), by);
}

AcceptsWaited Service::wait_for_accepts(std::int64_t accept, core::Duration timeout) {
  std::unique_lock lock(mutex_);
  const auto entry = waited_for_.insert(accept);
  const auto reached = [&] { return provider_.ledger().accepted() >= accept; };
  accepted_.wait_until(lock, std::chrono::steady_clock::now() + timeout,
                       [&] { return stopping_ || reached(); });
  waited_for_.erase(entry);
  AcceptsWaited waited{
      .reached = reached(), .accepted = provider_.ledger().accepted(), .owner = {}};
  if (waited.reached && accept >= 1) waited.owner = provider_.ledger().owner_of_accept(accept);
  return waited;
}

Counters Service::counters() {
  const std::lock_guard lock(mutex_);
  Counters counters = provider_.counters();
  counters.open_requests = open_requests_;
  return counters;
}

void Service::write_ledger(std::ostream& out) {
  const std::lock_guard lock(mutex_);
  provider_.ledger().write_csv(out);
}

void Service::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  stopped_.raise();
  thawed_.notify_all();
  accepted_.notify_all();
}

}  // namespace fake_mail
