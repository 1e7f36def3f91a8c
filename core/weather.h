// Tells a provider's outage from a member's own trouble.
//
// When at least half of the last 50 answers, about at least 20 members, over at least 2 s say 5xx,
// 429 or time-out, that is weather: nobody's attempts are used and everybody pauses. Until that is
// decided, bad answers are held. Members are counted, not answers: a few who always fail would
// otherwise become an outage by their own retries. Fewer than 20 can't tell and use attempts.
#pragma once

#include <cstdint>
#include <vector>

#include "core/digest.h"
#include "core/ids.h"
#include "core/room.h"
#include "core/time.h"

namespace core {

class Weather {
 public:
  static constexpr std::size_t window = 50;  // answers
  static constexpr std::size_t least = 20;   // members with a bad one among them
  static constexpr Duration span{2'000'000};
  // Too few to tell, and nothing under way that could tell more: after this the answers count.
  static constexpr Duration undecided_max{5'000'000};

  void observe(MemberId member, bool bad, Instant now);
  // Half or more are bad, or nothing was seen yet: hold bad answers.
  bool suspect() const;
  // Too few members to tell.
  bool too_few() const;
  // At `now` it is an outage.
  bool declared(Instant now) const;
  // When an outage that is suspected now will be declared if nothing changes.
  Instant decides_at() const { return bad_since_ + span; }
  // After a pause: start judging anew.
  void clear();
  // Detail::ahead takes for granted that there are fewer than `least` members and `window` answers:
  // then nothing is ever declared or forgotten, and only how many more are bad than are not decides
  // suspect(), now and after any answers to come.
  void describe(Digest& digest) const;
  std::size_t held_bytes() const { return room(last_); }

 private:
  struct Seen {
    MemberId member{};
    bool bad = false;
  };

  std::vector<Seen> last_;  // ring of the last answers
  std::size_t next_ = 0;
  std::size_t bad_ = 0;
  Instant bad_since_{};  // since when at least half have been bad
};

}  // namespace core
