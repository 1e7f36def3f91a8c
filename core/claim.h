// One live claim of a worker, a batch or a handful of retries, and where each of its members
// stands.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/commands.h"
#include "core/digest.h"
#include "core/policy.h"
#include "core/room.h"

namespace core {

// open -> checked -> flying -> held or answered -> recording -> settled. checked falls back to open
// when its check grows old; a record that has to be repeated is repeated as it was.
enum class MemberPhase : std::uint8_t { open, checked, flying, held, answered, recording, settled };

// What will be recorded of an answered member.
enum class Fate : std::uint8_t {
  sent,
  refused,     // failed, its own fault
  retry,       // counted: an attempt is used
  wait,        // not counted: throttled, weather
  put_aside,   // unknown: too late for its key, or poison
  scattered,   // of a batch whose claims keep expiring: to the retry pool unsent
  unsendable,  // failed: its address
  released,    // unsent, as it was
};

struct ClaimMember {
  ClaimedMember member;
  MemberPhase phase = MemberPhase::open;
  Fate fate = Fate::sent;
  AnswerKind kind = AnswerKind::sent;
  std::uint32_t sent_before = 0;  // how many answers before this one said 200
  bool doubt = false;    // may have been sent: by an earlier claim, or by this one's unclear answer
  bool started = false;  // counts against the bound of unrecorded members
  int status = 0;
  Duration delay{0};  // for retry and wait
  Instant at{};       // checked: when the check began; held, answered: when the answer came
};

class Claim {
 public:
  std::uint32_t serial = 0;
  bool retries = false;
  BatchId batch{};
  Token token;
  Instant stop_sending{};  // no request starts at or after this
  bool doubtful = false;   // its members may have been sent by an earlier claim
  bool lost = false;       // fenced: nothing more is sent or recorded
  bool releasing = false;  // the unsent rest is handed back

  const std::vector<ClaimMember>& members() const { return members_; }
  ClaimMember& at(std::size_t index) { return members_[index]; }
  void add(const ClaimMember& member);
  void move(std::size_t index, MemberPhase to);
  std::int64_t in(MemberPhase phase) const { return counts_[static_cast<std::size_t>(phase)]; }
  std::int64_t unstarted() const { return in(MemberPhase::open) + in(MemberPhase::checked); }
  // Members before this index are past open and checked.
  std::size_t first_unstarted() const { return first_unstarted_; }
  // The batch claim ends with the next record / all retries are settled.
  bool can_end() const;
  std::size_t held_bytes() const { return room(members_); }
  void describe(Digest& digest, const Policy& policy) const;

 private:
  std::vector<ClaimMember> members_;
  std::array<std::int64_t, 7> counts_{};
  std::size_t first_unstarted_ = 0;
};

// The outcome that a record will write for an answered member.
Outcome outcome_of(const ClaimMember& member, const Policy& policy);

}  // namespace core
