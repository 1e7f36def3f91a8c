#include "sim/naive/naive_machine.h"

#include <utility>

#include "core/assert.h"
#include "core/room.h"

namespace sim {
namespace {

constexpr int http_ok = 200;

std::size_t bytes_of(const std::vector<NaiveMember>& members) {
  std::size_t bytes = core::room(members);
  for (const NaiveMember& member : members) bytes += core::room(member.email);
  return bytes;
}

}  // namespace

NaiveCommand NaiveMachine::next() {
  ASSERT(!asked_);
  if (phase_ == Phase::post && at_ == members_->size()) phase_ = Phase::leave;
  asked_ = true;
  switch (phase_) {
    case Phase::read:
      return NaiveRead{};
    case Phase::post:
      return NaivePost{(*members_)[at_].id, (*members_)[at_].email};
    case Phase::mark:
      return NaiveMark{(*members_)[at_].id};
    case Phase::print_failed:
      return NaivePrintFailed{(*members_)[at_].id};
    case Phase::leave:
      return NaiveExit{exit_code_};
  }
  std::unreachable();
}

void NaiveMachine::on_audience(std::vector<NaiveMember> members) {
  ASSERT(phase_ == Phase::read);
  held_bytes_ = bytes_of(members);
  members_ = std::make_shared<const std::vector<NaiveMember>>(std::move(members));
  answered(Phase::post);
}

void NaiveMachine::on_status(int http_status) {
  ASSERT(phase_ == Phase::post);
  answered(http_status == http_ok ? Phase::mark : Phase::print_failed);
}

void NaiveMachine::on_network_error() {
  ASSERT(phase_ == Phase::post);
  exit_code_ = 1;
  answered(Phase::leave);
}

void NaiveMachine::on_done() {
  ASSERT(phase_ == Phase::mark || phase_ == Phase::print_failed);
  ++at_;
  answered(Phase::post);
}

void NaiveMachine::answered(Phase then) {
  ASSERT(asked_);
  asked_ = false;
  phase_ = then;
}

}  // namespace sim
