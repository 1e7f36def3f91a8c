#include "fake_mail/mail_server.h"

#include <httplib.h>

#include "fake_mail/connection.h"
#include "fake_mail/http_listener.h"
#include "fake_mail/mail_request.h"
#include "fake_mail/service.h"

namespace fake_mail {
namespace {

// Longer ones are refused: the library matches paths by a recursion as deep as the path is long.
constexpr std::size_t path_bytes_max = 256;

void answer_mail(Service& service, int port, const httplib::Request& http,
                 httplib::Response& response) {
  const Arrival arrival = wall_now();
  const Service::OpenRequest open(service);
  const bool new_connection = HttpListener::take_new_connection();
  const std::string_view owner = read_owner(http.path);
  const std::optional<Mail> mail = read_mail(http.body);

  const std::string key = read_key(http.get_header_value("Idempotency-Key"));
  const std::optional<Answer> answer =
      mail ? service.serve({owner, mail->recipient, key, mail->payload, arrival}, new_connection)
           : service.refuse_malformed(owner, arrival, new_connection);

  const auto give_no_answer = [&] {
    if (const int connection = find_connection(port, http.remote_port); connection >= 0)
      cut(connection);
    response.status =
        503;  // the library writes an answer all the same, into a connection that is cut
  };
  if (!answer) return give_no_answer();
  if (answer->status == 0) {
    const int connection = find_connection(port, http.remote_port);
    if (connection >= 0) wait_until_closed(connection, service.stopped().fd());
    return give_no_answer();
  }
  if (answer->latency.count() > 0 &&
      service.stopped().wait_for(answer->latency - (wall_now() - arrival)))
    return give_no_answer();
  response.status = answer->status;
  if (answer->retry_after.count() > 0) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(answer->retry_after);
    response.set_header("Retry-After", std::to_string(seconds.count()));
  }
  response.set_content("{}", "application/json");
}

}  // namespace

std::expected<std::unique_ptr<MailServer>, std::string> MailServer::start(
    Service& service, const MailServerOptions& options) {
  std::unique_ptr<httplib::Server> http;
  if (options.certificate.empty())
    http = std::make_unique<httplib::Server>();
  else
    http = std::make_unique<httplib::SSLServer>(options.certificate.c_str(), options.key.c_str());
  if (!http->is_valid())
    return std::unexpected("cannot use the certificate " + options.certificate + " with the key " +
                           options.key);

  auto listener = std::make_unique<HttpListener>(std::move(http), options.threads);
  listener->server().set_pre_routing_handler(
      [](const httplib::Request& request, httplib::Response& response) {
        if (request.path.size() <= path_bytes_max)
          return httplib::Server::HandlerResponse::Unhandled;
        response.status = 414;
        return httplib::Server::HandlerResponse::Handled;
      });
  listener->server().Post(".*", [&service, own = listener.get()](const httplib::Request& request,
                                                                 httplib::Response& response) {
    answer_mail(service, own->port(), request, response);
  });
  if (!listener->start(options.port))
    return std::unexpected("port " + std::to_string(options.port) + " is taken");
  return std::unique_ptr<MailServer>(new MailServer(std::move(listener)));
}

MailServer::MailServer(std::unique_ptr<HttpListener> listener) : listener_(std::move(listener)) {}
MailServer::~MailServer() = default;
int MailServer::port() const {
  return listener_->port();
}

}  // namespace fake_mail
