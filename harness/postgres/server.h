// A PostgreSQL server for one run. Taken from the first of: the server the user names by a DSN,
// installed binaries of version 17, the embedded ones that `./dev setup` fetched. A DSN's server is
// used as it is; from binaries a private server is made: its own data folder, a Unix socket only
// its owner can reach (trust authentication must not be open to every local user, so there is no
// TCP port), nothing kept.
//
// Ownership: the Server owns the process and its folder; the destructor stops the one and removes
// the other. If the owning process dies without that, SIGKILL included, the kernel stops the
// postmaster (parent-death signal), and the next start() of the same user removes what is left. A
// live owner's server is never touched. Threads: stop() may be called from any thread. Not from a
// signal handler: take signals with sigwait, as with_postgres does. Time: start() blocks, typically
// 0.3 s, once a cluster template is cached; the first start on a machine adds an initdb. Errors:
// one line that says what to do. After one, nothing is left running.
#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace harness::postgres {

struct ServerOptions {
  std::string dsn;  // libpq connection string or URI of a superuser; empty: a private server
  std::filesystem::path binaries;  // folder of postgres and initdb; empty: look in the usual places
  // Durability as PostgreSQL has it by default, data on a disk: for benchmarks. Otherwise fsync and
  // full_page_writes are off (synchronous_commit stays on: it decides what a client may rely on,
  // not only what a power cut does).
  bool durable = false;
};

// SENDPROOF_PG_DSN and SENDPROOF_PG_BIN; both may be unset.
ServerOptions options_from_environment();

class Server {
 public:
  static std::expected<Server, std::string> start(const ServerOptions& options);

  Server(Server&&) noexcept;
  Server& operator=(Server&&) noexcept;
  ~Server();

  // Connection string in keyword/value form, as the superuser.
  std::string dsn(std::string_view database = "postgres") const;
  const std::string& version() const;  // "17.10"
  const std::string& source()
      const;  // "embedded", "installed /usr/lib/postgresql/17/bin", "given by DSN"
  const std::string& warning() const;  // a version other than 17; empty if there is nothing to say

  // The last line in which a private server told of trouble of its own: a PANIC, a killed process,
  // a full disk; "" if it did not.
  std::string own_trouble() const;

  // Stops a private server at once (clients are cut off) and removes its folder. Idempotent.
  void stop();

 private:
  struct State;
  explicit Server(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace harness::postgres
