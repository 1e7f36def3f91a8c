#include "sim/explore/exhaustive.h"

#include <algorithm>
#include <deque>

#include "core/weather.h"
#include "sim/explore/seen.h"

namespace sim {
namespace {

using core::Digest;

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
  explicit Path(const WorldSettings& settings) { frames_.push_back({World(settings), {}, 0}); }
  bool empty() const { return depth_ == 0; }
  std::int64_t depth() const { return static_cast<std::int64_t>(depth_); }
  Frame& back() { return frames_[depth_ - 1]; }
  void pop() { --depth_; }
  // The frame beyond the last one: a world that is looked at, and not yet on the path.
  Frame& beyond() { return frames_[depth_]; }
  void push() { ++depth_; }
  // Makes the next move of the last frame. Its world is not copied for its last move: nobody comes
  // back to it.
  void step() {
    if (depth_ == frames_.size()) frames_.push_back({back().world, {}, 0});
    Frame& from = back();
    Frame& to = beyond();
    const Offer& move = from.moves[from.next++];
    if (from.next == from.moves.size()) {
      std::swap(to.world, from.world);
    } else {
      to.world = from.world;
    }
    to.world.apply(move);
  }
  std::vector<Move> moves() const {
    std::vector<Move> moves;
    for (std::size_t i = 0; i < depth_; ++i)
      moves.push_back(frames_[i].moves[frames_[i].next - 1].move);
    return moves;
  }

 private:
  std::deque<Frame> frames_;  // stay where they are
  std::size_t depth_ = 0;
};

// Whether nobody ever hears as many answers, or of as many members, as the weather asks for, and
// what has ended stays so: then Digest::Detail::ahead tells enough.
bool is_small(const WorldSettings& settings) {
  const fake_mail::Behaviour& provider = settings.provider;
  const bool uncounted = provider.limit_per_s > 0 || provider.permille_429 > 0 ||
                         std::ranges::any_of(provider.rules, [](const fake_mail::Rule& rule) {
                           return rule.status == 429;
                         });
  const std::int64_t members = settings.members + settings.budget[Fault::add_member];
  const std::int64_t answers = members * settings.policy.attempts_max + settings.budget.total;
  return !uncounted && settings.budget[Fault::database_crash] == 0 &&
         members < static_cast<std::int64_t>(core::Weather::least) &&
         answers < static_cast<std::int64_t>(core::Weather::window);
}

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

Exhausted exhaust(const WorldSettings& settings, const std::function<bool(const Exhausted&)>& go_on,
                  const ExhaustOptions& options) {
  Exhausted result;
  const bool ahead = is_small(settings) && !options.exact;
  const auto detail = ahead ? Digest::Detail::ahead : Digest::Detail::all;
  Seen seen;
  Path path(settings);
  const auto visit = [&](Frame& frame) {
    // Not left to the fingerprint: what was broken on the way to a world is no part of it.
    if (const auto& verdict = frame.world.verdict()) {
      result.broken.set(static_cast<std::size_t>(verdict->oracle));
      if (!result.verdict) result.verdict = verdict;
      return;
    }
    if (!seen.insert(frame.world.fingerprint(detail))) return;
    ++result.states;
    if (frame.world.over()) {
      ++result.ends;
      return;
    }
    all_moves(frame.world, frame.moves);
    frame.next = 0;
    path.push();
    result.deepest = std::max(result.deepest, path.depth());
  };
  visit(path.beyond());
  while (!path.empty()) {
    if (path.back().next == path.back().moves.size()) {
      path.pop();
      continue;
    }
    path.step();
    ++result.moves;
    visit(path.beyond());
    if (result.verdict && !options.past_verdicts) {
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
