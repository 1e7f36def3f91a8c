#include "sim/explore/exhaustive.h"

#include <unordered_set>

namespace sim {
namespace {

struct Frame {
  World world;
  std::vector<Offer> moves;
  std::size_t next = 0;
};

void all_moves(const World& world, std::vector<Offer>& moves) {
  static thread_local std::vector<Offer> more;
  static thread_local std::vector<Choice> choices;
  world.offers(moves);
  const std::size_t plain = moves.size();
  for (std::size_t i = 0; i < plain; ++i) {
    world.faults_of(moves[i], choices);
    for (const Choice choice : choices) {
      Offer offer = moves[i];
      offer.move.choice = choice;
      moves.push_back(offer);
    }
  }
  world.misfortunes(more);
  moves.insert(moves.end(), more.begin(), more.end());
}

}  // namespace

Exhausted exhaust(const WorldSettings& settings,
                  const std::function<bool(const Exhausted&)>& go_on) {
  Exhausted result;
  std::unordered_set<std::uint64_t> seen;
  std::vector<Frame> stack;
  const auto visit = [&](World world) {
    if (!seen.insert(world.fingerprint()).second) return;
    ++result.states;
    if (world.over()) {
      ++result.ends;
      result.verdict = world.verdict();
      return;
    }
    Frame& frame = stack.emplace_back(Frame{std::move(world), {}, 0});
    all_moves(frame.world, frame.moves);
    result.deepest = std::max(result.deepest, std::ssize(stack));
  };
  visit(World(settings));
  while (!stack.empty()) {
    Frame& frame = stack.back();
    if (frame.next == frame.moves.size()) {
      stack.pop_back();
      continue;
    }
    const Offer offer = frame.moves[frame.next++];
    const bool last = frame.next == frame.moves.size();
    World world = last ? std::move(frame.world) : frame.world;
    world.apply(offer);
    ++result.moves;
    visit(std::move(world));
    if (result.verdict) {
      for (const Frame& on_path : stack)
        result.path.push_back(on_path.moves[on_path.next - 1].move);
      return result;
    }
    if ((result.moves & 0xfff) == 0 && go_on && !go_on(result)) return result;
  }
  result.complete = true;
  return result;
}

std::vector<Deviation> deviations_of(const WorldSettings& settings, const std::vector<Move>& path) {
  World world(settings);
  std::vector<Deviation> deviations;
  std::vector<Offer> offers;
  Passed passed;
  std::optional<Point> last;
  for (const Move& move : path) {
    world.offers(offers);
    if (!(move == offers.front().move)) deviations.push_back({move, last});
    last = passed.pass(move);
    world.apply(*world.find(move));
  }
  return deviations;
}

namespace {

WorldSettings bounded(std::int64_t workers, std::int64_t batches, std::int64_t batch,
                      std::int64_t lanes) {
  WorldSettings settings;
  settings.workers = static_cast<int>(workers);
  settings.members = batches * batch;
  settings.policy.batch = batch;
  settings.policy.lanes = lanes;
  settings.policy.rate_per_s = 0;
  settings.fine_time = false;
  for (const Fault fault :
       {Fault::kill, Fault::statement, Fault::request, Fault::refusal, Fault::freeze})
    settings.budget[fault] = 1;
  settings.budget.total = 1;
  settings.policy.poll_max = idle_sleeps_past(settings.policy.lease);
  return settings;
}

}  // namespace

WorldSettings bound_three() {
  WorldSettings settings = bounded(3, 3, 1, 1);
  settings.name = "3 workers x 3 batches x 1 member x 1 lane";
  return settings;
}

WorldSettings bound_two() {
  WorldSettings settings = bounded(2, 2, 2, 2);
  settings.name = "2 workers x 2 batches x 2 members x 2 lanes";
  return settings;
}

}  // namespace sim
