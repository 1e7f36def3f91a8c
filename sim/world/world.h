// A night as a value: workers, the model of the database, the model of the provider, one clock. It
// decides nothing by itself: whoever drives it chooses among the moves it offers, and the same
// moves lead to the same world.
//
// Ownership: a plain value; copy it to come back to this moment. The settings must outlive it.
// Threads:   one at a time; copies may go to different threads while nothing is logged.
// Time:      virtual; it moves only by a move.
// Errors:    the first oracle that is broken is kept as the verdict, and the world stands still.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/database/database_call.h"
#include "sim/database/model_database.h"
#include "sim/provider/provider_model.h"
#include "sim/world/move.h"
#include "sim/world/oracle.h"
#include "sim/world/pod.h"
#include "sim/world/settings.h"

namespace sim {

// A move that the world offers now.
struct Offer {
  Move move;
  int index = 0;  // where it stands in the actor's lists
};

// What a scripted world keeps for whoever counts afterwards.
struct Arrival {  // of a request at the provider
  core::Instant at{};
  core::MemberId member{};
  int status = 0;  // 0: no answer
  fake_mail::Outcome outcome = fake_mail::Outcome::refused;
};
constexpr int killed_exit_code = 137;      // 128 + SIGKILL, as a shell and Kubernetes say it
constexpr int terminated_exit_code = 143;  // 128 + SIGTERM, of who doesn't handle it
struct Ended {
  int actor = 0;
  int exit_code = 0;
};

class World {
 public:
  explicit World(const WorldSettings& settings);

  // Everybody has left, or an oracle is broken, or it goes on too long where nobody minds
  // (ignored).
  bool over() const { return verdict_ || alive_ == 0 || steps_ >= settings_->steps_max; }
  const std::optional<Verdict>& verdict() const { return verdict_; }
  std::int64_t steps() const { return steps_; }
  core::Instant now() const { return now_; }
  core::DbTime db_now() const;
  const WorldSettings& settings() const { return *settings_; }

  // What goes on without any misfortune. The first is the default schedule's: one worker is
  // followed until it waits, then the next; the clock moves when nobody else can.
  // Requires: !over(). Returns: at least one.
  void offers(std::vector<Offer>& offers) const;
  // The other ways in which an offer may go, as far as the budget allows.
  void faults_of(const Offer& offer, std::vector<Choice>& choices) const;
  // Misfortunes that the budget allows: kills, opt-outs, what lands late.
  void misfortunes(std::vector<Offer>& offers) const;

  // Finds what the move says among all of these; nothing: it can't happen now.
  std::optional<Offer> find(const Move& move) const;

  // Requires: offered now, in this way; in a scripted world also a start, and a kill of who lives.
  void apply(const Offer& offer);

  // Every call on the database from now on is appended there as well; nullptr: no more. A copy of
  // the world appends to the same. A database_crash is not a call: nobody can ask it of a database.
  void log_calls(std::vector<DatabaseCall>* calls);

  // Equal worlds go on alike. `ahead` tells fewer apart, for a search of small worlds: see
  // exhaustive.cc for how small.
  std::uint64_t fingerprint(core::Digest::Detail detail = core::Digest::Detail::all) const;

  const Budget& budget() const { return budget_; }
  const ProviderModel& provider() const { return provider_; }
  const ModelDatabase& database() const { return database_; }
  const std::vector<Pod>& pods() const { return pods_; }
  std::int64_t stale_writes() const { return stale_writes_; }

  // A scripted world (settings().scripted) starts without workers; Command::start adds one, whose
  // actor is the number of those before it. world_script.cc.
  const std::vector<Arrival>& arrivals() const { return arrivals_; }
  const std::vector<Ended>& ended() const { return ended_; }
  // The most memory that one worker held at once: what it asked for, not what its process weighs.
  std::size_t peak_held_bytes() const { return peak_held_bytes_; }
  void suspend(int actor);  // SIGSTOP, until it is resumed
  void resume(int actor);
  void opt_out(core::MemberId member);
  void begin_outage(core::Duration lasts);
  void advance(core::Duration by);  // the clocks of database and provider, not the workers'
  // Delivery number `accept` freezes the provider and is not answered; the script thaws it before
  // the next move. Requires: it is yet to come.
  void freeze_at(std::int64_t accept) { provider_.set_trigger(accept, true); }
  void thaw();
  // What comes of the next statement is not heard before its process moves next. Requires: the next
  // move is a statement.
  void hold_answer() { holds_answer_ = true; }
  // The statements that were made ghosts are done now.
  void land();
  // Nobody can do anything any more: all who live are suspended.
  bool stuck() const;
  // No worker will be started any more, and the Job has not given up: everybody must have come to
  // an end.
  void settle() { watch_end(); }

 private:
  struct LateRequest {
    core::MemberId member{};
    MailText text;
    core::Instant until{};
  };
  // Sessions from here on belong to statements that outlived their process.
  static constexpr SessionId first_late_session = 1000;
  struct LateStatement {
    core::StoreCommand command;
    core::Instant until{};
    int actor = 0;
    SessionId session = 0;
    bool waiting = false;  // for a lock
  };
  struct Watch {  // of a member
    core::Instant opted_out{};
    bool has_opted_out = false;
    core::Token told_under;  // the claim under which somebody heard of it last, and what
    bool told_sent = false;
    bool told_refused = false;
    int answers = 0;      // about the member, whoever heard them: 429 is not
    bool misled = false;  // the provider delivered and said 503: a broken contract
    MailText first;
    bool mailed = false;
  };

  // world_apply.cc, world_statements.cc
  core::Instant provider_now() const { return now_ + provider_ahead_; }
  Pod fresh(int actor, std::int64_t incarnation) const;
  void tell(int actor, const core::Event& event);
  void obey(int actor, core::Command& command);
  void on_exit(int actor, const core::Exit& exit);
  void apply_statement(int actor, Choice choice);
  void hear(int actor, const core::StoreCommand& command, core::StoreAnswer answer);
  std::optional<core::StoreAnswer> execute(int actor, const core::StoreCommand& command);
  void commit(int actor);
  void roll_back(SessionId session);
  void note(DatabaseCall::Kind kind, SessionId session, ModelDatabase::Request request = {},
            std::optional<core::StoreAnswer> answer = std::nullopt) const;
  void outlive(int actor, const core::StoreCommand& command);
  void carry_on();
  void apply_send(int actor, int flight, Choice choice);
  core::SendAnswer deliver(int actor, const Flight& flight, Choice choice, core::Duration& latency);
  void finish(int actor, int flight, core::SendAnswer answer, bool started);
  void pass_time(const Move& move);
  core::Instant next_moment() const;
  void end_process(int actor);
  void start_again(int actor, std::int64_t incarnation);
  void start_in_time(int actor);
  void leave(int actor, int exit_code);
  void end_long_wait(int actor);
  void make(const Offer& offer);
  void strike(const Move& move);
  void befall(const Offer& offer);

  // world_campaign.cc
  void campaign_misfortunes(std::vector<Offer>& offers) const;
  void write(const Bystander& bystander);
  void befall_campaign(const Move& move);
  void pause_campaign(bool paused);
  void resume_in_time();
  void withdraw_opt_out(core::MemberId member);
  void add_member();

  // world_watch.cc
  void broken(Oracle oracle, std::string what);
  bool excused(Oracle oracle) const;
  bool misled(core::MemberId member) const;
  void watch_statement(int actor, const core::StoreCommand& command,
                       const core::StoreAnswer& answer);
  void watch_wait(const core::StoreCommand& command);
  void watch_changes(int actor, const core::StoreCommand& command);
  void watch_outcome(core::Token claim, const MemberRow& before, const MemberRow& after);
  void watch_claim(const core::StoreCommand& command, const core::Claimed& claimed);
  void watch_member(const MemberRow& member);
  void watch_token(const core::StoreCommand& command);
  void watch_ranges(const core::Claimed& claimed);
  void watch_order(const core::Claimed& claimed);
  void watch_record(const core::StoreCommand& command);
  void watch_skipped();
  bool claimed_under(core::Token claim, core::MemberId member) const;
  // Returns: whether the claim is alive.
  bool watch_request(int actor, core::MemberId member, core::Token claim, const MailText& text);
  void watch_pause();
  void watch_unrecorded(int actor);
  void forget_unrecorded(int actor, const core::StoreCommand& command);
  void watch_deliveries(core::MemberId member);
  void watch_end();
  std::string what_remains() const;  // a few of those who have not come to an end

  const MemberRow& row(core::MemberId member) const {
    return database_.members()[static_cast<std::size_t>(core::number(member) - 1)];
  }
  const BatchRow& row(core::BatchId batch) const {
    return database_.batches()[static_cast<std::size_t>(core::number(batch) - 1)];
  }
  // Not after a crash that lost its planning.
  bool knows(core::BatchId batch) const {
    return core::number(batch) <= std::ssize(database_.batches());
  }
  bool transactions_open() const;
  core::Hours hours() const { return settings_->hours(db_now() - world_begins); }
  core::Started started() const { return {hours()}; }
  bool may_send() const {
    const core::Hours now = hours();
    return now.opens == core::DbTime::min() && db_now() < now.not_after;
  }
  bool may_tell_weather() const { return database_.members().size() >= core::Weather::least; }
  bool ready(const Pod& pod) const {
    return !pod.left && !pod.starts_at && now_ >= pod.frozen_until;
  }
  Watch& watch(core::MemberId member) {
    return watches_[static_cast<std::size_t>(core::number(member) - 1)];
  }

  const WorldSettings* settings_;
  ModelDatabase database_;
  ProviderModel provider_;
  std::vector<Pod> pods_;
  std::vector<LateRequest> late_requests_;
  std::vector<LateStatement> late_statements_;
  std::vector<Watch> watches_;
  Budget budget_;
  core::Instant now_{};
  core::Instant paused_at_{};
  core::Instant campaign_paused_at_{};
  std::optional<core::Instant> campaign_goes_on_at_;  // of a paused one: at the latest
  core::DbTime paused_until_ = core::DbTime::min();   // as of the last step
  core::Duration db_ahead_{0};                        // the database's clock has jumped by this
  core::Duration provider_ahead_{0};                  // the provider's clock was advanced by this
  bool late_landed_ = false;
  bool crashed_ = false;                      // the database has, and has lost a commit
  std::optional<ModelDatabase> before_last_;  // commit; kept only while a crash is allowed
  int followed_ = 0;                          // the worker that moved last
  int alive_ = 0;
  SessionId late_sessions_ = first_late_session;
  bool holds_answer_ = false;
  std::int64_t steps_ = 0;
  std::int64_t stale_writes_ = 0;
  std::vector<Arrival> arrivals_;
  std::vector<Ended> ended_;
  std::size_t peak_held_bytes_ = 0;
  std::optional<Verdict> verdict_;
  std::vector<DatabaseCall>* calls_ = nullptr;
};

}  // namespace sim
