#include "fake_mail/decide.h"

#include <algorithm>
#include <charconv>

#include "fake_mail/draw.h"

namespace fake_mail {
namespace {

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

core::Duration latency_of(const Behaviour& behaviour, const Recipient& recipient,
                          std::int64_t try_number) {
  if (behaviour.latency.empty()) return core::Duration(0);
  int drawn = draw_permille(behaviour.seed, DrawFor::latency, recipient.hash(), try_number);
  for (const LatencyShare& share : behaviour.latency) {
    if (drawn < share.permille) return share.latency;
    drawn -= share.permille;
  }
  return behaviour.latency.back().latency;
}

}  // namespace

Recipient::Recipient(std::string_view text) : member_(number(text)), hash_(hash_text(text)) {}
Recipient::Recipient(std::int64_t member) : member_(member), hash_(hash_number(member)) {}

Answer decide(const Behaviour& behaviour, const Recipient& recipient, std::int64_t try_number,
              KeyState key) {
  Answer answer;
  answer.latency = latency_of(behaviour, recipient, try_number);
  const auto with = [&](int given, Outcome outcome) {
    answer.status = given;
    answer.outcome = outcome;
    return answer;
  };
  const auto rule = std::ranges::find_if(behaviour.rules, [&](const Rule& r) {
    return recipient.divisible_by(r.every) && (r.tries == 0 || try_number <= r.tries);
  });
  const bool silent = rule != behaviour.rules.end() && rule->status == status::none;
  if (rule != behaviour.rules.end() && !silent) {
    if (rule->status == status::throttled) answer.retry_after = retry_after_min;
    return with(rule->status, Outcome::refused);
  }
  switch (behaviour.ignores_keys ? KeyState::unseen : key) {
    case KeyState::unseen:
      break;
    case KeyState::delivered:
      return with(status::ok, Outcome::repeat);
    case KeyState::other_payload:
      return with(status::refused, Outcome::refused);
    case KeyState::in_progress:
      return with(status::conflict, Outcome::refused);
  }
  if (silent) return with(status::none, Outcome::delivered);
  const int drawn = draw_permille(behaviour.seed, DrawFor::fault, recipient.hash(), try_number);
  switch (fault_for(behaviour, drawn)) {
    case Fault::answer_503:
      return with(status::unavailable, Outcome::unavailable);
    case Fault::answer_422:
      return with(status::refused, Outcome::refused);
    case Fault::answer_429:
      answer.retry_after = retry_after_min;
      return with(status::throttled, Outcome::throttled);
    case Fault::accept_then_503:
      return with(status::unavailable, Outcome::delivered);
    case Fault::accept_then_silence:
      return with(status::none, Outcome::delivered);
    case Fault::none:
      break;
  }
  return with(status::ok, Outcome::delivered);
}

ProviderTime answered_at(const Answer& answer, ProviderTime delivered) {
  if (answer.withheld) return ProviderTime::max();
  return answer.status == status::none ? delivered : delivered + answer.latency;
}

}  // namespace fake_mail
