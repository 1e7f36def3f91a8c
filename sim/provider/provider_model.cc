#include "sim/provider/provider_model.h"

#include <algorithm>

#include "core/assert.h"
#include "fake_mail/decide.h"

namespace sim {
namespace {

using core::Instant;
using fake_mail::Answer;
using fake_mail::Key;
using fake_mail::KeyState;
using fake_mail::Outcome;
using fake_mail::ProviderTime;

ProviderTime provider_time(Instant at) {
  return ProviderTime(at.time_since_epoch());
}

}  // namespace

ProviderModel::ProviderModel(const fake_mail::Behaviour& behaviour, std::int64_t members)
    : behaviour_(std::make_shared<const fake_mail::Behaviour>(behaviour)),
      slots_(static_cast<std::size_t>(members)) {}

Answer ProviderModel::answer(const MailRequest& request) {
  ASSERT(!frozen());
  Slot& slot = slots_[index_of(request.member)];
  count_arrival(request.at);
  const Answer answer = decide_and_deliver(request, slot);
  if (answer.outcome == Outcome::repeat) ++repeats_;
  if (answer.outcome == Outcome::refused) ++refused_;
  ++slot.member.requests;
  if (request.key == proper_key && slot.member.first_key_use == never)
    slot.member.first_key_use = request.at;
  slot.member.last_status = static_cast<std::int16_t>(answer.withheld ? 0 : answer.status);
  return answer;
}

void ProviderModel::begin_outage(Instant now, core::Duration lasts) {
  gate_.begin_outage(provider_time(now) + lasts);
}

Instant ProviderModel::closed_until() const {
  return Instant(gate_.closed_until().time_since_epoch());
}

void ProviderModel::set_trigger(std::int64_t accept, bool freeze) {
  if (freeze) freeze_.at_delivery(accept);
}

void ProviderModel::thaw(std::span<const std::uint32_t> dropped_owners) {
  freeze_.thaw();
  if (!withheld_) return;
  Slot& slot = slots_[index_of(withheld_->member)];
  if (Key* key = known_key(slot, withheld_->key)) key->finish();
  if (std::ranges::find(dropped_owners, withheld_->owner) == dropped_owners.end())
    slot.member.last_status = fake_mail::status::ok;
  withheld_.reset();
}

const ProviderModel::Member& ProviderModel::member(core::MemberId member) const {
  return slots_[index_of(member)].member;
}

std::size_t ProviderModel::index_of(core::MemberId member) const {
  const std::int64_t id = core::number(member);
  ASSERT(id >= 1 && id <= std::ssize(slots_));
  return static_cast<std::size_t>(id - 1);
}

Key* ProviderModel::known_key(Slot& slot, std::uint32_t number) {
  if (number == no_key) return nullptr;
  if (number == proper_key) return &slot.proper;
  for (std::uint32_t place = slot.others; place != 0;) {
    OtherKey& other = other_keys_[place - 1];
    if (other.number == number) return &other.key;
    place = other.next;
  }
  return nullptr;
}

void ProviderModel::count_arrival(Instant now) {
  ASSERT(now >= now_);
  now_ = now;
  ++requests_;
  last_second_.add(provider_time(now));
  while (last_second_.oldest() <= provider_time(now) - std::chrono::seconds(1))
    last_second_.drop_oldest();
  max_in_any_second_ = std::max(max_in_any_second_, last_second_.size());
}

Answer ProviderModel::decide_and_deliver(const MailRequest& request, Slot& slot) {
  const ProviderTime now = provider_time(request.at);
  if (const auto turned_away = gate_.turn_away(*behaviour_, now)) return *turned_away;
  const Key* known = known_key(slot, request.key);
  const KeyState key =
      known ? known->state(request.payload, now, behaviour_->dedupe_window) : KeyState::unseen;
  const fake_mail::Recipient recipient(core::number(request.member));
  Answer answer = fake_mail::decide(*behaviour_, recipient, ++slot.member.tries, key);
  if (answer.outcome != Outcome::delivered) return answer;
  freeze_.on_delivery(++deliveries_, answer);
  if (answer.withheld) withheld_ = {request.member, request.key, request.owner};
  remember(slot, request.key, Key(request.payload, now, fake_mail::answered_at(answer, now)));
  if (slot.member.deliveries++ == 0) ++accepted_;
  slot.member.last_delivery = request.at;
  return answer;
}

void ProviderModel::remember(Slot& slot, std::uint32_t number, const Key& key) {
  if (number == no_key) return;
  if (Key* known = known_key(slot, number)) {
    *known = key;
    return;
  }
  other_keys_.push_back({key, number, slot.others});
  slot.others = static_cast<std::uint32_t>(other_keys_.size());
}

}  // namespace sim
