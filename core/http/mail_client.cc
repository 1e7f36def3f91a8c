#include "core/http/mail_client.h"

#include <httplib.h>
#include <openssl/x509_vfy.h>

#include <chrono>
#include <mutex>

#include "core/http/answer_bytes.h"
#include "core/json_text.h"
#include "core/retry_after.h"

namespace core::http {

struct MailClients::Shared {
  MailSettings settings;
  X509_STORE* trusted = nullptr;
  ~Shared() { X509_STORE_free(trusted); }
};

namespace {

// What httplib reads of an answer once its head was taken, its own marks between chunks included.
constexpr Allowance of_a_body{.bytes = 64 * 1024, .lines = 64 * 1024};

std::int64_t wall_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// A kind of its own in cpp-httplib 0.18, part of SSLServerVerification in 0.11.
template <typename Error>
bool is_of_another_host(Error error) {
  if constexpr (requires { Error::SSLServerHostnameVerification; }) {
    return error == Error::SSLServerHostnameVerification;
  } else {
    return false;
  }
}

Transport transport_of(httplib::Error error) {
  using httplib::Error;
  if (error == Error::Connection || error == Error::ConnectionTimeout ||
      error == Error::BindIPAddress || error == Error::SSLConnection) {
    return Transport::not_sent;
  }
  if (error == Error::SSLLoadingCerts || error == Error::SSLServerVerification ||
      is_of_another_host(error))
    return Transport::untrusted;
  return Transport::in_doubt;
}

class AnswerStream final : public httplib::Stream {
 public:
  explicit AnswerStream(AnswerBytes& bytes) : bytes_(bytes) {}
  bool is_readable() const override { return bytes_.is_readable(); }
  bool is_writable() const override { return bytes_.is_writable(); }
  ssize_t read(char* to, std::size_t size) override { return bytes_.read(to, size); }
  ssize_t write(const char* from, std::size_t size) override { return bytes_.write(from, size); }
  // Of servers only.
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  int socket() const override { return bytes_.socket(); }

 private:
  AnswerBytes& bytes_;
};

// One of httplib's clients, reading through our stream. httplib::Client would choose between the
// two by itself, but can't be derived from.
template <typename Client>
class Bounded final : public Client {
 public:
  Bounded(const MailUrl& url, Duration timeout, Allowance& allowance)
      : Client(url.host, url.port), timeout_(timeout), allowance_(allowance) {}

  // Between two requests nothing may come but the connection's end: what does would be taken for
  // the answer to the next one.
  void drop_a_connection_that_speaks_unasked() {
    {
      const std::lock_guard lock(this->socket_mutex_);
      const Socket& socket = this->socket_;
      if (!socket.is_open() || !has_something_to_read(socket.sock, socket.ssl)) return;
    }
    this->stop();
  }

 private:
  using Socket = typename Client::Socket;

  bool process_socket(const Socket& socket,
                      std::function<bool(httplib::Stream&)> exchange) override {
    AnswerBytes bytes(socket.sock, socket.ssl, timeout_, allowance_);
    AnswerStream stream(bytes);
    const bool done = exchange(stream);
    // httplib closes the connection once the request is done.
    if (bytes.has_surplus()) this->stop();
    return done;
  }

  Duration timeout_;
  Allowance& allowance_;
};

template <typename Client>
class MailClient : public Provider {
 public:
  explicit MailClient(std::shared_ptr<const MailSettings> shared)
      : shared_(std::move(shared)),
        settings_(*shared_),
        client_(settings_.url, settings_.read_timeout, allowance_) {
    const Duration timeout = settings_.read_timeout;
    const auto seconds = [](Duration d) { return static_cast<time_t>(d / 1s); };
    const auto rest = [](Duration d) { return static_cast<time_t>((d % Duration(1s)).count()); };
    client_.set_connection_timeout(seconds(settings_.connect_timeout),
                                   rest(settings_.connect_timeout));
    // Of the handshake; the rest is the stream's.
    client_.set_read_timeout(seconds(timeout), rest(timeout));
    client_.set_write_timeout(seconds(timeout), rest(timeout));
    client_.set_keep_alive(true);
    client_.set_tcp_nodelay(true);
    client_.set_follow_location(false);
    client_.set_decompress(false);  // nobody looks at a body
  }

  void trust(X509_STORE* trusted) {
    X509_STORE_up_ref(trusted);
    client_.set_ca_cert_store(trusted);
    client_.enable_server_certificate_verification(true);
  }

  SendAnswer send(MemberId member, std::string_view address) override {
    httplib::Request request;
    request.method = "POST";
    request.path = settings_.url.path;
    request.set_header("Content-Type", "application/json");
    request.set_header("Idempotency-Key",
                       "\"" + idempotency_key(settings_.campaign, member) + "\"");
    if (!settings_.api_key.empty())
      request.set_header("Authorization", "Bearer " + settings_.api_key);
    request.body = "{\"to\":" + json_string(address) +
                   ",\"member_id\":" + std::to_string(number(member)) +
                   ",\"template\":" + json_string(settings_.template_name) + "}";
    // The status line decides; the body is read only to keep the connection usable for the next
    // request.
    SendAnswer answer;
    bool has_status = false;
    allowance_ = {};
    request.response_handler = [&](const httplib::Response& response) {
      take(response, answer);
      has_status = true;
      allowance_ = of_a_body;
      return true;
    };
    request.content_receiver = [](const char*, std::size_t, std::uint64_t, std::uint64_t) {
      return true;
    };
    client_.drop_a_connection_that_speaks_unasked();
    const httplib::Result result = client_.send(request);
    if (result && !has_status) take(*result, answer);
    if (!result && !has_status) answer.transport = transport_of(result.error());
    return answer;
  }

  void cancel() override { client_.stop(); }

 private:
  void take(const httplib::Response& response, SendAnswer& answer) const {
    answer.status = response.status;
    // A date is measured by the provider's own clock if it tells it: ours may be wrong.
    const std::int64_t ours = wall_seconds();
    const std::int64_t now =
        parse_http_date(response.get_header_value("Date"), ours).value_or(ours);
    for (std::size_t i = 0; i < response.get_header_value_count("Retry-After"); ++i) {
      const auto value = parse_retry_after(response.get_header_value("Retry-After", i), now,
                                           settings_.retry_after_max);
      answer.retry_after = std::max(answer.retry_after, value);
    }
  }

  std::shared_ptr<const MailSettings> shared_;  // a client may outlive the MailClients that made it
  const MailSettings& settings_;
  Allowance allowance_;
  Bounded<Client> client_;
};

}  // namespace

MailClients::MailClients(MailSettings settings) : shared_(std::make_shared<Shared>()) {
  shared_->settings = std::move(settings);
  if (!shared_->settings.url.https) return;
  shared_->trusted = X509_STORE_new();
  const std::string& file = shared_->settings.ca_file;
  const int loaded = file.empty()
                         ? X509_STORE_set_default_paths(shared_->trusted)
                         : X509_STORE_load_locations(shared_->trusted, file.c_str(), nullptr);
  if (loaded != 1) problem_ = "MAIL_CA_FILE=" + file + ": can't be read as PEM certificates";
}

MailClients::~MailClients() = default;

std::unique_ptr<Provider> MailClients::client() const {
  const std::shared_ptr<const MailSettings> settings(shared_, &shared_->settings);
  if (!settings->url.https) return std::make_unique<MailClient<httplib::ClientImpl>>(settings);
  auto client = std::make_unique<MailClient<httplib::SSLClient>>(settings);
  client->trust(shared_->trusted);
  return client;
}

}  // namespace core::http
