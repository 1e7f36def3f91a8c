// A campaign in memory, for tests of the worker alone: what its statements do to members, batches
// and the shared rate, in one thread. What two sessions do to each other is not here: that is
// tested on PostgreSQL.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/policy.h"
#include "core/store.h"

namespace core::testing {

class CampaignInMemory : public Store {
 public:
  struct Member {
    RowState state = RowState::pending;
    std::string reason;
    int attempts = 0;
    std::optional<DbTime> not_before;  // set: in the retry pool
    std::optional<DbTime> since;       // may have been sent since
    int expired_claims = 0;
    bool opted_out = false;
    Token token;  // retry pool: of its claim
    std::optional<DbTime> lease_until;
    int times_sent = 0;  // how often a record turned it into sent
  };
  struct Batch {
    std::vector<MemberId> members;
    enum { open, leased, done } state = open;
    Token token;
    DbTime lease_until{};
    int expired_claims = 0;
    std::optional<DbTime> since;
  };

  CampaignInMemory(const Policy& policy, std::int64_t members);

  StoreReply execute(const StoreCommand& command) override;

  std::int64_t count(RowState state) const;
  std::int64_t attempts() const;  // of all members

  DbTime now{std::chrono::hours(500'000)};
  std::map<MemberId, Member> members;
  std::map<std::int64_t, Batch> batches;
  std::vector<StoreCommand> log;
  std::vector<DbTime> slots;  // every one that was given out
  DbTime next_slot{};
  DbTime paused_until{};
  bool halted = false;
  std::optional<DbTime> not_after;

 private:
  struct Run;
  bool all_done() const;
  void apply(const Outcome& outcome, bool retries);

  Policy policy_;
  int plan_version_ = 0;
};

}  // namespace core::testing
