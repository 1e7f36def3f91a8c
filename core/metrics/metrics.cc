#include "core/metrics/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <atomic>
#include <map>
#include <mutex>

#include "core/answer_table.h"
#include "core/row_state.h"

namespace core::metrics {
namespace {

using prometheus::Counter;
using prometheus::Gauge;
using prometheus::Histogram;

double seconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

// What a record writes, by what becomes of the member.
std::map<std::string, std::int64_t> counted(const std::vector<MemberId>& sent,
                                            const std::vector<Outcome>& others) {
  std::map<std::string, std::int64_t> counts{
      {name_of(RowState::sent), static_cast<std::int64_t>(sent.size())}};
  for (const Outcome& outcome : others) {
    if (outcome.state != RowState::pending)
      ++counts[name_of(outcome.state)];
    else
      ++counts[outcome.delay ? "retry" : "released"];
  }
  return counts;
}

}  // namespace

struct Metrics::Families {
  explicit Families(std::string campaign_id) : campaign(std::move(campaign_id)) {
    // A counter that has never counted is there as 0: absence can't be told from a broken scrape.
    for (const KindRow& row : kind_rows())
      requests_by_kind.push_back(&requests.Add({{"kind", std::string(row.name)}}));
    for (const char* state : {"sent", "failed", "unknown", "retry", "released"})
      recorded.Add({{"state", state}});
    for (const char* of : {"batch", "retries", "suspects"}) claims.Add({{"of", of}});
  }

  prometheus::Family<Counter>& counter(const char* name, const char* help) {
    return prometheus::BuildCounter()
        .Name(std::string("campaign_sender_") + name)
        .Help(help)
        .Labels({{"campaign", campaign}})
        .Register(registry);
  }
  prometheus::Family<Gauge>& gauge(const char* name, const char* help) {
    return prometheus::BuildGauge()
        .Name(std::string("campaign_sender_") + name)
        .Help(help)
        .Labels({{"campaign", campaign}})
        .Register(registry);
  }

  std::string campaign;
  prometheus::Registry registry;

  prometheus::Family<Counter>& requests =
      counter("requests_total", "Requests that ended, by what the answer means.");
  std::vector<Counter*> requests_by_kind;  // in the order of AnswerKind
  Histogram& request_seconds =
      prometheus::BuildHistogram()
          .Name("campaign_sender_request_seconds")
          .Help("How long requests took.")
          .Labels({{"campaign", campaign}})
          .Register(registry)
          .Add({}, Histogram::BucketBoundaries{.025, .05, .1, .15, .2, .3, .5, 1, 2, 5, 7});
  Gauge& in_flight = gauge("requests_in_flight", "Requests under way.").Add({});
  Gauge& held = gauge("members_held", "Members claimed by this process.").Add({});
  prometheus::Family<Counter>& recorded =
      counter("recorded_total", "Members whose outcome was written, by what became of them.");
  Counter& stale =
      counter("stale_writes_total", "Records refused by the fence: another took the claim over.")
          .Add({});
  Counter& held_back =
      counter("held_back_total",
              "Members found opted out or no longer ours by the check right before a request.")
          .Add({});
  prometheus::Family<Counter>& claims = counter("claims_total", "Claims that found members.");
  prometheus::Family<Counter>& statements =
      counter("statements_total", "Database statements, by name and whether they were done.");
  prometheus::Family<Counter>& statement_seconds =
      counter("statement_seconds_total", "Client wall time spent in database statements.");
  Gauge& paused =
      gauge("provider_paused", "1 while everybody waits for the provider, else 0.").Add({});
  // Known late or not at all: registered when there is something to say.
  prometheus::Family<Gauge>& campaign_remaining =
      gauge("campaign_remaining", "Members of the campaign still open, counted by batches.");
  prometheus::Family<Gauge>& campaign_finish =
      gauge("campaign_finish_seconds", "Until the campaign is done at the last minute's pace.");
  prometheus::Family<Gauge>& campaign_members =
      gauge("campaign_members", "Members of the campaign by state, counted as the run ended.");
  prometheus::Family<Gauge>& exit_code =
      gauge("exit_code", "Of a run that has ended: 0 done, 1 again, 2 a person, 3 refused.");

  std::mutex mutex;  // of asked_*
  std::map<std::string, std::int64_t> asked_record;
  const char* asked_claim = nullptr;
};

Metrics::Metrics(const std::string& campaign) : families_(std::make_unique<Families>(campaign)) {}
Metrics::~Metrics() = default;

void Metrics::request_started() {
  families_->in_flight.Increment();
}

void Metrics::request_finished(const SendFinished& finished, Duration took) {
  families_->in_flight.Decrement();
  if (!finished.started) return;
  const AnswerKind kind = classify(finished.answer);
  families_->requests_by_kind[static_cast<std::size_t>(kind)]->Increment();
  families_->request_seconds.Observe(seconds(took));
}

void Metrics::asked(const StoreCommand& command) {
  const std::lock_guard lock(families_->mutex);
  families_->asked_record.clear();
  families_->asked_claim = nullptr;
  if (const auto* batch = std::get_if<RecordBatch>(&command))
    families_->asked_record = counted(batch->sent, batch->others);
  else if (const auto* retries = std::get_if<RecordRetries>(&command))
    families_->asked_record = counted(retries->sent, retries->others);
  else if (std::holds_alternative<ClaimBatch>(command))
    families_->asked_claim = "batch";
  else if (const auto* claim = std::get_if<ClaimRetries>(&command))
    families_->asked_claim = claim->suspects ? "suspects" : "retries";
  else if (const auto* lost = std::get_if<ReadBack>(&command))
    families_->asked_claim = lost->retries ? "retries" : "batch";
}

void Metrics::answered(const StoreAnswer& answer) {
  if (answer.status != StoreStatus::answered) return;
  Families& f = *families_;
  const std::lock_guard lock(f.mutex);
  if (const auto* recorded = std::get_if<Recorded>(&answer.result)) {
    if (recorded->verdict == RecordVerdict::stale) {
      f.stale.Increment();
      return;
    }
    for (const auto& [state, members] : f.asked_record)
      f.recorded.Add({{"state", state}}).Increment(static_cast<double>(members));
  } else if (const auto* claimed = std::get_if<Claimed>(&answer.result)) {
    if (claimed->found && f.asked_claim != nullptr)
      f.claims.Add({{"of", f.asked_claim}}).Increment();
  } else if (const auto* checked = std::get_if<Rechecked>(&answer.result)) {
    f.held_back.Increment(static_cast<double>(checked->held_back.size()));
    f.paused.Set(checked->paused_until ? 1 : 0);
  } else if (const auto* slots = std::get_if<SlotsReserved>(&answer.result)) {
    f.paused.Set(slots->paused_until ? 1 : 0);
  } else if (std::holds_alternative<Paused>(answer.result)) {
    f.paused.Set(1);
  }
}

void Metrics::statement(std::string_view name, Duration took, bool done) {
  const std::string text(name);
  families_->statements.Add({{"statement", text}, {"result", done ? "done" : "failed"}})
      .Increment();
  families_->statement_seconds.Add({{"statement", text}}).Increment(seconds(took));
}

void Metrics::holding(std::int64_t members) {
  families_->held.Set(static_cast<double>(members));
}

void Metrics::remaining(std::int64_t members, std::optional<Duration> finish_in) {
  families_->campaign_remaining.Add({}).Set(static_cast<double>(members));
  Gauge& finish = families_->campaign_finish.Add({});
  if (finish_in)
    finish.Set(seconds(*finish_in));
  else
    families_->campaign_finish.Remove(&finish);  // no estimate is better than the last one
}

void Metrics::finished(const Exit& exit) {
  families_->exit_code.Add({}).Set(static_cast<double>(exit.code));
  const Totals& totals = exit.report.totals;
  if (totals.total == 0) return;  // it ended before it could count
  for (const auto& [state, members] :
       {std::pair("sent", totals.sent), std::pair("failed", totals.failed),
        std::pair("unknown", totals.unknown), std::pair("skipped", totals.skipped),
        std::pair("opted_out", totals.opted_out), std::pair("remaining", totals.remaining)})
    families_->campaign_members.Add({{"state", state}}).Set(static_cast<double>(members));
}

std::string Metrics::text() const {
  return prometheus::TextSerializer().Serialize(families_->registry.Collect());
}

}  // namespace core::metrics
