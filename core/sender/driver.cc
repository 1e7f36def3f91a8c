#include "core/sender/driver.h"

#include <algorithm>
#include <unordered_map>

#include "core/assert.h"
#include "core/metrics/forecast.h"
#include "core/os/process.h"
#include "core/sender/database_thread.h"
#include "core/sender/lanes.h"
#include "core/sender/log.h"
#include "core/sender/mailbox.h"
#include "core/worker.h"

namespace core::sender {
namespace {

constexpr Duration overdue_check{50'000};
constexpr Duration progress_every{5'000'000};
constexpr Duration remaining_every{10'000'000};

std::chrono::steady_clock::time_point steady(Instant instant) {
  return std::chrono::steady_clock::time_point(instant.time_since_epoch());
}

}  // namespace

class Driver::Impl {
 public:
  Impl(const Policy& policy, pg::PgStore& store, std::vector<std::unique_ptr<Provider>> lanes,
       Duration poll, std::uint64_t seed, int plan_version, const Hours& hours,
       metrics::Metrics& metrics, metrics::Publisher& publisher)
      : worker_(policy, seed, plan_version),
        hours_(hours),
        poll_(poll),
        silent_max_(policy.lease + policy.statement_timeout),
        metrics_(metrics),
        publisher_(publisher),
        started_at_(lanes.size()),
        lanes_(std::move(lanes), policy.worst_send(), mailbox_),
        database_(store, mailbox_) {}

  Exit run() {
    tell(Started{hours_});
    std::vector<Message> messages;
    while (!exit_) {
      const Instant next_check =
          std::min(wait_until_, last_now_ + (sending_ > 0 ? overdue_check : Duration(1s)));
      mailbox_.take(messages, steady(next_check));
      now();
      if (messages.empty()) tell(Tick{});
      for (Message& message : messages) receive(message);
      if (sending_ > 0 && last_now_ >= overdue_at_) {
        overdue_at_ = last_now_ + overdue_check;
        lanes_.cancel_overdue(last_now_);
      }
      give_up_on_a_silent_database();
      poll_clock();
      say_progress();
    }
    return *exit_;
  }

  void stop() { mailbox_.put(Stop{}); }

 private:
  Instant now() { return last_now_ = std::max(last_now_, os::monotonic_now()); }

  void tell(const Event& event) {
    worker_.on(now(), event);
    while (!exit_) {
      auto command = worker_.next();
      if (!command) return;
      std::visit([&](auto& c) { obey(c); }, *command);
    }
  }

  void receive(Message& message) {
    if (exit_) return;
    if (auto* reply = std::get_if<StoreReply>(&message)) {
      answer_due_.reset();
      metrics_.answered(reply->answer);
      keep_payload(*reply);
      tell(std::move(reply->answer));
      drop_payload();
    } else if (auto* finished = std::get_if<SendFinished>(&message)) {
      lanes_.finished(finished->lane);
      metrics_.request_finished(*finished, last_now_ - started_at(finished->lane));
      --sending_;
      say_provider_away(*finished);
      tell(*finished);
    } else if (auto* read = std::get_if<ClockRead>(&message)) {
      reading_clock_ = false;
      if (read->now && idle_until_ && *read->now >= *idle_until_) {
        stop_idling();
        tell(Due{*read->now});
      }
    } else if (auto* counted = std::get_if<RemainingRead>(&message)) {
      reading_remaining_ = false;
      if (counted->members) forecast_.add(last_now_, remaining_.emplace(*counted->members));
    } else {
      tell(Stop{});
      Log("stopping")
          .number("in_flight", worker_.in_flight())
          .number("holding", worker_.holding())
          .write();
    }
  }

  void obey(StoreCommand& command) {
    // An idle worker that looks for work now and then is still waiting; only finding some ends the
    // wait.
    const bool looks = std::holds_alternative<ClaimBatch>(command) ||
                       std::holds_alternative<ClaimRetries>(command);
    if (!looks) stop_idling();
    const bool whole_campaign = std::holds_alternative<Plan>(command) ||
                                std::holds_alternative<Sweep>(command) ||
                                std::holds_alternative<CountTotals>(command);
    answer_due_ =
        last_now_ + silent_max_ + (whole_campaign ? pg::whole_campaign_timeout : Duration(0));
    metrics_.asked(command);
    database_.ask(std::move(command));
  }

  void obey(const Send& send) {
    const auto address = addresses_.find(send.member);
    ASSERT(address != addresses_.end());
    lanes_.start(send, address->second, last_now_);
    started_at(send.lane) = last_now_;
    metrics_.request_started();
    ++sending_;
  }

  void obey(const Wait& wait) {
    wait_until_ = wait.until;
    if (!wait.db_until || wait.holding > 0) {
      if (wait.holding > 0) stop_idling();
      return;
    }
    if (idle_until_ == wait.db_until) return;
    idle_until_ = wait.db_until;
    next_poll_ = last_now_ + poll_;
    Log("waiting")
        .number("until_us", wait.db_until->time_since_epoch().count())
        .number("holding", wait.holding)
        .write();
  }

  // A server that keeps the connection open and answers nothing, not even a time-out: sending has
  // stopped long before, by each claim's own deadline, and nothing can be recorded.
  void give_up_on_a_silent_database() {
    if (exit_ || !answer_due_ || last_now_ < *answer_due_) return;
    exit_ = Exit{ExitCode::work_remains, "the database does not answer", worker_.report()};
  }

  void obey(const Exit& exit) { exit_ = exit; }

  void stop_idling() {
    if (!idle_until_) return;
    idle_until_.reset();
    Log("working").write();
  }

  void poll_clock() {
    if (!idle_until_ || exit_) return;
    if (!reading_clock_ && last_now_ >= next_poll_) {
      reading_clock_ = true;
      next_poll_ = last_now_ + poll_;
      database_.read_clock();
    }
    wait_until_ = std::min(wait_until_, next_poll_);
  }

  void keep_payload(StoreReply& reply) {
    const auto* claimed = std::get_if<Claimed>(&reply.answer.result);
    if (claimed == nullptr) return;
    if (claimed->found) stop_idling();
    for (std::size_t i = 0; i < claimed->members.size(); ++i) {
      addresses_.insert_or_assign(claimed->members[i].id, std::move(reply.addresses[i]));
    }
    kept_claims_ = true;
  }

  // After a claim: whatever belongs to no claim of the worker any more goes.
  void drop_payload() {
    if (!kept_claims_) return;
    kept_claims_ = false;
    std::unordered_map<MemberId, std::string> kept;
    for (const Claim& claim : worker_.claims()) {
      for (const ClaimMember& member : claim.members()) {
        if (member.phase > MemberPhase::flying) continue;  // a flying one may come back unstarted
        auto node = addresses_.extract(member.member.id);
        if (!node.empty()) kept.insert(std::move(node));
      }
    }
    addresses_ = std::move(kept);
  }

  void say_provider_away(const SendFinished& finished) {
    const Transport transport = finished.answer.transport;
    if (!finished.started || transport == Transport::answered || last_now_ < next_away_) return;
    next_away_ = last_now_ + progress_every;
    Log("provider_away")
        .text("error", transport == Transport::not_sent    ? "no connection"
                       : transport == Transport::untrusted ? "its certificate is not trusted"
                                                           : "no answer")
        .write();
  }

  void say_progress() {
    if (last_now_ < next_progress_) return;
    if (next_progress_ != Instant{}) {
      count_remaining();
      metrics_.holding(worker_.holding());
      publisher_.write_file();
      Log line("progress");
      line.number("sent", worker_.report().sent)
          .number("in_flight", worker_.in_flight())
          .number("holding", worker_.holding());
      if (remaining_) line.number("remaining", *remaining_);
      if (const auto finish = forecast_.finish_in(); remaining_ && finish)
        line.number("finish_in_s", *finish / 1s);
      line.write();
    }
    next_progress_ = last_now_ + progress_every;
  }

  // An idle worker asks nothing: the harness moves the clock only while no statement runs.
  void count_remaining() {
    if (remaining_) metrics_.remaining(*remaining_, forecast_.finish_in());
    if (reading_remaining_ || idle_until_ || last_now_ < next_remaining_) return;
    reading_remaining_ = true;
    next_remaining_ = last_now_ + remaining_every;
    database_.read_remaining();
  }

  Instant& started_at(std::int64_t lane) { return started_at_[static_cast<std::size_t>(lane)]; }

  Worker worker_;
  Hours hours_;
  Duration poll_;
  Duration silent_max_;
  std::optional<Instant> answer_due_;  // of the statement that was asked
  metrics::Metrics& metrics_;
  metrics::Publisher& publisher_;
  metrics::Forecast forecast_;
  std::optional<std::int64_t> remaining_;  // of the whole campaign, as last counted
  std::vector<Instant> started_at_;        // by lane
  Mailbox mailbox_;
  std::unordered_map<MemberId, std::string> addresses_;
  bool kept_claims_ = false;
  std::int64_t sending_ = 0;
  Instant last_now_{};
  Instant wait_until_{};
  Instant overdue_at_{};
  Instant next_poll_{};
  Instant next_progress_{};
  Instant next_away_{};
  Instant next_remaining_{};
  bool reading_clock_ = false, reading_remaining_ = false;
  std::optional<DbTime> idle_until_;
  std::optional<Exit> exit_;
  Lanes lanes_;  // last: their threads end before what they use
  DatabaseThread database_;
};

Driver::Driver(const Policy& policy, pg::PgStore& store,
               std::vector<std::unique_ptr<Provider>> lanes, Duration poll, std::uint64_t seed,
               int plan_version, const Hours& hours, metrics::Metrics& metrics,
               metrics::Publisher& publisher)
    : impl_(std::make_unique<Impl>(policy, store, std::move(lanes), poll, seed, plan_version, hours,
                                   metrics, publisher)) {}
Driver::~Driver() = default;
Exit Driver::run() {
  return impl_->run();
}
void Driver::stop() {
  impl_->stop();
}

}  // namespace core::sender
