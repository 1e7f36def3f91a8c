// Some members out of many, for people to look up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace harness {

// The first members by id; `count` is of all.
struct MemberList {
  struct One {
    std::int64_t member = 0;
    std::int64_t mails = 0;  // for those after an opt-out: requests after it; 0: not counted
  };
  std::size_t shown_at_most = 20;
  std::int64_t count = 0;
  std::vector<One> first;

  void add(std::int64_t member, std::int64_t mails);
  // " 3 (2x) 7 and 12 more"
  std::string text() const;
};

}  // namespace harness
