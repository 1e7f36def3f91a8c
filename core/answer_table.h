// Everything that a provider or the network can say, and what it comes to: the one table that
// classify(), the worker and the page deploy/ANSWERS.md stand on.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/answer.h"

namespace core {

// What one answer is. The first row that fits counts; the last fits whatever has a status.
struct AnswerRow {
  Transport transport;
  int first;  // statuses, both included; 0 to 0: the transport alone says it
  int last;
  AnswerKind kind;
  std::string_view why;  // one clause, with its source where there is one
};
std::span<const AnswerRow> answer_rows();

enum class Delivered : std::uint8_t { yes, no, unknown };
enum class Charged : std::uint8_t {
  nobody,             // no attempt is used
  member,             // the member ends with it
  member_or_weather,  // an attempt, unless the whole provider is in trouble (weather.h)
  member_or_set_up,   // the member ends with it, unless nobody at all is sent: then the run stops
};

// What follows from its kind. Returns: one row a kind, in the order of AnswerKind.
struct KindRow {
  AnswerKind kind;
  std::string_view name;
  Delivered delivered;
  Charged charged;
  bool bad_weather;             // the provider's trouble rather than the member's
  std::string_view next;        // for the member
  std::string_view for_others;  // for the run; empty: nothing
};
std::span<const KindRow> kind_rows();
const KindRow& row_of(AnswerKind kind);

// The page: Markdown, ends with a newline.
std::string answers_page();

}  // namespace core
