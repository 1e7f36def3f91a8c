// The members of a campaign, kept small: 1.2 million take about 40 MB with their addresses. A run
// takes them from the table before the sender starts, for the sender may do with the table what it
// likes; an audit has only the table as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace harness {

// What the table says became of a member; `open`: pending, or a table that has no states. A run
// asks only the reference sender's table: what another writes there of itself excuses nothing.
enum class Truth : std::uint8_t { open, sent, failed, unknown, skipped };

// A state's name in any of the known tables; what we don't know is open.
Truth truth_named(std::string_view state);

struct Member {
  std::int64_t id = 0;
  // When the opt-out was committed, system clock microseconds; nullopt: not opted out.
  std::optional<std::int64_t> opted_out_us;
  Truth truth = Truth::open;
};

class Audience {
 public:
  // Requires: ids ascending. An empty address is not kept.
  void add(const Member& member, std::string_view address);
  // Requires: nothing is added after it. Makes find() work for addresses.
  void seal();

  const std::vector<Member>& members() const { return members_; }
  // Returns the position in members() of a member id in decimal, else of an address.
  std::optional<std::size_t> find(std::string_view recipient) const;
  // Same, for an id.
  std::optional<std::size_t> find(std::int64_t id) const;
  // Returns: whether there is such a member.
  bool became(std::int64_t id, Truth truth);
  // Sets the moment of an opt-out that the harness made itself.
  void opted_out(std::int64_t id, std::int64_t commit_us);

 private:
  struct Address {
    std::uint64_t hash;
    std::uint32_t position;
    auto operator<=>(const Address&) const = default;
  };
  std::vector<Member> members_;
  std::vector<Address>
      addresses_;  // 64-bit hashes: a clash among millions is a matter of one in 10^6 runs
};

}  // namespace harness
