#include "fake_mail/provider.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "fake_mail/draw.h"

namespace fake_mail {
namespace {

using core::operator""s;

constexpr int ok = 200, malformed = 400, conflict = 409, refused = 422, throttled = 429,
              unavailable = 503;
// Sent with a 429 that names no time of its own.
constexpr core::Duration retry_after_min = 1s;

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// What chance makes of a try that no rule decided. The shares lie one after the other in 0..999.
enum class Fault { none, answer_503, answer_422, answer_429, accept_then_503, accept_then_silence };

Fault fault_for(const Behaviour& behaviour, int drawn) {
  const std::pair<int, Fault> shares[] = {
      {behaviour.permille_503, Fault::answer_503},
      {behaviour.permille_422, Fault::answer_422},
      {behaviour.permille_429, Fault::answer_429},
      {behaviour.permille_accept_then_503, Fault::accept_then_503},
      {behaviour.permille_accept_then_silence, Fault::accept_then_silence},
  };
  for (const auto& [permille, fault] : shares) {
    if (drawn < permille) return fault;
    drawn -= permille;
  }
  return Fault::none;
}

Answer simply(int status, Outcome outcome) {
  return {.status = status, .outcome = outcome};
}

}  // namespace

void Provider::thaw(const std::vector<std::string>& dropped_owners) {
  dropped_.insert(dropped_owners.begin(), dropped_owners.end());
  for (const auto& [parties, arrival] : withheld_) {
    if (parties.key != 0) ledger_.finish(parties.key);
    if (!dropped(ledger_.owner_name(parties.owner))) ledger_.answer_late(parties, arrival, ok);
  }
  withheld_.clear();
  frozen_ = false;
}

Answer Provider::answer(const Request& request) {
  const Parties parties = ledger_.know(request.owner, request.recipient, request.key);
  const Answer answer = decide(request, parties, clock_.at(request.arrival));
  ledger_.log(parties, request.arrival, answer.withheld ? 0 : answer.status, answer.outcome);
  return answer;
}

Answer Provider::refuse_malformed(std::string_view owner, Arrival arrival) {
  const Answer answer = simply(malformed, Outcome::refused);
  ledger_.log(ledger_.know(owner, "", ""), arrival, answer.status, answer.outcome);
  return answer;
}

Answer Provider::decide(const Request& request, const Parties& parties, ProviderTime now) {
  if (now < outage_until_) return simply(unavailable, Outcome::unavailable);
  if (now < blocked_until_) return throttle(now);
  if (behaviour_.limit_per_s > 0 && !rate_limit_.admit(behaviour_.limit_per_s, now)) {
    blocked_until_ = now + behaviour_.block;
    return throttle(now);
  }
  return decide_try(request, parties, now);
}

Answer Provider::throttle(ProviderTime now) {
  Answer answer = simply(throttled, Outcome::throttled);
  answer.retry_after = std::max(retry_after_min, now < blocked_until_ ? blocked_until_ - now : 0s);
  return answer;
}

Answer Provider::decide_try(const Request& request, const Parties& parties, ProviderTime now) {
  const std::int64_t try_number = ledger_.begin_try(parties.recipient);
  Answer answer;
  answer.latency = latency_of(request.recipient, try_number);
  const auto with = [&](int status, Outcome outcome) {
    answer.status = status;
    answer.outcome = outcome;
    return answer;
  };
  if (const Rule* rule = rule_for(request.recipient, try_number)) {
    if (rule->status == throttled) answer.retry_after = retry_after_min;
    return with(rule->status, Outcome::refused);
  }
  if (parties.key != 0 && !behaviour_.ignores_keys) {
    switch (ledger_.key_state(parties.key, request.payload, now, behaviour_.dedupe_window)) {
      case KeyState::unseen:
        break;
      case KeyState::delivered:
        return with(ok, Outcome::repeat);
      case KeyState::other_payload:
        return with(refused, Outcome::refused);
      case KeyState::in_progress:
        return with(conflict, Outcome::refused);
    }
  }
  const int drawn = draw_permille(behaviour_.seed, DrawFor::fault, request.recipient, try_number);
  switch (fault_for(behaviour_, drawn)) {
    case Fault::answer_503:
      return with(unavailable, Outcome::unavailable);
    case Fault::answer_422:
      return with(refused, Outcome::refused);
    case Fault::answer_429:
      answer.retry_after = retry_after_min;
      return with(throttled, Outcome::throttled);
    case Fault::accept_then_503:
      return deliver(request, parties, now, with(unavailable, Outcome::delivered));
    case Fault::accept_then_silence:
      return deliver(request, parties, now, with(0, Outcome::delivered));
    case Fault::none:
      break;
  }
  return deliver(request, parties, now, with(ok, Outcome::delivered));
}

Answer Provider::deliver(const Request& request, const Parties& parties, ProviderTime now,
                         Answer answer) {
  const auto trigger = triggers_.find(ledger_.accepted() + 1);
  if (trigger != triggers_.end() && trigger->second) {
    frozen_ = true;
    answer.status = ok;
    answer.withheld = true;
    withheld_.push_back({parties, request.arrival});
  }
  if (trigger != triggers_.end()) triggers_.erase(trigger);
  // A silent answer leaves nothing in progress: the provider is done, only the answer is lost.
  const ProviderTime answered = answer.withheld      ? ProviderTime::max()
                                : answer.status == 0 ? now
                                                     : now + answer.latency;
  ledger_.deliver(parties, request.payload, now, answered);
  return answer;
}

const Rule* Provider::rule_for(std::string_view recipient, std::int64_t try_number) const {
  const std::optional<std::int64_t> member = number(recipient);
  const auto matches = [&](const Rule& rule) {
    const bool concerned = rule.every == 1 || (member && *member % rule.every == 0);
    return concerned && (rule.tries == 0 || try_number <= rule.tries);
  };
  const auto found = std::find_if(behaviour_.rules.begin(), behaviour_.rules.end(), matches);
  return found == behaviour_.rules.end() ? nullptr : &*found;
}

core::Duration Provider::latency_of(std::string_view recipient, std::int64_t try_number) const {
  if (behaviour_.latency.empty()) return core::Duration(0);
  int drawn = draw_permille(behaviour_.seed, DrawFor::latency, recipient, try_number);
  for (const LatencyShare& share : behaviour_.latency) {
    if (drawn < share.permille) return share.latency;
    drawn -= share.permille;
  }
  return behaviour_.latency.back().latency;
}

}  // namespace fake_mail
