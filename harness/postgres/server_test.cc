#include "harness/postgres/server.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <thread>

#include "harness/postgres/conninfo.h"

namespace harness::postgres {
namespace {

namespace fs = std::filesystem;

Server start() {
  auto server = Server::start({});
  if (!server) throw std::runtime_error(server.error());
  return std::move(*server);
}

fs::path folder_of(const std::string& dsn) {
  const auto begin = dsn.find("host=") + 5;
  return dsn.substr(begin, dsn.find(' ', begin) - begin);
}

// Starts a server in a child process, which tells its connection string and then stays.
struct OtherOwner {
  pid_t pid = 0;
  std::string dsn;

  OtherOwner() {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw std::runtime_error("pipe");
    pid = fork();
    if (pid == 0) {
      const Server server = start();
      const std::string told = server.dsn();
      if (write(ends[1], told.data(), told.size()) < 0) _exit(1);
      pause();
      _exit(0);
    }
    std::array<char, 500> buffer{};
    const auto count = read(ends[0], buffer.data(), buffer.size());
    dsn.assign(buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    close(ends[0]);
    close(ends[1]);
  }
  void end(int signal) {
    if (pid == 0) return;
    kill(pid, signal);
    waitpid(pid, nullptr, 0);
    pid = 0;
  }
  ~OtherOwner() { end(SIGKILL); }
  OtherOwner(const OtherOwner&) = delete;
  OtherOwner& operator=(const OtherOwner&) = delete;
};

TEST(PostgresServer, StartsAnswersAndIsGone) {
  Server server = start();
  const std::string dsn = server.dsn();
  EXPECT_TRUE(server_version(dsn)) << dsn;
  EXPECT_TRUE(server.version().starts_with("17.")) << server.version();
  EXPECT_FALSE(server.source().empty());
  EXPECT_EQ(server.warning(), "");
  server.stop();
  server.stop();
  EXPECT_FALSE(server_version(dsn));
  EXPECT_FALSE(fs::exists(folder_of(dsn)));
}

TEST(PostgresServer, DestructorStopsIt) {
  std::string dsn;
  {
    const Server server = start();
    dsn = server.dsn();
  }
  EXPECT_FALSE(server_version(dsn));
  EXPECT_FALSE(fs::exists(folder_of(dsn)));
}

TEST(PostgresServer, OutlivesTheThreadThatStartedIt) {
  std::unique_ptr<Server> server;
  std::thread([&] { server = std::make_unique<Server>(start()); }).join();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(server_version(server->dsn()));
}

TEST(PostgresServer, TwoOwnersDoNotDisturbEachOther) {
  OtherOwner other;
  ASSERT_TRUE(server_version(other.dsn)) << other.dsn;
  Server mine = start();
  EXPECT_NE(mine.dsn(), other.dsn);
  mine.stop();
  EXPECT_TRUE(server_version(other.dsn)) << "a start or stop of another owner ended it";
}

TEST(PostgresServer, AKilledOwnersServerEndsAndTheNextStartRemovesItsData) {
  OtherOwner other;
  ASSERT_TRUE(server_version(other.dsn)) << other.dsn;
  other.end(SIGKILL);
  for (int i = 0; i < 200 && server_version(other.dsn); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(server_version(other.dsn));
  EXPECT_TRUE(fs::exists(folder_of(other.dsn)));
  const Server next = start();
  EXPECT_FALSE(fs::exists(folder_of(other.dsn)));
}

TEST(PostgresServer, DurableKeepsPostgresDefaults) {
  const auto server = Server::start({.dsn = {}, .binaries = {}, .durable = true});
  ASSERT_TRUE(server) << server.error();
  EXPECT_FALSE(server->dsn().contains("/dev/shm"));
}

TEST(PostgresServer, UsesTheServerOfAGivenDsn) {
  Server own = start();
  Server given = std::move(*Server::start({.dsn = own.dsn(), .binaries = {}}));
  EXPECT_EQ(given.source(), "given by DSN");
  EXPECT_EQ(given.version(), own.version());
  given.stop();
  EXPECT_TRUE(server_version(own.dsn())) << "a server that isn't ours was stopped";
}

TEST(PostgresServer, SaysWhatIsWrongInOneLine) {
  EXPECT_EQ(Server::start({.dsn = {}, .binaries = "/nowhere"}).error(),
            "no postgres and initdb programs in /nowhere (SENDPROOF_PG_BIN): name the folder that "
            "holds both");
  EXPECT_TRUE(Server::start({.dsn = "host=/nowhere port=1", .binaries = {}})
                  .error()
                  .starts_with("no PostgreSQL server at the given DSN: "));
  EXPECT_TRUE(Server::start({.dsn = "hots=x", .binaries = {}})
                  .error()
                  .starts_with("not a PostgreSQL connection string: "));
}

TEST(Conninfo, ReplacesTheDatabaseOfBothForms) {
  EXPECT_EQ(with_database("postgresql://u@h:5/old", "new"), "user=u host=h port=5 dbname=new");
  EXPECT_EQ(with_database("host='a b' dbname=old", "it's"), "host='a b' dbname='it\\'s'");
  EXPECT_EQ(with_address("postgresql://u@h:5/d?hostaddr=1.2.3.4", "@socket", "7"),
            "user=u dbname=d host=@socket port=7");
}

}  // namespace
}  // namespace harness::postgres
