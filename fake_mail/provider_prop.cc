// Claims about all sequences of requests, and about the JSON form of every behaviour.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "fake_mail/json.h"
#include "fake_mail/provider.h"

namespace fake_mail {
namespace {

using core::operator""s;

// Arrivals over some seconds, in the order in which threads might decide them.
std::vector<Arrival> some_arrivals() {
  const auto offsets =
      *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange<std::int64_t>(0, 5'000));
  std::vector<Arrival> arrivals;
  for (const auto ms : offsets) arrivals.push_back(Arrival(std::chrono::milliseconds(ms)));
  return arrivals;
}

std::int64_t busiest_second_by_definition(const std::vector<Arrival>& arrivals) {
  std::int64_t most = 0;
  for (const Arrival end : arrivals)
    most = std::max<std::int64_t>(
        most, std::count_if(arrivals.begin(), arrivals.end(),
                            [&](Arrival t) { return t > end - 1s && t <= end; }));
  return most;
}

RC_GTEST_PROP(RequestLog, busiest_second_is_the_largest_of_all_windows, ()) {
  RequestLog log;
  std::vector<Arrival> seen;
  for (const Arrival arrival : some_arrivals()) {
    log.add({.arrival = arrival});
    seen.push_back(arrival);
    if (*rc::gen::arbitrary<bool>())
      RC_ASSERT(log.max_in_any_second({}) == busiest_second_by_definition(seen));
  }
  RC_ASSERT(log.max_in_any_second({}) == busiest_second_by_definition(seen));
}

RC_GTEST_PROP(RateLimit, admits_at_most_the_limit_in_any_second, ()) {
  const auto limit = *rc::gen::inRange<std::int64_t>(1, 20);
  std::vector<Arrival> arrivals = some_arrivals();
  std::sort(arrivals.begin(), arrivals.end());
  RateLimit rate_limit;
  std::vector<Arrival> admitted;
  for (const Arrival arrival : arrivals) {
    const auto in_last_second = std::count_if(admitted.begin(), admitted.end(),
                                              [&](Arrival t) { return t > arrival - 1s; });
    const bool admits = rate_limit.admit(limit, ProviderTime(arrival.time_since_epoch()));
    RC_ASSERT(admits == (in_last_second < limit));
    if (admits) admitted.push_back(arrival);
  }
}

RC_GTEST_PROP(Provider, answers_depend_on_seed_member_and_try_and_not_on_order, ()) {
  Behaviour behaviour;
  behaviour.seed = *rc::gen::arbitrary<std::uint64_t>();
  behaviour.permille_503 = 300;
  behaviour.permille_accept_then_503 = 200;
  behaviour.latency = {{500, core::Duration(10)}, {500, core::Duration(20)}};
  std::vector<std::int64_t> members =
      *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange(1, 20));
  const auto ask_all = [&](const std::vector<std::int64_t>& order) {
    Provider provider(behaviour);
    std::map<std::int64_t, std::vector<std::pair<int, core::Duration>>> answers;
    for (const auto member : order) {
      const Answer answer = provider.answer({"p1", std::to_string(member), "", 1, Arrival(1s)});
      answers[member].emplace_back(answer.status, answer.latency);
    }
    return answers;
  };
  const auto answers = ask_all(members);
  std::sort(members.begin(), members.end());
  RC_ASSERT(ask_all(members) == answers);
}

RC_GTEST_PROP(Provider, a_key_delivers_once_in_its_window, ()) {
  Behaviour behaviour;
  behaviour.permille_503 = 200;
  behaviour.permille_accept_then_silence = 200;
  behaviour.seed = *rc::gen::arbitrary<std::uint64_t>();
  Provider provider(behaviour);
  for (const auto member :
       *rc::gen::container<std::vector<std::int64_t>>(rc::gen::inRange(1, 10))) {
    const std::string name = std::to_string(member);
    provider.answer({"p1", name, "c:" + name, 1, Arrival(1s)});
  }
  const Counters counters = provider.counters();
  RC_ASSERT(counters.accepted == counters.accepted_members);
}

RC_GTEST_PROP(Json, a_behaviour_survives_its_json_form, ()) {
  const auto up_to = [](std::int64_t most) { return *rc::gen::inRange<std::int64_t>(0, most + 1); };
  Behaviour behaviour;
  behaviour.seed = *rc::gen::arbitrary<std::uint64_t>();
  behaviour.limit_per_s = up_to(1'000'000);
  behaviour.block = core::Duration(up_to(1'000'000'000));
  behaviour.dedupe_window = core::Duration(up_to(1'000'000'000));
  behaviour.ignores_keys = *rc::gen::arbitrary<bool>();
  behaviour.permille_503 = static_cast<int>(up_to(200));
  behaviour.permille_422 = static_cast<int>(up_to(200));
  behaviour.permille_429 = static_cast<int>(up_to(200));
  behaviour.permille_accept_then_503 = static_cast<int>(up_to(200));
  behaviour.permille_accept_then_silence = static_cast<int>(up_to(200));
  for (auto rules = up_to(3); rules > 0; --rules)
    behaviour.rules.push_back({static_cast<int>(200 + up_to(399)), 1 + up_to(1000), up_to(10)});
  if (const auto first = static_cast<int>(up_to(1000)); *rc::gen::arbitrary<bool>())
    behaviour.latency = {{first, core::Duration(up_to(1'000'000))},
                         {1000 - first, core::Duration(up_to(1'000'000))}};
  const auto read_back = behaviour_from_json(to_json(behaviour));
  RC_ASSERT(read_back.has_value());
  RC_ASSERT(*read_back == behaviour);
}

}  // namespace
}  // namespace fake_mail
