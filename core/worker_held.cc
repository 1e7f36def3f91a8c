// What a worker weighs: itself, and the room in its containers.
#include <type_traits>

#include "core/room.h"
#include "core/worker.h"

namespace core {
namespace {

std::size_t room_with_reasons(const std::vector<Outcome>& outcomes) {
  std::size_t bytes = room(outcomes);
  for (const Outcome& outcome : outcomes) bytes += room(outcome.reason);
  return bytes;
}

struct RoomOfCommand {
  std::size_t operator()(const Recheck& recheck) const {
    return room(recheck.members) + room(recheck.retry_tokens);
  }
  std::size_t operator()(const RecordBatch& record) const {
    return room(record.sent) + room_with_reasons(record.others);
  }
  std::size_t operator()(const RecordRetries& record) const {
    return room(record.sent) + room_with_reasons(record.others);
  }
  template <typename Small>
  std::size_t operator()(const Small&) const {
    static_assert(std::is_trivially_copyable_v<Small>, "it may hold memory: weigh it");
    return 0;
  }
};

}  // namespace

std::size_t Worker::held_bytes() const {
  std::size_t bytes = sizeof(*this) + room(claims_) + room(lanes_) + room(slots_) +
                      room(rechecking_) + room(reason_) + weather_.held_bytes() +
                      std::visit(RoomOfCommand{}, outstanding_);
  for (const Claim& claim : claims_) bytes += claim.held_bytes();
  return bytes;
}

}  // namespace core
