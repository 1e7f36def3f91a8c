// Wrong senders, as data: a right worker whose commands, answers or settings are bent on their way.
// Each names the oracle that must catch it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/commands.h"
#include "sim/world/oracle.h"

namespace sim {

struct WorldSettings;

// What a planted bug remembers within one process.
struct Sabotage {
  std::optional<core::Token> token;  // that it uses in place of the worker's own, always
  std::vector<core::MemberId> members;
  std::int64_t count = 0;
  bool in_transaction = false;
};

// A request as the provider will see it.
struct MailText {
  std::uint32_t key = 1;  // 0: none; 1: the member's own; others are other keys
  std::uint64_t payload = 1;
};

struct PlantedBug {
  std::string_view name;
  std::string_view story;  // what a reader of the trace should see go wrong
  Oracle caught_by{};
  bool only = false;  // without that oracle it survives
  // A world in which it can strike: settings, predicates dropped from statements.
  void (*plant)(WorldSettings&) = nullptr;
  // Takes from that world what nothing else can stand for: it survives then.
  void (*calm)(WorldSettings&) = nullptr;
  void (*command)(Sabotage&, core::StoreCommand&) = nullptr;
  void (*answer)(Sabotage&, const core::StoreCommand&, core::StoreAnswer&) = nullptr;
  void (*mail)(Sabotage&, core::MemberId, MailText&) = nullptr;
  void (*sent)(Sabotage&, core::MemberId, core::SendAnswer&) = nullptr;
  // What else the worker is told: start, passing time, SIGTERM.
  void (*event)(Sabotage&, core::Event&) = nullptr;
};

}  // namespace sim
