// One step of a world, in words that outlive a change of the code: who does what, about whom, and
// how it goes. A schedule is a list of moves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/commands.h"

namespace sim {

enum class Command : std::uint8_t {
  // A statement of a worker reaches the database; in the order of core::StoreCommand.
  plan,
  claim_batch,
  claim_retries,
  read_back,
  reserve_slots,
  recheck,
  record_batch,
  record_retries,
  pause,
  sweep,
  count_totals,
  skip_stale,
  // A worker's request reaches the provider; the answer of an earlier one reaches the worker.
  send,
  answer,
  // The clock goes on to the next moment at which somebody has something to do.
  time,
  // What outlived its sender: a request still under way, a statement of a session believed dead.
  late_request,
  late_statement,
  // A transaction that was held open ends.
  commit,
  // Misfortunes.
  kill,
  freeze,
  stop,
  start,
  opt_out,
  outage,
  clock_jump,
  database_crash,
  // A member's row appears in the campaign.
  add_member,
  withdraw_opt_out,
  pause_campaign,
  resume_campaign,
};
constexpr std::size_t command_count = 30;

enum class Choice : std::uint8_t {
  done,
  // of a statement
  lost,       // it never arrived; the worker hears "in doubt"
  lost_done,  // done, and the answer was lost
  undone,     // refused for now: deadlock, statement time-out, no connection
  ghost,      // the worker hears "in doubt", and it is done later
  held,       // done, and its transaction stays open for a while
  // of a request
  slow,          // accepted or refused now, answered later
  never,         // it never arrives: the worker's time-out ends it
  silent,        // decided by the provider, never answered
  reset,         // decided by the provider, the connection breaks before the answer
  unconnected,   // the connection is refused
  unavailable,   // 503, nothing delivered
  accepted_503,  // delivered, and answered 503
  throttled,     // 429
  // of a freeze
  brief,
  past_lease,
  // of the clock
  little,
};
constexpr std::size_t choice_count = 17;

std::string_view text_of(Command command);
std::string_view text_of(Choice choice);
std::optional<Command> command_named(std::string_view name);
std::optional<Choice> choice_named(std::string_view name);

// Actors: workers are numbered from 0; the world around them is one more.
constexpr int environment = -1;

struct Move {
  int actor = environment;
  Command command = Command::time;
  std::int64_t subject = 0;  // member, batch, or number of a late statement; 0: none
  Choice choice = Choice::done;
  std::int64_t value = 0;  // `little`: microseconds

  bool operator==(const Move&) const = default;
  // Says the same thing, whatever comes of it.
  bool same_point(const Move& other) const {
    return actor == other.actor && command == other.command && subject == other.subject;
  }
};

// "w1 record_batch b2 lost_done", "env time - little=500".
std::string to_text(const Move& move);
// Nothing: not a move.
std::optional<Move> move_of(std::string_view text);

constexpr bool is_statement(Command command) {
  return command <= Command::skip_stale;
}
// What others than senders write into the campaign's rows.
constexpr bool is_of_the_campaign(Command command) {
  return command == Command::opt_out || command >= Command::add_member;
}
constexpr Command command_of(const core::StoreCommand& command) {
  return static_cast<Command>(command.index());
}

}  // namespace sim
