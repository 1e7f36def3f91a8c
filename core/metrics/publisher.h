// Where metrics go: a page to scrape, a text file, a Pushgateway. Whatever of it fails is said once
// and never holds the sending up.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/metrics/metrics.h"

namespace core::metrics {

struct Destinations {
  std::string listen;    // "127.0.0.1:9464"; port 0: a free one; empty: no page
  std::string file;      // replaced as a whole, for a node exporter's textfile collector; or empty
  std::string push_url;  // "http://pushgateway:9091/metrics/job/campaign_sender"; or empty

  bool any() const { return !listen.empty() || !file.empty() || !push_url.empty(); }
  // One line each: what is wrong and what would be right.
  std::vector<std::string> problems() const;
};

// Threads: its own for the page; the members from one thread.
class Publisher {
 public:
  static constexpr Duration push_limit = 2s;  // of the last act of a process that is to end

  // say: told once of each destination that fails, and of the page's address.
  // Requires: destinations.problems() is empty; metrics live longer.
  Publisher(Destinations destinations, const Metrics& metrics,
            std::function<void(const std::string& line)> say);
  ~Publisher();

  std::optional<int> port() const;  // of the page
  void write_file();                // now; nothing without a file
  // The file, and one PUT to the Pushgateway, which replaces all that was there under this URL.
  void finish();

 private:
  struct Page;
  void fail(const std::string& line, bool& said);

  Destinations destinations_;
  const Metrics& metrics_;
  std::function<void(const std::string&)> say_;
  std::unique_ptr<Page> page_;
  bool file_failed_ = false, push_failed_ = false;
};

}  // namespace core::metrics
