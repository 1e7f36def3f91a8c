#include "core/answer.h"

#include <algorithm>

#include "core/answer_table.h"

namespace core {

AnswerKind classify(const SendAnswer& answer) {
  const auto rows = answer_rows();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const AnswerRow& one) {
    if (one.transport != answer.transport) return false;
    return one.transport != Transport::answered ||
           (one.first <= answer.status && answer.status <= one.last);
  });
  return row == rows.end() ? AnswerKind::in_doubt : row->kind;
}

bool is_bad_weather(AnswerKind kind) {
  return row_of(kind).bad_weather;
}

}  // namespace core
