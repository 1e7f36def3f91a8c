#include "sim/explore/exhaustive.h"

#include <unordered_set>

namespace sim {
namespace {

struct Frame {
  World world;
  std::vector<Offer> moves;
  std::size_t next = 0;
};

// The worlds from the first one to the present one. Frames that are left are kept, and written over
// by the next world at their depth: a world is some forty vectors, and making them anew would take
// most of the time.
class Path {
 public:
  bool empty() const { return depth_ == 0; }
  std::int64_t depth() const { return static_cast<std::int64_t>(depth_); }
  Frame& back() { return frames_[depth_ - 1]; }
  void pop() { --depth_; }
  Frame& push(const World& world) {
    if (depth_ == frames_.size()) {
      frames_.push_back({world, {}, 0});
    } else {
      frames_[depth_].world = world;
      frames_[depth_].next = 0;
    }
    return frames_[depth_++];
  }
  std::vector<Move> moves() const {
    std::vector<Move> moves;
    for (std::size_t i = 0; i < depth_; ++i)
      moves.push_back(frames_[i].moves[frames_[i].next - 1].move);
    return moves;
  }

 private:
  std::vector<Frame> frames_;
  std::size_t depth_ = 0;
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
  Path path;
  World world(settings);
  const auto visit = [&] {
    if (!seen.insert(world.fingerprint()).second) return;
    ++result.states;
    if (world.over()) {
      ++result.ends;
      result.verdict = world.verdict();
      return;
    }
    Frame& frame = path.push(world);
    all_moves(frame.world, frame.moves);
    result.deepest = std::max(result.deepest, path.depth());
  };
  visit();
  while (!path.empty()) {
    Frame& frame = path.back();
    if (frame.next == frame.moves.size()) {
      path.pop();
      continue;
    }
    world = frame.world;
    world.apply(frame.moves[frame.next++]);
    ++result.moves;
    visit();
    if (result.verdict) {
      result.path = path.moves();
      return result;
    }
    if ((result.moves & 0xfff) == 0 && go_on && !go_on(result)) return result;
  }
  result.complete = true;
  return result;
}

std::vector<Deviation> deviations_of(const WorldSettings& settings, const std::vector<Move>& path) {
  World world(settings);
  std::vector<Offer> offers;
  Recorder recorder;
  for (const Move& move : path) {
    world.offers(offers);
    recorder.note(move, offers.front().move);
    world.apply(*world.find(move));
  }
  return recorder.take();
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
