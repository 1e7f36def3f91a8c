// The contract: whatever is asked, sim::ProviderModel and fake_mail::Provider answer and count the
// same.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <ostream>
#include <sstream>
#include <string>

#include "fake_mail/json.h"
#include "fake_mail/provider.h"
#include "sim/provider/provider_model.h"

namespace sim {
namespace {

using core::Duration;
using core::Instant;
using core::MemberId;
using core::operator""us;
using core::operator""ms;
using core::operator""s;

constexpr std::int64_t members = 4;
constexpr Duration window = 10s;

enum class Act { ask, outage, trigger, freeze };

// Time passes, then somebody acts. While it is frozen, a thaw comes first.
struct Step {
  Duration passes{};
  Act act = Act::ask;
  std::int64_t member = 1;
  std::uint32_t key = no_key;
  std::uint64_t payload = 1;
  std::size_t owner = 0;   // a place among the living
  std::int64_t ahead = 1;  // the trigger's delivery, counted from now
  bool kills = false;      // a thaw before this step drops the owner
};

std::ostream& operator<<(std::ostream& out, const Step& step) {
  return out << "{after " << step.passes.count() << " us, act " << static_cast<int>(step.act)
             << ", member " << step.member << ", key " << step.key << ", payload " << step.payload
             << ", owner " << step.owner << ", ahead " << step.ahead << ", kills " << step.kills
             << '}';
}

rc::Gen<Step> some_step() {
  return rc::gen::build<Step>(
      rc::gen::set(&Step::passes, rc::gen::weightedElement<Duration>({{8, 0us},
                                                                      {4, 1us},
                                                                      {4, 200ms},
                                                                      {2, 1s - 1us},
                                                                      {2, 1s},
                                                                      {1, window - 1s},
                                                                      {1, window - 1us},
                                                                      {1, window}})),
      rc::gen::set(&Step::act,
                   rc::gen::weightedElement<Act>(
                       {{30, Act::ask}, {1, Act::outage}, {2, Act::trigger}, {1, Act::freeze}})),
      rc::gen::set(&Step::member, rc::gen::inRange<std::int64_t>(1, members + 1)),
      rc::gen::set(&Step::key, rc::gen::weightedElement<std::uint32_t>(
                                   {{2, no_key}, {8, proper_key}, {2, 2U}, {2, 3U}})),
      rc::gen::set(&Step::payload,
                   rc::gen::weightedElement<std::uint64_t>({{8, 1U}, {1, 2U}, {1, 1ULL << 32U}})),
      rc::gen::set(&Step::owner, rc::gen::inRange<std::size_t>(0, 2)),
      rc::gen::set(&Step::ahead, rc::gen::inRange<std::int64_t>(1, 4)),
      rc::gen::set(&Step::kills, rc::gen::arbitrary<bool>()));
}

fake_mail::Behaviour some_behaviour() {
  const auto share = [] { return *rc::gen::element(0, 0, 150); };
  fake_mail::Behaviour behaviour;
  behaviour.seed = *rc::gen::arbitrary<std::uint64_t>();
  behaviour.limit_per_s = *rc::gen::element<std::int64_t>(0, 1, 2, 5);
  behaviour.block = *rc::gen::element<Duration>(0s, 500ms, 3s);
  behaviour.dedupe_window = window;
  behaviour.ignores_keys = *rc::gen::weightedElement<bool>({{5, false}, {1, true}});
  using Latency = std::vector<fake_mail::LatencyShare>;
  behaviour.latency = *rc::gen::element<Latency>(Latency{}, Latency{{1000, 1us}},
                                                 Latency{{500, 0us}, {300, 200ms}, {200, 1s}});
  using Rules = std::vector<fake_mail::Rule>;
  behaviour.rules = *rc::gen::element<Rules>(Rules{}, Rules{}, Rules{{422, 3, 0}},
                                             Rules{{429, 2, 1}, {503, 1, 2}});
  behaviour.permille_503 = share();
  behaviour.permille_422 = share();
  behaviour.permille_429 = share();
  behaviour.permille_accept_then_503 = share();
  behaviour.permille_accept_then_silence = share();
  RC_LOG() << fake_mail::to_json(behaviour) << '\n';
  return behaviour;
}

// Both providers, asked the same.
class Pair {
 public:
  explicit Pair(const fake_mail::Behaviour& behaviour)
      : served_(behaviour), model_(behaviour, members) {}

  void take(const Step& step) {
    now_ += step.passes;
    if (served_.frozen()) thaw(step);
    switch (step.act) {
      case Act::ask:
        ask(step);
        break;
      case Act::outage:
        served_.begin_outage(arrival(), 700ms);
        model_.begin_outage(now_, 700ms);
        break;
      case Act::trigger:
        served_.set_trigger(served_.counters().accepted + step.ahead, true);
        model_.set_trigger(model_.deliveries() + step.ahead, true);
        break;
      case Act::freeze:
        served_.freeze();
        model_.freeze();
        break;
    }
    RC_ASSERT(model_.frozen() == served_.frozen());
    compare_counters();
    compare_members();
  }

 private:
  static constexpr auto epoch = fake_mail::Arrival(std::chrono::hours(24 * 365 * 50));

  fake_mail::Arrival arrival() const { return epoch + now_.time_since_epoch(); }

  void thaw(const Step& step) {
    const std::uint32_t owner = living_[step.owner];
    if (step.kills) {
      served_.thaw({"p" + std::to_string(owner)});
      model_.thaw({&owner, 1});
      living_[step.owner] = owners_++;
    } else {
      served_.thaw({});
      model_.thaw();
    }
  }

  void ask(const Step& step) {
    const std::string owner = "p" + std::to_string(living_[step.owner]);
    const std::string member = std::to_string(step.member);
    std::string key = step.key == no_key ? "" : "c:" + member;
    if (step.key > proper_key) key += "/" + std::to_string(step.key);
    const auto expected = served_.answer({owner, member, key, step.payload, arrival()});
    const auto answer = model_.answer({.member = MemberId(step.member),
                                       .key = step.key,
                                       .payload = step.payload,
                                       .at = now_,
                                       .owner = living_[step.owner]});
    RC_ASSERT(answer.status == expected.status);
    RC_ASSERT(answer == expected);
    ProviderModel::Member& seen = members_[step.member];
    if (step.key == proper_key && seen.first_key_use == ProviderModel::never)
      seen.first_key_use = now_;
    if (expected.outcome != fake_mail::Outcome::delivered) return;
    ++seen.deliveries;
    seen.last_delivery = now_;
  }

  void compare_counters() {
    const fake_mail::Counters counters = served_.counters();
    RC_ASSERT(model_.accepted() == counters.accepted_members);
    RC_ASSERT(model_.deliveries() == counters.accepted);
    RC_ASSERT(model_.repeats() == counters.repeats);
    RC_ASSERT(model_.requests() == counters.requests);
    RC_ASSERT(model_.refused() == counters.refused);
    RC_ASSERT(model_.max_in_any_second() == counters.max_in_any_second);
  }

  // Requests and the last status as the ledger has them.
  void compare_members() {
    std::map<std::int64_t, ProviderModel::Member> expected = members_;
    std::ostringstream csv;
    served_.ledger().write_csv(csv);
    std::istringstream lines(csv.str());
    std::string line;
    for (std::getline(lines, line); std::getline(lines, line);) {
      std::istringstream fields(line);
      std::string arrived, owner, member, key, status;
      for (std::string* field : {&arrived, &owner, &member, &key, &status})
        std::getline(fields, *field, ',');
      ProviderModel::Member& seen = expected[std::stoll(member)];
      ++seen.requests;
      seen.last_status = static_cast<std::int16_t>(std::stoi(status));
    }
    for (const auto& [member, seen] : expected) {
      ProviderModel::Member found = model_.member(MemberId(member));
      RC_ASSERT(found.tries <= found.requests);
      found.tries = 0;  // no counter of the ledger; a wrong one draws other faults
      RC_ASSERT(found.requests == seen.requests);
      RC_ASSERT(found.last_status == seen.last_status);
      RC_ASSERT(found == seen);
    }
  }

  fake_mail::Provider served_;
  ProviderModel model_;
  Instant now_{};
  std::vector<std::uint32_t> living_ = {1, 2};
  std::uint32_t owners_ = 3;
  std::map<std::int64_t, ProviderModel::Member> members_;
};

RC_GTEST_PROP(ProviderModel, answers_and_counts_as_the_provider_does, ()) {
  Pair pair(some_behaviour());
  for (const Step& step : *rc::gen::container<std::vector<Step>>(some_step())) pair.take(step);
}

RC_GTEST_PROP(ProviderModel, a_copy_goes_its_own_way, ()) {
  const fake_mail::Behaviour behaviour = some_behaviour();
  ProviderModel model(behaviour, members);
  for (Instant now{}; const Step& step : *rc::gen::container<std::vector<Step>>(some_step())) {
    const MailRequest request{MemberId(step.member), step.key, step.payload, now += step.passes};
    ProviderModel copy = model;
    const ProviderModel::Member before = model.member(request.member);
    const fake_mail::Answer answer = copy.answer(request);
    RC_ASSERT(model.member(request.member) == before);
    RC_ASSERT(model.answer(request) == answer);
  }
}

TEST(ProviderModel, AssertsItsContract) {
  ProviderModel model({}, 2);
  EXPECT_ANY_THROW(model.answer({.member = MemberId(3)}));
  EXPECT_ANY_THROW(model.answer({.member = MemberId(0)}));
  model.answer({.member = MemberId(1), .at = Instant(1s)});
  EXPECT_ANY_THROW(model.answer({.member = MemberId(1), .at = Instant(999ms)}));
  model.freeze();
  EXPECT_ANY_THROW(model.answer({.member = MemberId(1), .at = Instant(1s)}));
}

}  // namespace
}  // namespace sim
