#include "fake_mail/control_server.h"

#include <httplib.h>

#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>

#include "fake_mail/http_listener.h"
#include "fake_mail/json.h"
#include "fake_mail/service.h"

namespace fake_mail {
namespace {

using Json = nlohmann::json;

constexpr int control_threads = 16;  // as many long polls and calls at one time
constexpr std::int64_t wait_ms_max = 3'600'000;

struct Refused {
  int status;
  std::string why;
};

Json body_of(const httplib::Request& request) {
  const Json body = Json::parse(request.body, nullptr, /*allow_exceptions=*/false);
  if (!body.is_object()) throw Refused{400, "the body must be a JSON object"};
  return body;
}

std::int64_t count_in(const Json& body, const char* name, std::int64_t least) {
  const auto value = body.find(name);
  if (value == body.end() || !value->is_number_integer() || value->get<std::int64_t>() < least)
    throw Refused{400, std::string(name) + ": must be an integer >= " + std::to_string(least)};
  return value->get<std::int64_t>();
}

std::int64_t count_param(const httplib::Request& request, const char* name, std::int64_t most) {
  const std::string text = request.get_param_value(name);
  std::int64_t value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value > most)
    throw Refused{400,
                  std::string(name) + ": must be an integer from 0 to " + std::to_string(most)};
  return value;
}

std::string set_behaviour(Service& service, const httplib::Request& request) {
  auto behaviour = behaviour_from_json(request.body);
  if (!behaviour) throw Refused{400, behaviour.error()};
  service.set_behaviour(std::move(*behaviour));
  return "{}";
}

std::string set_trigger(Service& service, const httplib::Request& request) {
  const Json body = body_of(request);
  const auto freeze = body.find("freeze");
  if (freeze != body.end() && !freeze->is_boolean())
    throw Refused{400, "freeze: must be true or false"};
  service.set_trigger(count_in(body, "accept", 1), freeze != body.end() && freeze->get<bool>());
  return "{}";
}

std::string wait_for_accepts(Service& service, const httplib::Request& request) {
  const std::int64_t accept =
      count_param(request, "accept", std::numeric_limits<std::int64_t>::max());
  const std::chrono::milliseconds timeout(count_param(request, "timeout_ms", wait_ms_max));
  const AcceptsWaited waited = service.wait_for_accepts(accept, timeout);
  return Json{{"reached", waited.reached}, {"accepted", waited.accepted}, {"owner", waited.owner}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string thaw(Service& service, const httplib::Request& request) {
  std::vector<std::string> dropped;
  if (!request.body.empty()) {
    const Json body = body_of(request);
    const auto owners = body.find("drop_owners");
    if (owners != body.end()) {
      const bool names =
          owners->is_array() && std::all_of(owners->begin(), owners->end(),
                                            [](const Json& owner) { return owner.is_string(); });
      if (!names) throw Refused{400, "drop_owners: must be a list of texts"};
      dropped = owners->get<std::vector<std::string>>();
    }
  }
  service.thaw(dropped);
  return "{}";
}

std::string write_ledger(Service& service, const httplib::Request& request) {
  const Json body = body_of(request);
  const auto file = body.find("file");
  if (file == body.end() || !file->is_string() || !file->get<std::string>().starts_with('/'))
    throw Refused{400, "file: must be an absolute path"};
  std::ofstream out(file->get<std::string>());
  if (out) service.write_ledger(out);
  out.close();
  if (!out) throw Refused{500, "cannot write " + file->get<std::string>()};
  return "{}";
}

using Act = std::string (*)(Service&, const httplib::Request&);

httplib::Server::Handler route(Service& service, Act act) {
  return [&service, act](const httplib::Request& request, httplib::Response& response) {
    try {
      response.set_content(act(service, request), "application/json");
    } catch (const Refused& refused) {
      response.status = refused.status;
      response.set_content(Json{{"error", refused.why}}.dump(), "application/json");
    }
  };
}

}  // namespace

std::expected<std::unique_ptr<ControlServer>, std::string> ControlServer::start(Service& service,
                                                                                int port) {
  auto listener =
      std::make_unique<HttpListener>(std::make_unique<httplib::Server>(), control_threads);
  httplib::Server& http = listener->server();
  http.Put("/behaviour", route(service, set_behaviour));
  http.Put("/trigger", route(service, set_trigger));
  http.Get("/wait", route(service, wait_for_accepts));
  http.Post("/freeze", route(service, [](Service& s, const httplib::Request&) {
              s.freeze();
              return std::string("{}");
            }));
  http.Post("/thaw", route(service, thaw));
  http.Put("/outage", route(service, [](Service& s, const httplib::Request& request) {
             s.begin_outage(core::Duration(count_in(body_of(request), "lasts_us", 0)));
             return std::string("{}");
           }));
  http.Post("/clock", route(service, [](Service& s, const httplib::Request& request) {
              s.advance_clock(core::Duration(count_in(body_of(request), "advance_us", 0)));
              return std::string("{}");
            }));
  http.Get("/counters", route(service, [](Service& s, const httplib::Request&) {
             return to_json(s.counters());
           }));
  http.Post("/ledger", route(service, write_ledger));
  if (!listener->start(port)) return std::unexpected("port " + std::to_string(port) + " is taken");
  return std::unique_ptr<ControlServer>(new ControlServer(std::move(listener)));
}

ControlServer::ControlServer(std::unique_ptr<HttpListener> listener)
    : listener_(std::move(listener)) {}
ControlServer::~ControlServer() = default;
int ControlServer::port() const {
  return listener_->port();
}

}  // namespace fake_mail
