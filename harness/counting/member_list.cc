#include "harness/counting/member_list.h"

#include <fmt/format.h>

namespace harness {

void MemberList::add(std::int64_t member, std::int64_t mails) {
  ++count;
  if (first.size() < shown_at_most) first.push_back({member, mails});
}

std::string MemberList::text() const {
  std::string text;
  for (const One& one : first) {
    text += fmt::format(" {}", one.member);
    if (one.mails > 0) text += fmt::format(" ({}x)", one.mails);
  }
  const std::int64_t more = count - std::ssize(first);
  return text + (more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace harness
