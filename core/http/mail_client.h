// core::Provider over HTTP: one kept-alive connection, for one lane.
//
// Threads: send() from one thread at a time; cancel() from any.
// Time:    send() is bounded by connect and read time-outs for each single wait, so that a provider
// that keeps dripping bytes is not: whoever owns the lane calls cancel() at the whole request's
// deadline.
// Errors:  in the answer. Redirects are not followed. An answer's head is read to 16 KiB and 100
// lines, beyond that it is in doubt; its body to 64 KiB: the rest, and whatever comes after an
// answer's end, costs the connection, never a neighbour.
#pragma once

#include <memory>
#include <string>

#include "core/http/mail_url.h"
#include "core/policy.h"
#include "core/provider.h"

namespace core::http {

struct MailSettings {
  MailUrl url;
  std::string campaign;
  std::string template_name;
  std::string api_key;  // sent as a bearer token; empty: none
  std::string ca_file;  // trusted instead of the system's certificates; empty: the system's
  Duration connect_timeout{0};
  Duration read_timeout{0};
  Duration retry_after_max{0};
};

// One for all lanes: what they share (the trusted certificates are loaded once: a store for each
// lane would be 1 MB each).
class MailClients {
 public:
  explicit MailClients(MailSettings settings);
  ~MailClients();
  // Empty when all is well; else why https can't work: ca_file unreadable.
  const std::string& problem() const { return problem_; }
  std::unique_ptr<Provider> client() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
  std::string problem_;
};

}  // namespace core::http
