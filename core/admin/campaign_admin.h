// What a person asks about a campaign, and decides about it: one statement each, over any
// Transport. Workers that run meanwhile see a decision before their next request.
//
// Threads: one at a time. Time: blocks as the transport does.
// Errors:  in the value; nothing is changed by a refusal.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"
#include "core/pg/transport.h"
#include "core/time.h"

namespace core::admin {

struct Refusal {
  bool away = false;  // the database is: try again
  std::string message;
};
template <class Value>
using Answer = std::expected<Value, Refusal>;

struct Reason {  // why members have come to a state
  std::string state;
  std::string reason;
  std::int64_t members = 0;
};

struct Status {
  DbTime now{};
  std::optional<std::string> template_name;  // nothing: not begun
  bool paused = false;
  bool cancelled = false;
  bool planned = false;
  std::int64_t total = 0, sent = 0, failed = 0, unknown = 0, skipped = 0, opted_out = 0;
  std::int64_t waiting = 0;   // open, for the first time or given back unsent
  std::int64_t retrying = 0;  // open, in the retry pool
  std::optional<DbTime> next_retry;
  std::int64_t in_flight = 0;     // members under live claims, among waiting and retrying
  std::int64_t ended_leases = 0;  // claims of dead workers, to be taken over
  std::int64_t sent_last_minute = 0;
  std::optional<DbTime> last_sent;
  std::optional<Duration> interval;  // of the limit; nothing: the provider is new; 0: no limit
  std::optional<DbTime> paused_until;
  std::string window;  // of each night, as windows.h writes it; empty: at any time
  std::optional<DbTime> not_after;
  std::vector<Reason> reasons;  // the most first
  std::optional<Duration> oldest_snapshot;
  std::int64_t oldest_pid = 0;
  std::int64_t dead_rows = 0, live_rows = 0, table_bytes = 0;
  std::optional<DbTime> last_vacuum;

  std::int64_t remaining() const { return waiting + retrying; }
};

struct UnknownMember {
  MemberId id{};
  std::string address;
  DbTime since{};  // may have been sent since
  std::int64_t attempts = 0;
  std::string reason;
  std::int64_t resolved_before = 0;
};

struct UnknownMembers {
  DbTime now{};             // of the answer; nothing if there are none
  std::int64_t in_all = 0;  // of the campaign
  std::vector<UnknownMember> first;
};

enum class Resolution : std::uint8_t { delivered, send_again };
std::string_view text_of(Resolution resolution);

struct Decision {
  Resolution resolution = Resolution::delivered;
  std::vector<MemberId> members;  // empty: all that are unknown
  std::string decided_by;         // Requires: not empty
  std::string note;
};

class CampaignAdmin {
 public:
  CampaignAdmin(std::unique_ptr<pg::Transport> transport, std::string campaign,
                std::string provider);

  Answer<Status> status();
  // Returns: whether it was paused before.
  Answer<bool> set_paused(bool paused);
  // Returns: whether it was cancelled before. For good.
  Answer<bool> cancel();
  // interval: between two requests of all workers together; 0: no limit. Returns: the one before.
  Answer<Duration> set_limit(Duration interval);
  // window: as windows.h writes it; empty: at any time. Returns: the one before.
  Answer<std::string> set_window(const std::string& window);
  // Nothing: never too late. Returns: what was said before.
  Answer<std::optional<DbTime>> set_not_after(std::optional<DbTime> moment);
  // At most so many of them, oldest doubt first.
  Answer<UnknownMembers> unknown_members(std::int64_t limit);
  // Returns: who was resolved; the others are not unknown.
  Answer<std::vector<MemberId>> resolve(const Decision& decision);

 private:
  Answer<std::vector<pg::Row>> rows(const pg::Statement& statement,
                                    const std::vector<std::string>& params);
  Answer<pg::Row> row(const pg::Statement& statement, const std::vector<std::string>& params,
                      const std::string& missing);

  std::unique_ptr<pg::Transport> transport_;
  std::string campaign_;
  std::string provider_;
};

}  // namespace core::admin
