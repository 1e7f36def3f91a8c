#include "harness/triggers.h"

#include <algorithm>
#include <chrono>

namespace harness {
namespace {

constexpr std::chrono::milliseconds poll_at_most{200};

std::vector<std::size_t> accept_events(const std::vector<scenarios::Event>& events) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < events.size(); ++i)
    if (events[i].when == scenarios::Moment::accept) order.push_back(i);
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(events[i].accept, i); });
  return order;
}

}  // namespace

std::expected<void, std::string> set_triggers(Provider& provider,
                                              const std::vector<scenarios::Event>& events) {
  for (const std::size_t i : accept_events(events))
    if (auto done = provider.set_trigger(events[i].accept, events[i].freezes()); !done)
      return std::unexpected(done.error());
  return {};
}

TriggerWatch::TriggerWatch(Provider& provider, const std::vector<scenarios::Event>& events,
                           Reports& reports) {
  thread_ = std::thread([this, &provider, &events, &reports] {
    for (const std::size_t i : accept_events(events)) {
      while (true) {
        if (ends_) return;
        const auto waited = provider.wait_for(events[i].accept, poll_at_most);
        if (ends_) return;
        if (!waited) return reports.put(BrokenReport{waited.error()});
        if (!*waited) continue;
        reports.put(TriggerReport{i, **waited});
        break;
      }
    }
  });
}

TriggerWatch::~TriggerWatch() {
  ends_ = true;
  thread_.join();
}

}  // namespace harness
