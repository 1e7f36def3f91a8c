#include "sim/explore/random.h"

#include <algorithm>

namespace sim {
namespace {

Command pending_of(const Pod& pod) {
  if (pod.asked) return command_of(*pod.asked);
  for (const Flight& flight : pod.flights) {
    return flight.stage == Flight::Stage::asked ? Command::send : Command::answer;
  }
  return Command::time;
}

}  // namespace

void Coverage::count(const World& world, const Offer& offer) {
  const auto command = static_cast<std::size_t>(offer.move.command);
  ++passed[command][static_cast<std::size_t>(offer.move.choice)];
  if (offer.move.command != Command::kill && offer.move.command != Command::freeze) return;
  const Pod& pod = world.pods()[static_cast<std::size_t>(offer.move.actor)];
  const std::size_t how = offer.move.command == Command::kill ? 0 : 1;
  ++struck[how][static_cast<std::size_t>(pending_of(pod))];
}

void Coverage::add(const Coverage& other) {
  for (std::size_t i = 0; i < command_count; ++i) {
    for (std::size_t j = 0; j < choice_count; ++j) passed[i][j] += other.passed[i][j];
    for (std::size_t j = 0; j < 2; ++j) struck[j][i] += other.struck[j][i];
  }
}

RandomChooser::RandomChooser(std::uint64_t seed, Strategy strategy, int workers)
    : rng_(core::mix(seed ^ 0x5eed)), strategy_(strategy) {
  static constexpr std::array<int, 4> rates{5, 20, 60, 150};
  fault_permille_ = rates[below(rates.size())];
  misfortune_permille_ = rates[below(rates.size())] / 2;
  slow_permille_ = static_cast<int>(below(2)) * 300;
  for (int i = 0; i < workers; ++i)
    importance_[static_cast<std::size_t>(i) % importance_.size()] =
        1000 + static_cast<std::int64_t>(below(1000));
  for (std::int64_t& change : changes_) change = static_cast<std::int64_t>(below(120));
}

// Of a schedule of its own, drawn like the others, a race is reversed: it is made once to learn its
// moves, and the second time goes along until the first move of the race.
RandomChooser::RandomChooser(const WorldSettings& settings, std::uint64_t seed)
    : RandomChooser(seed, strategy_of(seed), settings.workers) {
  if (strategy_ != Strategy::reversed) return;
  strategy_ = Strategy::uniform;
  RandomChooser before = *this;
  std::vector<Move> moves;
  for (World world(settings); !world.over();) {
    const Offer offer = before.choose(world);
    moves.push_back(offer.move);
    world.apply(offer);
  }
  if (!moves.empty()) reversal_ = reversal_in(moves, before.below(moves.size()));
}

// Takes from the offers what the held one would do, as long as others can do something.
void RandomChooser::hold_back(const World& world) {
  if (!reversal_) return;
  if (world.steps() == reversal_->at) holding_ = true;
  if (!holding_) return;
  const auto second = std::ranges::find_if(
      offers_, [&](const Offer& offer) { return offer.move.same_point(reversal_->second); });
  if (second != offers_.end()) {
    offers_ = {*second};
    holding_ = false;
    return;
  }
  const auto held = [&](const Offer& offer) { return offer.move.actor == reversal_->first.actor; };
  const auto others = std::ranges::count_if(offers_, [&](const Offer& offer) {
    return !held(offer) && offer.move.command != Command::time;
  });
  if (others == 0) {
    holding_ = false;  // it can't be reversed
    return;
  }
  std::erase_if(offers_, held);
}

std::int64_t RandomChooser::importance(int actor) const {
  if (actor == environment) return -1000;
  return importance_[static_cast<std::size_t>(actor) % importance_.size()];
}

std::size_t RandomChooser::pick(const World& world) {
  const std::size_t moves = offers_.size();
  const bool clock = offers_.back().move.command == Command::time;
  if (clock && moves > 1 && below(1000) < 40) return moves - 1;
  const std::size_t others = clock && moves > 1 ? moves - 1 : moves;
  if (strategy_ == Strategy::uniform) return below(others);
  if (strategy_ == Strategy::followed) return below(1000) < 100 ? below(others) : 0;
  if (std::find(changes_.begin(), changes_.end(), world.steps()) != changes_.end()) {
    const int actor = offers_.front().move.actor;
    if (actor != environment)
      importance_[static_cast<std::size_t>(actor) % importance_.size()] -= 1000;
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < others; ++i) {
    if (importance(offers_[i].move.actor) > importance(offers_[best].move.actor)) best = i;
  }
  return best;
}

Offer RandomChooser::choose(const World& world) {
  if (!world.budget().spent() && below(1000) < static_cast<std::uint64_t>(misfortune_permille_)) {
    world.misfortunes(offers_);
    if (!offers_.empty()) return offers_[below(offers_.size())];
  }
  world.offers(offers_);
  hold_back(world);
  Offer offer = offers_[pick(world)];
  if (offer.move.command == Command::time) {
    static constexpr std::array<std::int64_t, 6> little{500,    5'000,     30'000,
                                                        90'000, 1'000'000, 20'000'000};
    if (world.settings().fine_time && (offers_.size() > 1 || below(4) == 0)) {
      offer.move.choice = Choice::little;
      offer.move.value = little[below(little.size())];
    }
    return offer;
  }
  if (world.budget().total == 0) return offer;
  if (offer.move.command == Command::send && world.budget().allows(Fault::slow) &&
      below(1000) < static_cast<std::uint64_t>(slow_permille_)) {
    offer.move.choice = Choice::slow;
    return offer;
  }
  if (below(1000) < static_cast<std::uint64_t>(fault_permille_)) {
    world.faults_of(offer, choices_);
    if (!choices_.empty()) offer.move.choice = choices_[below(choices_.size())];
  }
  return offer;
}

Strategy strategy_of(std::uint64_t seed) {
  // A reversal costs two schedules.
  static constexpr std::array<Strategy, 7> drawn{
      Strategy::uniform,  Strategy::uniform,  Strategy::priorities, Strategy::priorities,
      Strategy::followed, Strategy::followed, Strategy::reversed};
  return drawn[core::mix(seed) % drawn.size()];
}

RandomRun run_random(const WorldSettings& settings, std::uint64_t seed, Coverage* coverage) {
  World world(settings);
  RandomChooser chooser(settings, seed);
  while (!world.over()) {
    const Offer offer = chooser.choose(world);
    if (coverage != nullptr) coverage->count(world, offer);
    world.apply(offer);
  }
  return {world.steps(), world.provider().repeats(), world.stale_writes(), world.verdict(),
          world.fingerprint()};
}

std::vector<Deviation> deviations_of(const WorldSettings& settings, std::uint64_t seed) {
  World world(settings);
  RandomChooser chooser(settings, seed);
  std::vector<Offer> offers;
  Recorder recorder;
  while (!world.over()) {
    const Offer offer = chooser.choose(world);
    world.offers(offers);
    recorder.note(offer.move, offers.front().move);
    world.apply(offer);
  }
  return recorder.take();
}

namespace {

constexpr std::uint64_t window_one_in = 12;
constexpr std::uint64_t last_date_one_in = 12;

// Most work is done within a second when nothing goes wrong, and else waits for leases and retries.
void draw_hours(WorldSettings& settings, core::Rng& rng) {
  const auto up_to = [&](std::int64_t most) {
    return core::Duration(static_cast<std::int64_t>(rng.next() % static_cast<std::uint64_t>(most)));
  };
  const bool soon = rng.next() % 2 == 0;
  const std::int64_t a_while = soon ? 200'000 : 100'000'000;
  if (rng.next() % window_one_in == 0) {
    if (rng.next() % 2 == 0) settings.window_opens = up_to(a_while);
    settings.window_closes = settings.window_opens + core::Duration(1'000) + up_to(a_while);
    settings.window_every = settings.window_closes + up_to(300'000'000);
  }
  if (rng.next() % last_date_one_in == 0)
    settings.not_after = core::Duration(1'000) + up_to(a_while);
}

constexpr std::uint64_t weather_one_in = 50;  // worlds: they are large

// Enough members for an outage to be told from their own trouble, and one or two workers to hear of
// it.
void draw_weather(WorldSettings& settings, core::Rng& rng) {
  const auto below = [&](std::uint64_t bound) {
    return static_cast<std::int64_t>(rng.next() % bound);
  };
  settings.members = 24 + below(17);
  settings.workers = 1 + static_cast<int>(below(2));
  settings.policy.batch = below(4) == 0 ? 24 : 4 + below(9);
  settings.policy.lanes = 1 + below(12);
  settings.budget = {};
  settings.budget.total = 120;
  settings.budget[Fault::outage] = static_cast<std::uint8_t>(1 + below(3));
  settings.budget[Fault::kill] = static_cast<std::uint8_t>(below(3));
  for (const Fault fault : {Fault::request, Fault::refusal, Fault::opt_out})
    settings.budget[fault] = static_cast<std::uint8_t>(below(2) * 4);
  settings.budget[Fault::slow] = static_cast<std::uint8_t>(below(2) * 100);
  if (below(3) == 0) settings.outage_lasts = core::Duration(600'000'000);
  if (below(3) == 0) {
    settings.provider.limit_per_s = 5 + below(20);
    settings.provider.block = core::Duration(below(2) * 30'000'000);
  }
}

// What became possible later has a stream of its own: the rest of a seed's world is as it was.
void draw_campaign(WorldSettings& settings, std::uint64_t seed) {
  core::Rng rng(core::mix(seed ^ 0xca3b));
  const auto below = [&](std::uint64_t bound) {
    return static_cast<std::int64_t>(rng.next() % bound);
  };
  const auto one_in = [&](std::uint64_t few, Fault fault, std::uint64_t most) {
    const bool drawn = below(few) == 0;
    const std::int64_t count = 1 + below(most);
    if (drawn) settings.budget[fault] = static_cast<std::uint8_t>(count);
  };
  if (below(3) == 0) settings.priorities = 2 + static_cast<int>(below(2));
  if (below(weather_one_in) == 0) draw_weather(settings, rng);
  one_in(4, Fault::add_member, 6);
  one_in(4, Fault::pause_campaign, 4);
  if (settings.budget[Fault::opt_out] > 0) one_in(2, Fault::withdraw_opt_out, 4);
  draw_hours(settings, rng);
}

}  // namespace

WorldSettings drawn_settings(std::uint64_t seed) {
  core::Rng rng(core::mix(seed ^ 0xd3a7));
  const auto below = [&](std::uint64_t bound) {
    return static_cast<std::int64_t>(rng.next() % bound);
  };
  WorldSettings settings;
  settings.name = "drawn";
  settings.seed = seed;
  settings.members = 1 + below(12);
  settings.workers = 1 + static_cast<int>(below(4));
  settings.policy.batch = 1 + below(5);
  settings.policy.lanes = 1 + below(8);
  settings.policy.rate_per_s = below(4) == 0 ? 10 : 0;
  if (below(8) != 0) settings.policy.poll_max = idle_sleeps_past(settings.policy.lease);
  settings.policy.last_try =
      core::Duration(100'000'000);  // an hour would be polls and nothing else
  for (std::size_t fault = 0; fault <= static_cast<std::size_t>(Fault::database_crash); ++fault)
    settings.budget.of[fault] = static_cast<std::uint8_t>(below(2) * (1 + below(4)));
  settings.budget[Fault::slow] = static_cast<std::uint8_t>(below(2) * 100);
  settings.budget.total = static_cast<std::uint8_t>(below(2) == 0 ? 1 + below(4) : 120);
  if (below(3) == 0) settings.provider.rules.push_back({422, 2 + below(5), 0});
  if (below(3) == 0) settings.provider.rules.push_back({503, 1 + below(5), 1 + below(2)});
  settings.provider.seed = seed;
  if (below(4) == 0) settings.provider.permille_accept_then_503 = 100;
  if (below(4) == 0) settings.provider.permille_accept_then_silence = 100;
  if (below(6) == 0) {
    settings.policy.dedupe_window = core::Duration(180'000'000);
    settings.policy.dedupe_margin = core::Duration(60'000'000);
    settings.provider.dedupe_window = settings.policy.dedupe_window;
    // A lost claim forgets since when its members may have been sent: within a day, harmless.
    settings.budget[Fault::database_crash] = 0;
  }
  draw_campaign(settings, seed);
  return settings;
}

}  // namespace sim
