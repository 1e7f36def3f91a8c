// What a sender or a bystander might ask next, drawn with the campaign's rows in view.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/rng.h"
#include "sim/database/model_database.h"

namespace sim::pg {

class Requests {
 public:
  // ascending: see PlannerSettings.
  Requests(std::uint64_t seed, core::Policy policy, bool ascending);

  ModelDatabase::Request draw(const ModelDatabase& model, core::DbTime now);
  // What came of a request: later ones record and read back the claims that it made.
  void heard(const ModelDatabase::Request& request, const core::StoreAnswer& answer);

 private:
  struct Claim {
    bool retries = false;
    core::BatchId batch{};
    core::Token token;
    std::vector<core::MemberId> members;
  };

  enum class Kind : std::uint8_t {
    claim_batch,
    claim_retries,
    read_back_batch,
    read_back_retries,
    reserve_slots,
    recheck,
    record_batch,
    record_retries,
    pause,
    sweep,
    plan,
    totals,
    kinds
  };

  std::uint64_t pick(std::uint64_t below) { return rng_.next() % below; }
  bool chance(std::uint64_t percent) { return pick(100) < percent; }
  core::Token fresh() { return {rng_.next(), rng_.next()}; }
  core::MemberId member(const ModelDatabase& model);
  core::MemberId member_who(const ModelDatabase& model, const auto& fits);
  const Claim* claim(bool retries);
  core::Token token(bool retries);  // of a claim, mostly
  std::vector<core::MemberId> some_of(const Claim& claim, const ModelDatabase& model);
  core::Outcome outcome(core::MemberId member, core::DbTime now);
  Kind kind();
  core::StoreCommand command(const ModelDatabase& model, core::DbTime now);
  core::Recheck recheck_some(const ModelDatabase& model);
  core::StoreCommand record(const ModelDatabase& model, core::DbTime now, bool retries);
  ModelDatabase::Request late(const ModelDatabase& model);
  Bystander bystander(const ModelDatabase& model);

  core::Rng rng_;
  // How often each kind comes; by schedule, up to six times as often as another.
  std::array<int, static_cast<std::size_t>(Kind::kinds)> weights_{15, 13, 4, 4, 4, 7,
                                                                  26, 13, 4, 3, 4, 2};
  core::Policy policy_;
  bool ascending_;
  std::vector<Claim> claims_;
  std::vector<ModelDatabase::Request> records_;  // the last few, to be sent again
  std::vector<core::DbTime> dues_;               // that records have given
  bool ties_ = false;                            // members of the pool may be due at the same time
};

}  // namespace sim::pg
