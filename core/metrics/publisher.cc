#include "core/metrics/publisher.h"

#include <httplib.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

namespace core::metrics {
namespace {

constexpr const char* content_type = "text/plain; version=0.0.4; charset=utf-8";

struct Address {
  std::string host;
  int port = 0;
};

std::optional<Address> address_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  Address address{text.substr(0, colon), -1};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, address.port);
  if (error != std::errc() || stop != end || address.port < 0 || address.port > 65535)
    return std::nullopt;
  return address;
}

// "http://host:port" and "/path".
std::optional<std::pair<std::string, std::string>> parts_of(const std::string& url) {
  const std::size_t scheme = url.starts_with("http://") ? 7 : url.starts_with("https://") ? 8 : 0;
  if (scheme == 0) return std::nullopt;
  const std::size_t path = url.find('/', scheme);
  if (path == std::string::npos || path == scheme) return std::nullopt;
  if (url.find_first_of(" \t\r\n?#@") != std::string::npos) return std::nullopt;
  return std::pair(url.substr(0, path), url.substr(path));
}

}  // namespace

std::vector<std::string> Destinations::problems() const {
  std::vector<std::string> lines;
  if (!listen.empty() && !address_of(listen))
    lines.push_back("METRICS_LISTEN=" + listen +
                    ": must be an address and a port, such as METRICS_LISTEN=0.0.0.0:9464");
  if (!push_url.empty() && !parts_of(push_url))
    lines.push_back("METRICS_PUSH_URL=" + push_url +
                    ": must be a full URL with its path, such as "
                    "METRICS_PUSH_URL=http://pushgateway:9091/metrics/job/campaign_sender");
  if (!file.empty()) {
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    std::error_code error;
    if (!folder.empty() && !std::filesystem::is_directory(folder, error))
      lines.push_back("METRICS_FILE=" + file + ": there is no folder " + folder.string() +
                      "; name a file in one that exists, such as /var/lib/node_exporter/"
                      "campaign_sender.prom");
  }
  return lines;
}

struct Publisher::Page {
  httplib::Server server;
  std::thread thread;
  int port = 0;
};

Publisher::Publisher(Destinations destinations, const Metrics& metrics,
                     std::function<void(const std::string& line)> say)
    : destinations_(std::move(destinations)), metrics_(metrics), say_(std::move(say)) {
  if (destinations_.listen.empty()) return;
  const Address address = address_of(destinations_.listen).value();
  auto page = std::make_unique<Page>();
  page->server.new_task_queue = [] { return new httplib::ThreadPool(1); };
  // A scraper that says nothing must not keep the next one waiting for long.
  page->server.set_read_timeout(1);
  // Not the library's SO_REUSEPORT: of two senders on one machine a scrape would meet either.
  page->server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  page->server.set_keep_alive_max_count(1);
  page->server.Get("/metrics", [this](const httplib::Request&, httplib::Response& answer) {
    answer.set_content(metrics_.text(), content_type);
  });
  page->port = address.port;
  bool bound = true;
  if (address.port == 0) {
    page->port = page->server.bind_to_any_port(address.host.c_str());
    bound = page->port > 0;
  } else {
    bound = page->server.bind_to_port(address.host.c_str(), address.port);
  }
  if (!bound) {
    // A second sender on the same machine: the mails matter more than its page.
    say_("METRICS_LISTEN=" + destinations_.listen +
         ": the port is taken or the address is not this machine's; sending without the page");
    return;
  }
  page->thread = std::thread([&server = page->server] { server.listen_after_bind(); });
  while (!page->server.is_running()) std::this_thread::yield();  // before that stop() does nothing
  page_ = std::move(page);
}

Publisher::~Publisher() {
  if (!page_) return;
  page_->server.stop();
  page_->thread.join();
}

std::optional<int> Publisher::port() const {
  if (!page_) return std::nullopt;
  return page_->port;
}

void Publisher::fail(const std::string& line, bool& said) {
  if (!said) say_(line);
  said = true;
}

void Publisher::write_file() {
  if (destinations_.file.empty()) return;
  // A collector reads whenever it likes: the file is whole at any moment.
  const std::string part = destinations_.file + "." + std::to_string(getpid());
  std::ofstream out(part, std::ios::binary | std::ios::trunc);
  out << metrics_.text();
  out.close();
  if (out && std::rename(part.c_str(), destinations_.file.c_str()) == 0) return;
  std::remove(part.c_str());
  fail("METRICS_FILE=" + destinations_.file + ": can't be written; going on without it",
       file_failed_);
}

void Publisher::finish() {
  write_file();
  if (destinations_.push_url.empty()) return;
  const auto [origin, path] = parts_of(destinations_.push_url).value();
  httplib::Client client(origin);
  constexpr std::time_t half = push_limit / 2 / 1s;
  client.set_connection_timeout(half);
  client.set_read_timeout(half);
  client.set_write_timeout(half);
  const httplib::Result answer = client.Put(path, metrics_.text(), content_type);
  if (answer && answer->status >= 200 && answer->status < 300) return;
  fail("METRICS_PUSH_URL=" + destinations_.push_url + ": " +
           (answer ? "answered " + std::to_string(answer->status)
                   : httplib::to_string(answer.error())) +
           "; the metrics of this run's end are lost",
       push_failed_);
}

}  // namespace core::metrics
