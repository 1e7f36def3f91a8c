// What others than senders do to the campaign while it is sent. Each is one statement that commits
// at once, while no transaction is open: it never waits.
#include "sim/world/world.h"

namespace sim {
namespace {

constexpr core::Duration campaign_stands{60'000'000};

}  // namespace

void World::campaign_misfortunes(std::vector<Offer>& offers) const {
  if (transactions_open()) return;
  const auto add = [&](Fault fault, Command command, core::MemberId member = {}) {
    if (budget_.allows(fault)) offers.push_back({{environment, command, core::number(member)}, 0});
  };
  for (const MemberRow& member : database_.members()) {
    if (!budget_.allows(Fault::opt_out) && !budget_.allows(Fault::withdraw_opt_out)) break;
    if (member.state != core::RowState::pending) continue;
    if (member.opted_out_at) {
      add(Fault::withdraw_opt_out, Command::withdraw_opt_out, member.id);
    } else {
      add(Fault::opt_out, Command::opt_out, member.id);
    }
  }
  add(Fault::add_member, Command::add_member);
  add(Fault::pause_campaign,
      database_.campaign().paused ? Command::resume_campaign : Command::pause_campaign);
}

void World::write(const Bystander& bystander) {
  database_.execute(bystander, db_now());
  if (calls_ != nullptr)
    note(DatabaseCall::Kind::at_once, environment, bystander, core::StoreAnswer());
}

void World::befall_campaign(const Move& move) {
  if (move.command == Command::opt_out) {
    opt_out(core::MemberId(move.subject));
  } else if (move.command == Command::withdraw_opt_out) {
    withdraw_opt_out(core::MemberId(move.subject));
  } else if (move.command == Command::add_member) {
    add_member();
  } else {
    pause_campaign(move.command == Command::pause_campaign);
  }
}

void World::pause_campaign(bool paused) {
  write(PauseCampaign{paused});
  campaign_paused_at_ = now_;
  campaign_goes_on_at_.reset();
  if (paused) campaign_goes_on_at_ = now_ + campaign_stands;
  before_last_.reset();  // a crash doesn't undo what is watched
}

void World::resume_in_time() {
  if (campaign_goes_on_at_ && now_ >= *campaign_goes_on_at_ && !transactions_open())
    pause_campaign(false);
}

void World::opt_out(core::MemberId member) {
  write(OptOut{member});
  watch(member).has_opted_out = true;
  watch(member).opted_out = now_;
}

// From now on the member may be asked for again, once it is claimed.
void World::withdraw_opt_out(core::MemberId member) {
  write(WithdrawOptOut{member});
  watch(member).has_opted_out = false;
  before_last_.reset();  // a crash doesn't bring back an opt-out that is watched no more
}

// After the last one. A row in the midst of a range that is being sent is an opt-out withdrawn.
void World::add_member() {
  write(AddMember{settings_->priority_of(std::ssize(watches_) + 1)});
  watches_.emplace_back();
  provider_.add_member();
  before_last_.reset();  // a crash doesn't take from the world whom it has begun to watch
}

}  // namespace sim
