#include "fake_mail/control_client.h"

#include <httplib.h>

#include <nlohmann/json.hpp>

#include "fake_mail/json.h"

namespace fake_mail {
namespace {

using Json = nlohmann::json;

constexpr const char* json_type = "application/json";
// A ledger of millions takes seconds to write; longer than this means a server that hangs.
constexpr std::chrono::seconds answer_time_max{60};

enum class Method { get, put, post };

std::string call(int port, Method method, const std::string& path, const std::string& body = "{}",
                 core::Duration longer = core::Duration(0)) {
  httplib::Client http("127.0.0.1", port);
  http.set_tcp_nodelay(true);
  http.set_read_timeout(answer_time_max + std::chrono::ceil<std::chrono::seconds>(longer));
  const auto ask = [&] {
    switch (method) {
      case Method::get:
        return http.Get(path);
      case Method::put:
        return http.Put(path, body, json_type);
      case Method::post:
        return http.Post(path, body, json_type);
    }
    return httplib::Result(nullptr, httplib::Error::Unknown);
  };
  const httplib::Result answer = ask();
  const std::string what =
      "fake_mail's control API on port " + std::to_string(port) + ", " + path + ": ";
  if (!answer) throw ControlError(what + "no answer (" + httplib::to_string(answer.error()) + ")");
  if (answer->status != 200)
    throw ControlError(what + "answered " + std::to_string(answer->status) + ": " + answer->body);
  return answer->body;
}

}  // namespace

void ControlClient::set_behaviour(const Behaviour& behaviour) {
  call(port_, Method::put, "/behaviour", to_json(behaviour));
}

void ControlClient::set_trigger(std::int64_t accept, bool freeze) {
  call(port_, Method::put, "/trigger", Json{{"accept", accept}, {"freeze", freeze}}.dump());
}

WaitResult ControlClient::wait_for_accepts(std::int64_t accept, core::Duration timeout) {
  const auto timeout_ms = std::chrono::ceil<std::chrono::milliseconds>(timeout).count();
  const std::string path =
      "/wait?accept=" + std::to_string(accept) + "&timeout_ms=" + std::to_string(timeout_ms);
  const std::string text = call(port_, Method::get, path, "", timeout);
  try {
    const Json answer = Json::parse(text);
    return {answer.at("reached"), answer.at("accepted"), answer.at("owner")};
  } catch (const Json::exception& error) {
    throw ControlError("fake_mail's control API, /wait: " + std::string(error.what()));
  }
}

void ControlClient::freeze() {
  call(port_, Method::post, "/freeze");
}

void ControlClient::thaw(const std::vector<std::string>& drop_owners) {
  call(port_, Method::post, "/thaw", Json{{"drop_owners", drop_owners}}.dump());
}

void ControlClient::outage(core::Duration lasts) {
  call(port_, Method::put, "/outage", Json{{"lasts_us", lasts.count()}}.dump());
}

void ControlClient::advance_clock(core::Duration by) {
  call(port_, Method::post, "/clock", Json{{"advance_us", by.count()}}.dump());
}

Counters ControlClient::counters() {
  auto counters = counters_from_json(call(port_, Method::get, "/counters"));
  if (!counters) throw ControlError("fake_mail's control API, /counters: " + counters.error());
  return std::move(*counters);
}

void ControlClient::write_ledger(const std::string& path) {
  call(port_, Method::post, "/ledger", Json{{"file", path}}.dump());
}

}  // namespace fake_mail
