#include "core/answer.h"

namespace core {
namespace {

AnswerKind classify_status(int status) {
  switch (status) {
    case 200:
      return AnswerKind::sent;
    case 401:
    case 407:
      return AnswerKind::credentials;
    case 403:
    case 404:
    case 405:
      return AnswerKind::endpoint;
    case 408:  // RFC 9110 15.5.9: the server did not get the whole request
    case 421:  // RFC 9110 15.5.20: not for this server
    case 425:  // RFC 8470: too early, not processed
    case 503:
      return AnswerKind::not_accepted;
    case 409:
      return AnswerKind::in_doubt;  // the same key still in progress, or used with another payload
    case 429:
      return AnswerKind::throttled;
    default:
      break;
  }
  if (status >= 300 && status < 400) return AnswerKind::endpoint;
  if (status >= 400 && status < 500) return AnswerKind::refused;
  return AnswerKind::in_doubt;  // other 2xx, 5xx, and whatever is no status at all
}

}  // namespace

AnswerKind classify(const SendAnswer& answer) {
  switch (answer.transport) {
    case Transport::answered:
      return classify_status(answer.status);
    case Transport::not_sent:
      return AnswerKind::not_accepted;
    case Transport::in_doubt:
      return AnswerKind::in_doubt;
    case Transport::untrusted:
      return AnswerKind::credentials;
  }
  return AnswerKind::in_doubt;
}

bool is_bad_weather(AnswerKind kind) {
  return kind == AnswerKind::not_accepted || kind == AnswerKind::in_doubt ||
         kind == AnswerKind::throttled;
}

}  // namespace core
