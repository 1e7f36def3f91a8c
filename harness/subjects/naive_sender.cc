// The naive sender: the nightly batch as it was, faults and all. Nothing here is to be repaired; it
// is the baseline that every scenario also runs.
//   1. It begins at the head of the list, whoever was mailed before.
//   2. It reads the whole audience into memory.
//   3. It sends no idempotency key and sets no time-out.
//   4. Nothing keeps two of them from sending the same list.
//   5. It prints "failed", goes on, and reports success.
//   6. It doesn't look at opt-outs after its read, nor at it.
//   7. Nothing bounds its run. DEADLINE_S is ignored.
// An uncaught network error ends it with 1.
#include <httplib.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <pqxx/pqxx>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

// The library has a time-out of 5 s when none is set; the naive sender has none.
constexpr time_t no_time_out_s = 10 * 366 * 24 * 3600;

struct Member {
  std::string id;
  std::string email;
};

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

std::vector<Member> read_audience(pqxx::connection& database, const std::string& campaign) {
  pqxx::nontransaction work(database);
  const pqxx::result rows = work.exec(
      "select member_id, email from campaign_targets where campaign_id = " + work.quote(campaign) +
      " order by member_id");
  std::vector<Member> members;
  for (const auto& row : rows) members.push_back({row[0].c_str(), row[1].c_str()});
  return members;
}

// A connection of its own for every mail.
int post(const Url& url, const Member& member, const std::string& campaign) {
  httplib::Client http(url.host);
  http.set_connection_timeout(no_time_out_s);
  http.set_read_timeout(no_time_out_s);
  http.set_write_timeout(no_time_out_s);
  http.set_tcp_nodelay(true);
  const std::string body = "{\"to\":" + quoted_json(member.email) + ",\"member_id\":" + member.id +
                           ",\"template\":" + quoted_json(campaign) + "}";
  const auto answer = http.Post(url.path, body, "application/json");
  if (!answer) throw std::runtime_error("network: " + httplib::to_string(answer.error()));
  return answer->status;
}

void send_all() {
  const std::string campaign = required("CAMPAIGN_ID");
  const Url url = split(required("MAIL_URL"));
  const char* interval_text = std::getenv("MIN_INTERVAL_S");
  const std::chrono::duration<double> interval(interval_text == nullptr ? 0
                                                                        : std::stod(interval_text));
  std::printf("{\"event\":\"started\"}\n");
  std::fflush(stdout);

  pqxx::connection database(required("DB_DSN"));
  const std::vector<Member> members = read_audience(database, campaign);
  std::printf("{\"event\":\"read\",\"members\":%zu}\n", members.size());
  std::fflush(stdout);

  // One statement is one transaction here: each row is committed by itself. PREPARE in SQL, because
  // the calls for it differ between versions 6 and 7 of the library.
  pqxx::nontransaction work(database);
  work.exec(
      "prepare mark_sent(text, bigint) as "
      "update campaign_targets set sent_at = now() where campaign_id = $1 and member_id = $2");
  const std::string mark = "execute mark_sent(" + work.quote(campaign) + ", ";
  for (const Member& member : members) {
    if (interval.count() > 0) std::this_thread::sleep_for(interval);
    if (post(url, member, campaign) == 200)
      work.exec(mark + member.id + ")");
    else
      std::printf("failed %s\n", member.id.c_str());
  }
}

}  // namespace

int main() {
  try {
    send_all();
    return 0;
  } catch (const std::exception& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "naive_sender: %s\n", error.what());
    return 1;
  }
}
