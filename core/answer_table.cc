#include "core/answer_table.h"

#include <array>

#include "core/policy.h"

namespace core {
namespace {

constexpr int none = 0;
constexpr std::array answers{
    AnswerRow{Transport::not_sent, none, none, AnswerKind::not_accepted,
              "no address, connection refused, connect time-out: no byte of it left"},
    AnswerRow{Transport::in_doubt, none, none, AnswerKind::in_doubt,
              "time-out, reset or nonsense after the request may have left"},
    AnswerRow{Transport::untrusted, none, none, AnswerKind::credentials,
              "the certificate is not accepted: whoever answers is not the provider"},
    AnswerRow{Transport::answered, 200, 200, AnswerKind::sent, "accepted"},
    AnswerRow{Transport::answered, 300, 399, AnswerKind::endpoint,
              "a redirect is not followed: it would carry addresses to another host"},
    AnswerRow{Transport::answered, 401, 401, AnswerKind::credentials,
              "the key is missing, wrong or expired (RFC 9110 15.5.2)"},
    AnswerRow{Transport::answered, 402, 402, AnswerKind::endpoint, "the account's own trouble"},
    AnswerRow{Transport::answered, 403, 405, AnswerKind::endpoint,
              "forbidden, not found, wrong method: the set-up's, if it is everybody's"},
    AnswerRow{Transport::answered, 406, 406, AnswerKind::endpoint, "the request's form"},
    AnswerRow{Transport::answered, 407, 407, AnswerKind::credentials,
              "a proxy asks who we are (RFC 9110 15.5.8)"},
    AnswerRow{Transport::answered, 408, 408, AnswerKind::not_accepted,
              "the server did not get the whole request (RFC 9110 15.5.9)"},
    AnswerRow{Transport::answered, 409, 409, AnswerKind::in_doubt,
              "the key is in progress, or was used with another payload: nobody knows which"},
    AnswerRow{Transport::answered, 415, 415, AnswerKind::endpoint, "the request's form"},
    AnswerRow{Transport::answered, 421, 421, AnswerKind::not_accepted,
              "not for this server (RFC 9110 15.5.20)"},
    AnswerRow{Transport::answered, 425, 425, AnswerKind::not_accepted,
              "too early, not processed (RFC 8470 5.2)"},
    AnswerRow{Transport::answered, 429, 429, AnswerKind::throttled, "too many (RFC 6585 4)"},
    AnswerRow{Transport::answered, 400, 499, AnswerKind::refused,
              "all other 4xx, 422 among them: this member's request is wrong"},
    AnswerRow{Transport::answered, 503, 503, AnswerKind::not_accepted,
              "not accepted now (RFC 9110 15.6.4)"},
    AnswerRow{Transport::answered, INT32_MIN, INT32_MAX, AnswerKind::in_doubt,
              "other 2xx, other 5xx, 1xx and what is no status: accepted or not, it doesn't say"},
};

static_assert(Policy().throttle_pause == std::chrono::seconds(1));  // as the table says

constexpr std::array kinds{
    KindRow{AnswerKind::sent, "sent", Delivered::yes, Charged::member, false, "sent", ""},
    KindRow{AnswerKind::refused, "refused", Delivered::no, Charged::member, false,
            "failed at once, never tried again", ""},
    KindRow{
        AnswerKind::not_accepted, "not accepted", Delivered::no, Charged::member_or_weather, true,
        "tried again after Retry-After or BACKOFF_S doubling with jitter, whichever is later, and "
        "LAST_TRY_S more before the last try while nobody is accepted; failed after MAX_ATTEMPTS",
        "if it is half of the answers: all pause, for Retry-After if it is longer, then one probe "
        "at "
        "a time"},
    KindRow{AnswerKind::in_doubt, "in doubt", Delivered::unknown, Charged::member_or_weather, true,
            "tried again like that, with the same key, while DEDUPE_WINDOW_S surely lasts; "
            "then, and after MAX_ATTEMPTS, unknown: a person decides",
            "if it is half of the answers: all pause, then one probe at a time"},
    KindRow{AnswerKind::throttled, "throttled", Delivered::no, Charged::nobody, true,
            "tried again after the pause",
            "all workers pause for Retry-After, a second without it"},
    KindRow{AnswerKind::endpoint, "set-up", Delivered::no, Charged::member_or_set_up, false,
            "failed if others are sent after it",
            "20 in a row, or all of a few: the run ends with exit 3, none of them touched"},
    KindRow{AnswerKind::credentials, "credentials", Delivered::no, Charged::nobody, false,
            "released unsent", "the run ends at once with exit 3, no member touched"},
};

std::string said(const AnswerRow& row) {
  switch (row.transport) {
    case Transport::not_sent:
      return "no connection";
    case Transport::in_doubt:
      return "no answer";
    case Transport::untrusted:
      return "untrusted";
    case Transport::answered:
      break;
  }
  if (row.first == INT32_MIN) return "all else";
  if (row.first == row.last) return std::to_string(row.first);
  return std::to_string(row.first) + " - " + std::to_string(row.last);
}

std::string_view said(Delivered delivered) {
  switch (delivered) {
    case Delivered::yes:
      return "yes";
    case Delivered::no:
      return "no";
    case Delivered::unknown:
      return "nobody knows";
  }
  return "";
}

std::string_view said(Charged charged) {
  switch (charged) {
    case Charged::nobody:
      return "nobody";
    case Charged::member:
      return "the member";
    case Charged::member_or_weather:
      return "the member, or nobody if it is an outage";
    case Charged::member_or_set_up:
      return "the member, or nobody if it is everybody's";
  }
  return "";
}

}  // namespace

std::span<const AnswerRow> answer_rows() {
  return answers;
}
std::span<const KindRow> kind_rows() {
  return kinds;
}
const KindRow& row_of(AnswerKind kind) {
  return kinds.at(static_cast<std::size_t>(kind));
}

std::string answers_page() {
  std::string page =
      "# What the provider says, and what follows\n"
      "\n"
      "Made by `campaign_sender --answers`; a test holds the two together. The first row that fits "
      "counts.\n"
      "\n"
      "| answer | is | because |\n"
      "|---|---|---|\n";
  const auto add = [&](std::string_view text) { page += text; };
  for (const AnswerRow& row : answers) {
    add("| " + said(row) + " | ");
    add(row_of(row.kind).name);
    add(" | ");
    add(row.why);
    add(" |\n");
  }
  add("\n| is | delivered | charged to | the member | the others |\n|---|---|---|---|---|\n");
  for (const KindRow& row : kinds) {
    for (const std::string_view cell :
         {row.name, said(row.delivered), said(row.charged), row.next, row.for_others}) {
      add("| ");
      add(cell);
      add(cell.empty() ? "" : " ");
    }
    add("|\n");
  }
  return page;
}

}  // namespace core
