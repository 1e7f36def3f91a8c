// The provider for many threads: one lock around each decision, and the waits that a decision can
// mean.
//
// Threads: every method from any thread. The lock is held for a decision (about a microsecond),
// never for a wait, so control calls get through while mail traffic is frozen. `write_ledger` holds
// it for the whole file.
#pragma once

#include <atomic>
#include <condition_variable>
#include <iosfwd>
#include <mutex>
#include <optional>
#include <set>

#include "fake_mail/provider.h"
#include "fake_mail/stop_signal.h"

namespace fake_mail {

// Wall time, from the system's clock.
Arrival wall_now();

struct AcceptsWaited {
  bool reached = false;
  std::int64_t accepted = 0;
  std::string owner;  // who made the delivery that was waited for; "" when it wasn't reached
};

class Service {
 public:
  // Counts a request as open while it lives: from reading it to answering it.
  class OpenRequest {
   public:
    explicit OpenRequest(Service& service) : service_(service) { ++service_.open_requests_; }
    ~OpenRequest() { --service_.open_requests_; }
    OpenRequest(const OpenRequest&) = delete;
    OpenRequest& operator=(const OpenRequest&) = delete;

   private:
    Service& service_;
  };

  // Blocks while the provider is frozen, and while the answer is withheld. `new_connection`: the
  // first request of its connection. Returns: the answer, whose latency has not been waited for;
  // nothing when the owner is dropped or the service stops, and then the connection must be cut.
  std::optional<Answer> serve(const Request& request, bool new_connection);
  std::optional<Answer> refuse_malformed(std::string_view owner, Arrival arrival,
                                         bool new_connection);

  void set_behaviour(Behaviour behaviour);
  void set_trigger(std::int64_t accept, bool freeze);
  void freeze();
  void thaw(const std::vector<std::string>& dropped_owners);
  void begin_outage(core::Duration lasts);
  void advance_clock(core::Duration by);
  // Blocks until delivery number `accept` was made, for `timeout` at most.
  AcceptsWaited wait_for_accepts(std::int64_t accept, core::Duration timeout);
  Counters counters();
  void write_ledger(std::ostream& out);

  // Every wait ends now, and later ones at once.
  void stop();
  const StopSignal& stopped() const { return stopped_; }

 private:
  template <typename Decide>
  std::optional<Answer> decide(std::string_view owner, bool new_connection, Decide decide);

  std::mutex mutex_;
  std::condition_variable thawed_;
  std::condition_variable accepted_;
  std::multiset<std::int64_t> waited_for_;  // so that only the delivery someone waits for wakes him
  std::int64_t thaws_ = 0;
  bool stopping_ = false;
  Provider provider_;
  std::atomic<std::int64_t> open_requests_ = 0;
  StopSignal stopped_;
};

}  // namespace fake_mail
