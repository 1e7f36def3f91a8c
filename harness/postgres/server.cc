#include "harness/postgres/server.h"

#include <cstdlib>
#include <mutex>

#include "fmt/format.h"
#include "harness/postgres/binaries.h"
#include "harness/postgres/conninfo.h"
#include "harness/postgres/postmaster.h"
#include "harness/postgres/run_folder.h"

namespace harness::postgres {
namespace {

constexpr int major_wanted = 17;
constexpr int major_min = 15;

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

struct Server::State {
  std::string conninfo;
  std::string version;
  std::string source;
  std::string warning;
  std::mutex stopping;
  std::unique_ptr<Postmaster> postmaster;
};

ServerOptions options_from_environment() {
  return {.dsn = from_environment("SENDPROOF_PG_DSN"),
          .binaries = from_environment("SENDPROOF_PG_BIN")};
}

std::expected<Server, std::string> Server::start(const ServerOptions& options) {
  auto state = std::make_unique<State>();
  if (options.dsn.empty()) {
    const auto binaries = find_binaries(options.binaries);
    if (!binaries) return std::unexpected(binaries.error());
    const auto account = server_account();
    if (!account) return std::unexpected(account.error());
    auto folder = RunFolder::create(*account, options.durable);
    if (!folder) return std::unexpected(folder.error());
    auto postmaster = Postmaster::start(*binaries, std::move(*folder), *account, options.durable);
    if (!postmaster) return std::unexpected(postmaster.error());
    state->postmaster = std::move(*postmaster);
    state->conninfo = state->postmaster->conninfo();
    state->source = binaries->source;
  } else {
    state->conninfo = options.dsn;
    state->source = "given by DSN";
  }

  const auto checked = with_database(state->conninfo, "postgres");
  if (!checked)
    return std::unexpected(fmt::format("not a PostgreSQL connection string: {}", checked.error()));
  // The user's own database is asked: a server needn't let them into "postgres".
  const auto number = server_version(options.dsn.empty() ? *checked : options.dsn);
  if (!number)
    return std::unexpected(
        fmt::format("no PostgreSQL server at the given DSN: {}", number.error()));
  const int major = *number / 10000;
  state->version = fmt::format("{}.{}", major, *number % 10000);
  if (major < major_min) {
    return std::unexpected(
        fmt::format("PostgreSQL {} ({}) is too old: {} or later is needed, {} is what is proven",
                    state->version, state->source, major_min, major_wanted));
  }
  if (major != major_wanted) {
    state->warning = fmt::format("PostgreSQL {} ({}): results are proven on {}", state->version,
                                 state->source, major_wanted);
  }
  return Server(std::move(state));
}

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::Server(Server&&) noexcept = default;
Server& Server::operator=(Server&&) noexcept = default;
Server::~Server() {
  if (state_) stop();
}

std::string Server::dsn(std::string_view database) const {
  return with_database(state_->conninfo, database).value_or("");
}
const std::string& Server::version() const {
  return state_->version;
}
const std::string& Server::source() const {
  return state_->source;
}
const std::string& Server::warning() const {
  return state_->warning;
}

std::string Server::own_trouble() const {
  return state_->postmaster ? state_->postmaster->own_trouble() : "";
}

void Server::stop() {
  const std::lock_guard hold(state_->stopping);
  state_->postmaster.reset();
}

}  // namespace harness::postgres
