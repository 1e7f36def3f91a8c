// What one run of the sender has done so far, in Prometheus' terms. Names and labels are part of
// the product: deploy/RUNBOOK.md says which to watch, and at which value a person stops a campaign.
//
// Threads: all members may be called from any thread.
// Source:  https://prometheus.io/docs/practices/naming/ and .../instrumenting_exposition_formats/
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/commands.h"

namespace core::metrics {

class Metrics {
 public:
  // campaign: the label of all series.
  explicit Metrics(const std::string& campaign);
  ~Metrics();

  void request_started();
  // took: as the event loop saw it, its own delay included. A request that was not started counts
  // nowhere but in flight.
  void request_finished(const SendFinished& finished, Duration took);

  void asked(const StoreCommand& command);
  void answered(const StoreAnswer& answer);
  // Client wall time. done: it was answered without an error.
  void statement(std::string_view name, Duration took, bool done);

  void holding(std::int64_t members);
  // Of the whole campaign, all workers together; see Forecast.
  void remaining(std::int64_t members, std::optional<Duration> finish_in);
  void finished(const Exit& exit);

  // The text exposition format, version 0.0.4. Ends with a newline.
  std::string text() const;

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

}  // namespace core::metrics
