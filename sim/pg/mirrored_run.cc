#include "sim/pg/mirrored_run.h"

#include <algorithm>
#include <vector>

#include "core/assert.h"
#include "core/rng.h"
#include "fmt/format.h"
#include "sim/explore/random.h"
#include "sim/world/world.h"

namespace sim::pg {
namespace {

constexpr int tries_most = 50;
constexpr std::uint64_t held_one_in = 4;  // statements, as far as the budget allows
constexpr std::int64_t rows_every = 40;   // steps

std::size_t drawn_planner(const WorldSettings& settings, std::uint64_t seed) {
  core::Rng rng(core::mix(seed ^ 0x9a7e));
  for (;;) {
    const std::size_t planner = draw_planner(rng);
    if (settings.budget[Fault::held] == 0 || planner_settings()[planner].ascending) return planner;
  }
}

bool lets_two_wait(const World& world, const Offer& offer) {
  const bool asks =
      is_statement(offer.move.command) || offer.move.command == Command::late_statement;
  if (!asks || world.database().waiters() == 0) return false;
  World trial = world;
  trial.log_calls(nullptr);
  trial.apply(offer);
  return trial.database().waiters() > 1;
}

struct Choosers {
  RandomChooser moves;
  core::Rng holds;
};

// Nothing: whatever was drawn, PostgreSQL would have had a choice.
std::optional<Offer> choose(const World& world, Choosers& choosers) {
  for (int i = 0; i < tries_most; ++i) {
    Offer offer = choosers.moves.choose(world);
    const bool plain = is_statement(offer.move.command) && offer.move.choice == Choice::done;
    if (plain && world.budget().allows(Fault::held) && choosers.holds.next() % held_one_in == 0)
      offer.move.choice = Choice::held;
    if (!lets_two_wait(world, offer)) return offer;
  }
  return std::nullopt;
}

std::optional<std::string> follow(World& world, Choosers& choosers, WorldMirror& mirror,
                                  MirroredRun& run) {
  ASSERT(world.budget()[Fault::database_crash] == 0);  // PostgreSQL can't be asked for it
  std::vector<DatabaseCall> calls;
  world.log_calls(&calls);
  std::int64_t compared = 0;
  while (!world.over()) {
    const auto offer = choose(world, choosers);
    if (!offer) break;
    world.apply(*offer);
    run.waits += std::ranges::count_if(calls, [](const DatabaseCall& call) {
      return call.kind != DatabaseCall::Kind::commit && call.kind != DatabaseCall::Kind::rollback &&
             !call.answer;
    });
    if (auto found = mirror.follow(calls)) return found;
    calls.clear();
    run.steps = mirror.steps();
    if (run.steps - compared < rows_every) continue;
    compared = run.steps;
    if (auto found = mirror.compare_rows(world.database())) return found;
  }
  run.ended = world.over();
  return mirror.compare_rows(world.database());
}

}  // namespace

Setup setup_of(const WorldSettings& settings, std::size_t planner) {
  Setup setup;
  setup.planner = planner;
  setup.policy = settings.policy;
  for (std::int64_t member = 1; member <= settings.members; ++member)
    setup.priorities.push_back(settings.priority_of(member));
  if (settings.not_after > core::Duration(0)) setup.not_after = world_begins + settings.not_after;
  return setup;
}

MirroredRun run_mirrored(const WorldSettings& settings, std::uint64_t seed,
                         SteppedDatabase& database, MutantStatement* mutant) {
  const Setup setup = setup_of(settings, drawn_planner(settings, seed));
  World world(settings);
  Choosers choosers{{settings, seed}, core::Rng(core::mix(seed ^ 0x601d))};
  WorldMirror mirror(database, setup, mutant);
  MirroredRun run;
  run.difference = follow(world, choosers, mirror, run);
  if (run.difference) {
    run.difference = fmt::format("world {}, {}, batches of {}\n", seed,
                                 planner_settings()[setup.planner].name, settings.policy.batch) +
                     *run.difference;
  }
  return run;
}

WorldSettings mirrored_settings(std::uint64_t seed) {
  WorldSettings settings = drawn_settings(seed);
  settings.budget[Fault::database_crash] = 0;
  return settings;
}

WorldSettings crowded_settings(std::uint64_t seed) {
  WorldSettings settings = mirrored_settings(seed);
  settings.workers = std::max(settings.workers, 3);
  settings.policy.rate_per_s = 100;  // one row for all of them
  settings.budget = {};
  settings.budget[Fault::held] = settings.budget[Fault::slow] = settings.budget.total = 250;
  settings.budget[Fault::kill] = 1;
  return settings;
}

}  // namespace sim::pg
