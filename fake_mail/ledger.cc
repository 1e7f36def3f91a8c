#include "fake_mail/ledger.h"

#include <limits>
#include <ostream>

namespace fake_mail {
namespace {

constexpr std::uint32_t owners_max = std::numeric_limits<std::uint16_t>::max();

const char* word(Outcome outcome) {
  switch (outcome) {
    case Outcome::delivered:
      return "delivered";
    case Outcome::repeat:
      return "repeat";
    case Outcome::refused:
      return "refused";
    case Outcome::throttled:
      return "throttled";
    case Outcome::unavailable:
      return "unavailable";
  }
  return "";
}

// RFC 4180: a field with a comma, a quote or a line end is quoted, and its quotes are doubled.
void write_field(std::ostream& out, std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
    out << field;
    return;
  }
  out << '"';
  for (const char c : field) {
    if (c == '"') out << '"';
    out << c;
  }
  out << '"';
}

}  // namespace

Parties Ledger::know(std::string_view owner, std::string_view recipient, std::string_view key) {
  Parties parties;
  parties.owner = owners_.size() <= owners_max ? owners_.number_of(owner) : 0;
  parties.recipient = recipients_.number_of(recipient);
  parties.key = keys_.number_of(key);
  if (owner_counts_.size() < owners_.size()) owner_counts_.resize(owners_.size());
  if (recipient_counts_.size() < recipients_.size()) recipient_counts_.resize(recipients_.size());
  if (key_states_.size() < keys_.size()) key_states_.resize(keys_.size());
  return parties;
}

std::int64_t Ledger::begin_try(std::uint32_t recipient) {
  return ++recipient_counts_[recipient].tries;
}

void Ledger::deliver(const Parties& parties, std::uint64_t payload, ProviderTime now,
                     ProviderTime answered) {
  if (parties.key != 0) key_states_[parties.key] = Key(payload, now, answered);
  accept_owners_.push_back(static_cast<std::uint16_t>(parties.owner));
  ++owner_counts_[parties.owner].accepted;
  RecipientCounts& recipient = recipient_counts_[parties.recipient];
  if (recipient.delivered == 0) ++accepted_members_;
  recipient.delivered = 1;
}

void Ledger::log(const Parties& parties, Arrival arrival, int status, Outcome outcome) {
  log_.add({arrival, parties.owner, parties.recipient, parties.key,
            static_cast<std::int16_t>(status), outcome});
  ++owner_counts_[parties.owner].requests;
  if (outcome == Outcome::repeat) ++repeats_;
  if (outcome == Outcome::refused) ++refused_;
}

void Ledger::answer_late(const Parties& parties, Arrival arrival, int status) {
  log_.set_status({arrival, parties.owner, parties.recipient, parties.key, 0, Outcome::delivered},
                  static_cast<std::int16_t>(status));
}

void Ledger::log_connection(std::string_view owner) {
  ++owner_counts_[know(owner, "", "").owner].connections;
}

std::string_view Ledger::owner_of_accept(std::int64_t number) const {
  return owners_.text(accept_owners_[static_cast<std::size_t>(number - 1)]);
}

Counters Ledger::counters(const SkippedTime& clock) {
  Counters counters;
  counters.accepted = accepted();
  counters.accepted_members = accepted_members_;
  counters.requests = static_cast<std::int64_t>(log_.all().size());
  counters.repeats = repeats_;
  counters.refused = refused_;
  counters.max_in_any_second = log_.max_in_any_second(clock);
  for (std::uint32_t owner = 0; owner < owner_counts_.size(); ++owner)
    if (owner_counts_[owner] != OwnerCounters{})
      counters.by_owner.emplace(owners_.text(owner), owner_counts_[owner]);
  return counters;
}

void Ledger::write_csv(std::ostream& out) const {
  out << "arrival_us,owner,recipient,key,status,outcome\n";
  for (const LoggedRequest& request : log_.all()) {
    out << request.arrival.time_since_epoch().count() << ',';
    write_field(out, owners_.text(request.owner));
    out << ',';
    write_field(out, recipients_.text(request.recipient));
    out << ',';
    write_field(out, keys_.text(request.key));
    out << ',' << request.status << ',' << word(request.outcome) << '\n';
  }
}

}  // namespace fake_mail
