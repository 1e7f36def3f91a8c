#include "harness/postgres/postmaster.h"

#include <libpq-fe.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <future>

#include "fmt/format.h"
#include "harness/postgres/cluster.h"

namespace harness::postgres {
namespace fs = std::filesystem;
namespace {

constexpr auto start_time_max = std::chrono::seconds(20);
constexpr auto end_time_max = std::chrono::seconds(5);

std::vector<std::string> command_line(const Binaries& binaries, const RunFolder& folder,
                                      bool durable) {
  std::vector<std::string> settings{
      "listen_addresses=",
      fmt::format("unix_socket_directories={}", folder.path().string()),
      "max_connections=200",
      "shared_buffers=512MB",
      "max_wal_size=1GB",
      "checkpoint_timeout=15min",
      // A killed sender's backend that waits for a lock notices it within this time, and gives its
      // row locks back.
      "client_connection_check_interval=100ms",
      "track_io_timing=off",
      // Segments of a server that was killed go with its folder, instead of staying in /dev/shm.
      "dynamic_shared_memory_type=mmap",
  };
  if (!durable) settings.insert(settings.end(), {"fsync=off", "full_page_writes=off"});
  if (has_stat_statements(binaries))
    settings.emplace_back("shared_preload_libraries=pg_stat_statements");
  std::vector<std::string> command{(binaries.folder / "postgres").string(), "-D",
                                   folder.cluster().string()};
  for (std::string& setting : settings) {
    command.emplace_back("-c");
    command.push_back(std::move(setting));
  }
  return command;
}

}  // namespace

std::expected<std::unique_ptr<Postmaster>, std::string> Postmaster::start(
    const Binaries& binaries, RunFolder folder, const std::optional<Account>& account,
    bool durable) {
  if (auto made = make_cluster(binaries, folder, account); !made)
    return std::unexpected(made.error());
  std::unique_ptr<Postmaster> server(new Postmaster(std::move(folder)));
  std::promise<std::expected<pid_t, std::string>> spawned;
  auto answer = spawned.get_future();
  server->waiter_ = std::thread([&binaries, &account, durable, &spawned, self = server.get()] {
    const auto pid = spawn(command_line(binaries, self->folder_, durable),
                           {account, SIGQUIT, self->folder_.log()});
    spawned.set_value(pid);  // ends the life of what start() lent
    int status = 0;
    while (pid && waitpid(*pid, &status, 0) < 0 && errno == EINTR) {
    }
    self->ended_ = true;
    self->ended_.notify_all();
  });
  const auto pid = answer.get();
  if (!pid) return std::unexpected(pid.error());
  server->pid_ = *pid;
  if (auto ready = server->await_ready(); !ready) return std::unexpected(ready.error());
  return server;
}

std::expected<void, std::string> Postmaster::await_ready() const {
  const auto give_up = std::chrono::steady_clock::now() + start_time_max;
  while (!ended_ && std::chrono::steady_clock::now() < give_up) {
    if (PQping(conninfo().c_str()) == PQPING_OK) return {};
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return std::unexpected(fmt::format("PostgreSQL {}: {}",
                                     ended_ ? "ended while starting" : "did not answer within 20 s",
                                     last_words(folder_.log())));
}

std::string Postmaster::own_trouble() const {
  return postgres::own_trouble(folder_.log());
}

std::string Postmaster::conninfo() const {
  return fmt::format("host={} port=5432 user=postgres", folder_.path().string());
}

Postmaster::~Postmaster() {
  if (pid_ > 0) {
    // The data is thrown away, so there is nothing to shut down in order.
    kill(pid_, SIGQUIT);
    const auto give_up = std::chrono::steady_clock::now() + end_time_max;
    while (!ended_ && std::chrono::steady_clock::now() < give_up)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (!ended_) end_server_in(folder_.cluster());
  }
  if (waiter_.joinable()) waiter_.join();
}

}  // namespace harness::postgres
