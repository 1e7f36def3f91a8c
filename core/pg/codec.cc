#include "core/pg/codec.h"

#include <charconv>
#include <cstdint>

#include "core/address.h"
#include "core/assert.h"
#include "core/row_state.h"
#include "embedded/core_pg/statements.h"

namespace core::pg {
namespace {

template <typename T, typename Print>
std::string braces(const std::vector<T>& values, Print print) {
  std::string text = "{";
  for (const T& value : values) {
    if (text.size() > 1) text += ',';
    text += print(value);
  }
  text += '}';
  return text;
}

std::string quoted(const std::string& text) {
  std::string element = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') element += '\\';
    element += c;
  }
  return element + '"';
}

std::string microseconds(Duration duration) {
  return std::to_string(duration.count());
}

// The seven parallel arrays that both record statements take.
void append_outcomes(std::vector<std::string>& params, const std::vector<Outcome>& outcomes) {
  params.push_back(
      braces(outcomes, [](const Outcome& o) { return std::to_string(number(o.member)); }));
  params.push_back(
      braces(outcomes, [](const Outcome& o) { return std::string(name_of(o.state)); }));
  params.push_back(braces(outcomes, [](const Outcome& o) {
    return o.reason.empty() ? std::string("NULL") : quoted(o.reason);
  }));
  params.push_back(braces(outcomes, [](const Outcome& o) { return std::to_string(o.attempts); }));
  params.push_back(braces(outcomes, [](const Outcome& o) {
    return o.delay ? microseconds(*o.delay) : std::string("NULL");
  }));
  params.push_back(
      braces(outcomes, [](const Outcome& o) { return std::string(o.doubt ? "t" : "f"); }));
  params.push_back(
      braces(outcomes, [](const Outcome& o) { return std::to_string(o.expired_claims); }));
}

struct Encoder {
  const Context& context;
  Call operator()(const Plan& plan) const {
    return {{"plan", statements::plan, true},
            {context.campaign, std::to_string(plan.plan_version),
             std::to_string(context.policy.batch)}};
  }
  Call operator()(const ClaimBatch& claim) const {
    return {{"claim_batch", statements::claim_batch},
            {context.campaign, to_string(claim.token), microseconds(context.policy.lease),
             std::to_string(context.policy.batch), std::to_string(INT32_MIN),
             std::to_string(INT64_MIN)}};
  }
  Call operator()(const ClaimRetries& claim) const {
    return {{"claim_retries", statements::claim_retries},
            {context.campaign, to_string(claim.token), microseconds(context.policy.lease),
             std::to_string(claim.limit), claim.suspects ? "t" : "f",
             std::to_string(context.policy.suspect_after), "0"}};
  }
  Call operator()(const ReadBack& read_back) const {
    if (read_back.retries) {
      return {{"read_back_retries", statements::read_back_retries},
              {context.campaign, to_string(read_back.token)}};
    }
    return {{"read_back_batch", statements::read_back_batch},
            {context.campaign, to_string(read_back.token), std::to_string(context.policy.batch)}};
  }
  Call operator()(const ReserveSlots& reserve) const {
    return {{"reserve_slots", statements::reserve_slots},
            {context.provider, std::to_string(reserve.count),
             std::to_string(context.policy.pace_permille)}};
  }
  Call operator()(const Recheck& recheck) const {
    return {{"recheck", statements::recheck},
            {context.campaign, array_of(recheck.members), context.provider,
             braces(recheck.retry_tokens, [](const Token& token) { return to_string(token); }),
             std::to_string(context.hours_version)}};
  }
  Call operator()(const RecordBatch& record) const {
    Call call{{"record_batch", statements::record_batch},
              {context.campaign, std::to_string(number(record.batch)), to_string(record.token),
               array_of(record.sent)}};
    append_outcomes(call.params, record.others);
    call.params.push_back(record.ends ? "t" : "f");
    call.params.push_back(record.keep_doubt ? "t" : "f");
    return call;
  }
  Call operator()(const RecordRetries& record) const {
    Call call{{"record_retries", statements::record_retries},
              {context.campaign, to_string(record.token), array_of(record.sent)}};
    append_outcomes(call.params, record.others);
    return call;
  }
  Call operator()(const Pause& pause) const {
    return {{"pause", statements::pause}, {context.provider, microseconds(pause.length)}};
  }
  Call operator()(const Sweep& sweep) const {
    return {{"sweep", statements::sweep, true},
            {context.campaign, std::to_string(sweep.plan_version),
             std::to_string(context.policy.batch)}};
  }
  Call operator()(const CountTotals&) const {
    return {{"totals", statements::totals, true}, {context.campaign}};
  }
  Call operator()(const SkipStale&) const {
    return {{"skip_stale", statements::skip_stale},
            {context.campaign, std::to_string(SkipStale::batches_most),
             std::to_string(SkipStale::retries_most)}};
  }
};

std::int64_t integer(const std::optional<std::string>& column) {
  ASSERT(column.has_value());
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(column->data(), column->data() + column->size(), value);
  ASSERT(error == std::errc() && end == column->data() + column->size());
  return value;
}

DbTime time(const std::optional<std::string>& column) {
  return DbTime(Duration(integer(column)));
}

std::optional<DbTime> time_or_none(const std::optional<std::string>& column) {
  if (!column || *column == "0") return std::nullopt;
  return time(column);
}

bool flag(const std::optional<std::string>& column) {
  return column && *column == "t";
}

std::vector<MemberId> members_of(const std::string& array) {
  std::vector<MemberId> members;
  const char* at = array.data() + 1;
  const char* const end = array.data() + array.size() - 1;
  while (at < end) {
    std::int64_t value = 0;
    at = std::from_chars(at, end, value).ptr + 1;
    members.push_back(MemberId(value));
  }
  return members;
}

// Rows of claim_batch and read_back_batch: the claim, then its members.
StoreReply decode_batch(const std::vector<Row>& rows) {
  StoreReply reply;
  const Row& first = rows.at(0);
  reply.answer.db_now = time(first[0]);
  Claimed claimed;
  claimed.found = first[1].has_value();
  claimed.wake = time_or_none(first[4]);
  claimed.halted = flag(first[5]);
  if (claimed.found) {
    claimed.batch = BatchId(integer(first[1]));
    claimed.since = time(first[2]);
    claimed.expired_claims = static_cast<int>(integer(first[3]));
  }
  for (const Row& row : rows) {
    if (!row[6]) continue;
    ClaimedMember member;
    member.id = MemberId(integer(row[6]));
    member.attempts = static_cast<int>(integer(row[8]));
    member.since = claimed.since;
    reply.addresses.push_back(row[7].value_or(""));
    member.sendable = is_sendable_address(reply.addresses.back());
    claimed.members.push_back(member);
  }
  reply.answer.result = std::move(claimed);
  return reply;
}

// Columns of claim_retries and read_back_retries.
StoreReply decode_retries(const std::vector<Row>& rows) {
  StoreReply reply;
  const Row& first = rows.at(0);
  reply.answer.db_now = time(first[0]);
  Claimed claimed;
  claimed.found = first[3].has_value();
  claimed.wake = time_or_none(first[1]);
  claimed.halted = flag(first[2]);
  for (const Row& row : rows) {
    if (!row[3]) continue;
    ClaimedMember member;
    member.id = MemberId(integer(row[3]));
    member.attempts = static_cast<int>(integer(row[5]));
    member.expired_claims = static_cast<int>(integer(row[6]));
    member.since = time(row[7]);
    reply.addresses.push_back(row[4].value_or(""));
    member.sendable = is_sendable_address(reply.addresses.back());
    claimed.members.push_back(member);
  }
  reply.answer.result = std::move(claimed);
  return reply;
}

RecordVerdict verdict_of(const std::string& text) {
  if (text == "recorded") return RecordVerdict::recorded;
  if (text == "already") return RecordVerdict::already;
  ASSERT(text == "stale");
  return RecordVerdict::stale;
}

struct Decoder {
  const std::vector<Row>& rows;
  const Row& row() const { return rows.at(0); }
  template <typename T>
  StoreReply reply(T result) const {
    StoreReply made;
    made.answer.db_now = time(row()[0]);
    made.answer.result = std::move(result);
    return made;
  }
  StoreReply operator()(const Plan&) const {
    return reply(Planned{flag(row()[1]), static_cast<int>(integer(row()[2]))});
  }
  StoreReply operator()(const ClaimBatch&) const { return decode_batch(rows); }
  StoreReply operator()(const ClaimRetries&) const { return decode_retries(rows); }
  StoreReply operator()(const ReadBack& read_back) const {
    return read_back.retries ? decode_retries(rows) : decode_batch(rows);
  }
  StoreReply operator()(const ReserveSlots& reserve) const {
    SlotsReserved slots;
    slots.paused_until = time_or_none(row()[3]);
    if (integer(row()[1]) > 0) {
      slots.count = reserve.count;
      slots.first = time(row()[1]);
      slots.interval = Duration(integer(row()[2]));
    }
    return reply(slots);
  }
  StoreReply operator()(const Recheck&) const {
    return reply(Rechecked{members_of(row()[3].value()), time_or_none(row()[1]), flag(row()[2])});
  }
  StoreReply operator()(const RecordBatch&) const {
    return reply(Recorded{verdict_of(row()[1].value()), integer(row()[2])});
  }
  StoreReply operator()(const RecordRetries&) const {
    return reply(Recorded{verdict_of(row()[1].value()), integer(row()[2])});
  }
  StoreReply operator()(const Pause&) const { return reply(Paused{time(row()[1])}); }
  StoreReply operator()(const Sweep&) const {
    return reply(Swept{flag(row()[1]), static_cast<int>(integer(row()[2])), integer(row()[3]),
                       integer(row()[4])});
  }
  StoreReply operator()(const CountTotals&) const {
    const Row& r = row();
    return reply(Totals{integer(r[1]), integer(r[2]), integer(r[3]), integer(r[4]), integer(r[5]),
                        integer(r[6]), integer(r[7]), integer(r[8])});
  }
  StoreReply operator()(const SkipStale&) const {
    const Row& r = row();
    return reply(Skipped{integer(r[1]), integer(r[2]), time_or_none(r[3]), flag(r[4])});
  }
};

}  // namespace

std::string array_of(const std::vector<MemberId>& members) {
  return braces(members, [](MemberId id) { return std::to_string(number(id)); });
}

std::string array_of(const std::vector<std::string>& texts) {
  return braces(texts, quoted);
}

Call encode(const StoreCommand& command, const Context& context) {
  return std::visit(Encoder{context}, command);
}

StoreReply decode(const StoreCommand& command, const std::vector<Row>& rows) {
  return std::visit(Decoder{rows}, command);
}

// Class 08, 40, 53, 55, 57 and 58: connections, deadlocks and serialization, resources, locks, an
// administrator's or a time-out's cancel, the system; and 25006, a server that is read-only until a
// fail-over is done. The rest is a fault of schema, permission or statement (PostgreSQL 17,
// appendix A).
bool passes(const std::string& sqlstate) {
  const std::string type = sqlstate.substr(0, 2);
  return type == "08" || type == "40" || type == "53" || type == "55" || type == "57" ||
         type == "58" || sqlstate == "25006";
}

StoreAnswer failure(const Result& result) {
  StoreAnswer answer;
  answer.error = result.error;
  if (result.delivery == Delivery::lost) {
    answer.status = StoreStatus::in_doubt;
  } else if (result.delivery == Delivery::not_sent) {
    answer.status = StoreStatus::not_done;
  } else {
    answer.status = passes(result.sqlstate) ? StoreStatus::not_done : StoreStatus::refused;
  }
  return answer;
}

}  // namespace core::pg
