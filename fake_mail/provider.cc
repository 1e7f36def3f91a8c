#include "fake_mail/provider.h"

#include "fake_mail/decide.h"

namespace fake_mail {

void Provider::thaw(const std::vector<std::string>& dropped_owners) {
  dropped_.insert(dropped_owners.begin(), dropped_owners.end());
  for (const auto& [parties, arrival] : withheld_) {
    if (parties.key != 0) ledger_.finish(parties.key);
    if (!dropped(ledger_.owner_name(parties.owner)))
      ledger_.answer_late(parties, arrival, status::ok);
  }
  withheld_.clear();
  freeze_.thaw();
}

Answer Provider::answer(const Request& request) {
  const Parties parties = ledger_.know(request.owner, request.recipient, request.key);
  const Answer answer = decide_and_deliver(request, parties, clock_.at(request.arrival));
  ledger_.log(parties, request.arrival, answer.withheld ? status::none : answer.status,
              answer.outcome);
  return answer;
}

Answer Provider::refuse_malformed(std::string_view owner, Arrival arrival) {
  const Answer answer{.status = status::malformed, .outcome = Outcome::refused};
  ledger_.log(ledger_.know(owner, "", ""), arrival, answer.status, answer.outcome);
  return answer;
}

Answer Provider::decide_and_deliver(const Request& request, const Parties& parties,
                                    ProviderTime now) {
  if (const auto turned_away = gate_.turn_away(behaviour_, now)) return *turned_away;
  const KeyState key =
      ledger_.key_state(parties.key, request.payload, now, behaviour_.dedupe_window);
  Answer answer =
      decide(behaviour_, Recipient(request.recipient), ledger_.begin_try(parties.recipient), key);
  if (answer.outcome != Outcome::delivered) return answer;
  freeze_.on_delivery(ledger_.accepted() + 1, answer);
  if (answer.withheld) withheld_.push_back({parties, request.arrival});
  ledger_.deliver(parties, request.payload, now, answered_at(answer, now));
  return answer;
}

}  // namespace fake_mail
