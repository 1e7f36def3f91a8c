#include "fake_mail/http_listener.h"

#include <httplib.h>

#include <limits>
#include <utility>

#include "fake_mail/connection.h"

namespace fake_mail {
namespace {

constexpr const char* loopback = "127.0.0.1";
constexpr time_t keep_alive_s = 3600;              // a connection ends when its client ends it
constexpr std::size_t body_bytes_max = 64 * 1024;  // larger: 413
constexpr int connecting_max = 1024;  // the library asks for 5; lost SYNs come back after a second

thread_local bool new_connection = false;

// The library runs one task for one connection, from its first request to its last.
class ConnectionQueue : public httplib::TaskQueue {
 public:
  explicit ConnectionQueue(std::size_t threads) : pool_(threads) {}

  // bool since 0.16, void before.
  using Enqueued = decltype(std::declval<httplib::ThreadPool&>().enqueue({}));
  Enqueued enqueue(std::function<void()> serve) override {
    return pool_.enqueue([serve = std::move(serve)] {
      new_connection = true;
      serve();
    });
  }
  void shutdown() override { pool_.shutdown(); }

 private:
  httplib::ThreadPool pool_;
};

}  // namespace

HttpListener::HttpListener(std::unique_ptr<httplib::Server> server, int threads)
    : server_(std::move(server)) {
  server_->new_task_queue = [threads] {
    return new ConnectionQueue(static_cast<std::size_t>(threads));
  };
  server_->set_keep_alive_max_count(std::numeric_limits<std::size_t>::max());
  server_->set_keep_alive_timeout(keep_alive_s);
  server_->set_tcp_nodelay(true);
  server_->set_payload_max_length(body_bytes_max);
  // In place of the library's SO_REUSEPORT, under which a second server on the same port gets half
  // the requests.
  server_->set_socket_options([this](socket_t socket) {
    socket_ = socket;
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
}

HttpListener::~HttpListener() {
  if (!accepting_.joinable()) return;
  while (!server_->is_running()) std::this_thread::yield();  // a stop before that is lost
  server_->stop();
  cut_all(port_);
  accepting_.join();
}

bool HttpListener::start(int port) {
  if (port == 0)
    port_ = server_->bind_to_any_port(loopback);
  else
    port_ = server_->bind_to_port(loopback, port) ? port : -1;
  if (port_ <= 0) return false;
  ::listen(socket_, connecting_max);
  accepting_ = std::thread([this] { server_->listen_after_bind(); });
  return true;
}

bool HttpListener::take_new_connection() {
  return std::exchange(new_connection, false);
}

}  // namespace fake_mail
