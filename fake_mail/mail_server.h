// The provider over HTTP: POST to any path is a mail. Every connection needs a thread of its own.
#pragma once

#include <expected>
#include <memory>
#include <string>

namespace fake_mail {

class Service;
class HttpListener;

struct MailServerOptions {
  int port = 0;  // 0: any free one
  int threads = 200;
  std::string certificate;  // PEM files; both or none. With them: https
  std::string key;
};

class MailServer {
 public:
  // Requires: the service outlives the server and is stopped before its end.
  // Returns: a server that listens, or one line that says what is in the way.
  static std::expected<std::unique_ptr<MailServer>, std::string> start(
      Service& service, const MailServerOptions& options);
  ~MailServer();
  int port() const;

 private:
  explicit MailServer(std::unique_ptr<HttpListener> listener);
  std::unique_ptr<HttpListener> listener_;
};

}  // namespace fake_mail
