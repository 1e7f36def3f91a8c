// Each distinct text once, numbered from 0 in the order of first sight. Text 0 is "". About 14
// bytes a text on top of its length, because 1.2 million keys and as many recipients must fit a
// test machine.
//
// Ownership: a value. Views are good until the next `number_of`.
// Limits: 32,767 bytes a text (the rest is cut), 4 GiB and 67 million texts together.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace fake_mail {

class StringPool {
 public:
  StringPool();

  // Adds the text when it is new.
  std::uint32_t number_of(std::string_view text);

  // Requires: a number that `number_of` returned.
  std::string_view text(std::uint32_t number) const;

  std::size_t size() const { return starts_.size(); }

 private:
  std::size_t next_slot(std::size_t slot) const;
  std::uint32_t store(std::string_view text);
  void grow();

  std::vector<std::string>
      blocks_;  // each text lies in one block, after one or two bytes of length
  std::deque<std::uint32_t> starts_;  // block << 16 | offset
  std::vector<std::uint32_t> slots_;  // open addressing; 0 = free
};

}  // namespace fake_mail
