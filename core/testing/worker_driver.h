// Drives one Worker step by step in virtual time: the test decides when each answer arrives and
// what it says, or lets run() decide. Any store: a scripted one, or PostgreSQL.
//
// Time: `now()` moves only by pass() and by waiting; on_passing lets the database's clock move
// along. Errors: a worker that doesn't come to an end within steps_max throws.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/store.h"
#include "core/worker.h"

namespace core::testing {

SendAnswer status(int code);
SendAnswer failed(Transport transport);

struct Flight {
  std::int64_t lane = 0;
  MemberId member{};
  Instant started{};
};

class WorkerDriver {
 public:
  static constexpr int steps_max = 200'000;

  WorkerDriver(const Policy& policy, Store& store, std::uint64_t seed = 1, int plan_version = 0);

  // What the provider answers in step() and run(), and how long it takes for it.
  std::function<SendAnswer(MemberId, const std::string& address)> provider;
  Duration latency{0};
  // Told before `now()` moves.
  std::function<void(Duration)> on_passing;
  // Sees every statement when it is asked for, before it is run, and its answer before the worker
  // does.
  std::function<void(const StoreCommand&)> on_asked;
  std::function<void(const StoreCommand&)> before_store;
  std::function<void(const StoreCommand&, const StoreAnswer&)> after_store;

  void start() { tell(Started{hours}); }
  Hours hours;  // that it is told at the start
  void tell(const Event& event);
  void pass(Duration duration);
  // Runs the statement that the worker asked for.
  void answer_store();
  // Says something else than the store would: the statement is not run.
  void answer_store_with(StoreAnswer answer);
  void answer_send(MemberId member, const SendAnswer& answer);

  // One of these: the statement asked for, the oldest request's answer, or time up to the end of
  // the wait. Returns: false after the worker has left.
  bool step();
  // Until `done` holds, or the worker has left.
  void run_until(const std::function<bool()>& done);
  Exit run();

  Instant now() const { return now_; }
  const Worker& worker() const { return worker_; }
  const std::optional<StoreCommand>& asked() const { return asked_; }
  const std::deque<Flight>& flying() const { return flying_; }
  const std::vector<Flight>& sends() const { return sends_; }  // all, in order
  const std::optional<Wait>& waiting() const { return waiting_; }
  const std::optional<Exit>& exit() const { return exit_; }

  // Whether the statement asked for is a Command; has_asked<ClaimBatch>().
  template <typename Command>
  bool has_asked() const {
    return asked_ && std::holds_alternative<Command>(*asked_);
  }
  // Something other than time can be answered now.
  bool is_busy() const { return asked_ || !flying_.empty(); }
  // Members in claims of the worker.
  std::vector<MemberId> held() const;

 private:
  Worker worker_;
  Store& store_;
  Instant now_{std::chrono::hours(1)};
  std::optional<StoreCommand> asked_;
  std::deque<Flight> flying_;
  std::vector<Flight> sends_;
  std::optional<Wait> waiting_;
  std::optional<Exit> exit_;
  std::map<MemberId, std::string> addresses_;
};

// Steps several workers in turn until all have left; time passes, for all of them and once for the
// database, only when none has anything else to do. Requires: no latency and no on_passing of their
// own.
void run_together(
    const std::vector<WorkerDriver*>& drivers, const std::function<void(Duration)>& on_passing,
    const std::function<void()>& after_each_step = [] {});

}  // namespace core::testing
