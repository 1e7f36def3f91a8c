#include "core/sender/lanes.h"

namespace core::sender {
namespace {

// A request needs about 40 KiB (OpenSSL's handshake the most); sanitizers need several times that.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t stack_bytes = 2 * 1024 * 1024;
#else
constexpr std::size_t stack_bytes = 256 * 1024;
#endif
constexpr Duration cancel_again{100'000};

}  // namespace

Lanes::Lanes(std::vector<std::unique_ptr<Provider>> providers, Duration worst_send,
             Mailbox& mailbox)
    : worst_send_(worst_send) {
  for (std::unique_ptr<Provider>& provider : providers) {
    Lane& lane = *lanes_.emplace_back(std::make_unique<Lane>());
    lane.provider = std::move(provider);
    const auto index = static_cast<std::int64_t>(lanes_.size()) - 1;
    lane.thread = std::make_unique<os::SmallThread>(stack_bytes, [this, &lane, &mailbox, index] {
      for (;;) {
        lane.work.acquire();
        if (ending_) return;
        const bool in_time = os::monotonic_now() < lane.latest_start;
        mailbox.put(in_time
                        ? SendFinished{index, lane.provider->send(lane.member, lane.address), true}
                        : SendFinished{index, SendAnswer{}, false});
      }
    });
  }
}

Lanes::~Lanes() {
  ending_ = true;
  for (const auto& lane : lanes_) {
    if (lane->busy) lane->provider->cancel();
    lane->work.release();
  }
}

void Lanes::start(const Send& send, std::string address, Instant now) {
  Lane& lane = *lanes_[static_cast<std::size_t>(send.lane)];
  lane.member = send.member;
  lane.latest_start = send.latest_start;
  lane.address = std::move(address);
  lane.deadline = now + worst_send_;
  lane.busy = true;
  lane.work.release();
}

void Lanes::cancel_overdue(Instant now) {
  for (const auto& lane : lanes_) {
    if (!lane->busy || now < lane->deadline) continue;
    lane->provider->cancel();
    lane->deadline = now + cancel_again;
  }
}

}  // namespace core::sender
