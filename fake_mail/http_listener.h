// One HTTP server on 127.0.0.1 with threads of its own, set up so that it doesn't disturb what it
// measures: a thread for every connection, connections that stay open, no delayed packets, a long
// queue of connecting clients.
//
// Ownership: owns the server and its threads; the destructor cuts all connections and waits for the
// threads. Limits: 900 threads, because the library waits with select(), which knows 1,024
// descriptors.
#pragma once

#include <memory>
#include <thread>

namespace httplib {
class Server;
}

namespace fake_mail {

constexpr int threads_max = 900;

class HttpListener {
 public:
  HttpListener(std::unique_ptr<httplib::Server> server, int threads);
  ~HttpListener();
  HttpListener(const HttpListener&) = delete;
  HttpListener& operator=(const HttpListener&) = delete;

  // For setting routes, before `start`.
  httplib::Server& server() { return *server_; }

  // Listens and serves. Port 0: any free one. Returns: false when the port is taken.
  bool start(int port);
  // Requires: started, or called by a handler.
  int port() const { return port_; }

  // Called by a handler: whether this is the first request of its connection. True once a
  // connection.
  static bool take_new_connection();

 private:
  std::unique_ptr<httplib::Server> server_;
  int socket_ = -1;
  int port_ = -1;
  std::thread accepting_;
};

}  // namespace fake_mail
