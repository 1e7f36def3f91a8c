// The naive sender, the baseline that every scenario also runs: libpqxx, HTTP and printing around
// sim::NaiveMachine, which says what is wrong with it. Wrong here: every mail has a connection of
// its own, no key and no time-out, and DEADLINE_S is ignored.
#include <httplib.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <expected>
#include <optional>
#include <pqxx/pqxx>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "sim/naive/naive_machine.h"

namespace {

// The library has a time-out of 5 s when none is set; the naive sender has none.
constexpr time_t no_time_out_s = 10 * 366 * 24 * 3600;

struct Url {
  std::string host;  // with scheme and port
  std::string path;
};

std::string required(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0')
    throw std::runtime_error(std::string(name) + " is not set");
  return value;
}

Url split(const std::string& url) {
  const std::size_t scheme_end = url.find("://");
  if (scheme_end == std::string::npos) throw std::runtime_error("MAIL_URL is no URL: " + url);
  const std::size_t path = url.find('/', scheme_end + 3);
  if (path == std::string::npos) return {url, "/"};
  return {url.substr(0, path), url.substr(path)};
}

std::string quoted_json(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted.push_back('\\');
    quoted.push_back(c);
  }
  return quoted + "\"";
}

std::vector<sim::NaiveMember> read_audience(pqxx::nontransaction& work,
                                            const std::string& campaign) {
  const pqxx::result rows = work.exec(
      "select member_id, email from campaign_targets where campaign_id = " + work.quote(campaign) +
      " order by member_id");
  std::vector<sim::NaiveMember> members;
  for (const auto& row : rows) members.push_back({row[0].as<std::int64_t>(), row[1].c_str()});
  return members;
}

// Returns: the status, or what went wrong before there was one.
std::expected<int, std::string> post(const Url& url, const sim::NaivePost& mail,
                                     const std::string& campaign) {
  httplib::Client http(url.host);
  http.set_connection_timeout(no_time_out_s);
  http.set_read_timeout(no_time_out_s);
  http.set_write_timeout(no_time_out_s);
  http.set_tcp_nodelay(true);
  const std::string body = "{\"to\":" + quoted_json(mail.email) +
                           ",\"member_id\":" + std::to_string(mail.member) +
                           ",\"template\":" + quoted_json(campaign) + "}";
  const auto answer = http.Post(url.path, body, "application/json");
  if (!answer) return std::unexpected("network: " + httplib::to_string(answer.error()));
  return answer->status;
}

void complain(const std::string& what) {
  std::fflush(stdout);
  std::fprintf(stderr, "naive_sender: %s\n", what.c_str());
}

// Does what the machine asks for. One statement is one transaction here: each row is committed by
// itself.
class Driver {
 public:
  Driver(std::string campaign, Url url, std::chrono::duration<double> interval,
         const std::string& dsn)
      : campaign_(std::move(campaign)),
        url_(std::move(url)),
        interval_(interval),
        database_(dsn),
        work_(database_) {}

  // Returns: the exit code.
  int run() {
    while (!exit_code_) std::visit(*this, machine_.next());
    return *exit_code_;
  }

  void operator()(const sim::NaiveRead&) {
    std::vector<sim::NaiveMember> members = read_audience(work_, campaign_);
    std::printf("{\"event\":\"read\",\"members\":%zu}\n", members.size());
    std::fflush(stdout);
    // PREPARE in SQL, because the calls for it differ between versions 6 and 7 of the library.
    work_.exec(
        "prepare mark_sent(text, bigint) as "
        "update campaign_targets set sent_at = now() where campaign_id = $1 and member_id = $2");
    machine_.on_audience(std::move(members));
  }
  void operator()(const sim::NaivePost& mail) {
    if (interval_.count() > 0) std::this_thread::sleep_for(interval_);
    const auto status = post(url_, mail, campaign_);
    if (status) return machine_.on_status(*status);
    complain(status.error());
    machine_.on_network_error();
  }
  void operator()(const sim::NaiveMark& mark) {
    work_.exec("execute mark_sent(" + work_.quote(campaign_) + ", " + std::to_string(mark.member) +
               ")");
    machine_.on_done();
  }
  void operator()(const sim::NaivePrintFailed& failed) {
    std::printf("failed %lld\n", static_cast<long long>(failed.member));
    machine_.on_done();
  }
  void operator()(const sim::NaiveExit& exit) { exit_code_ = exit.code; }

 private:
  std::string campaign_;
  Url url_;
  std::chrono::duration<double> interval_;
  pqxx::connection database_;
  pqxx::nontransaction work_;
  sim::NaiveMachine machine_;
  std::optional<int> exit_code_;
};

int send_all() {
  const std::string campaign = required("CAMPAIGN_ID");
  const Url url = split(required("MAIL_URL"));
  const char* interval_text = std::getenv("MIN_INTERVAL_S");
  const std::chrono::duration<double> interval(interval_text == nullptr ? 0
                                                                        : std::stod(interval_text));
  std::printf("{\"event\":\"started\"}\n");
  std::fflush(stdout);
  return Driver(campaign, url, interval, required("DB_DSN")).run();
}

}  // namespace

int main() {
  try {
    return send_all();
  } catch (const std::exception& error) {
    complain(error.what());
    return 1;
  }
}
