// The fake_mail program as its callers start it.
#include <gtest/gtest.h>
#include <httplib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fake_mail/control_client.h"

namespace fake_mail {
namespace {

using core::operator""s;

// A started program and the reading end of its output.
class Program {
 public:
  explicit Program(std::vector<std::string> arguments, bool own_parent = false) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      // With a parent of its own, which ends as soon as the program speaks or when this test ends.
      if (own_parent && ::fork() != 0) ::pause();
      ::dup2(ends[1], STDOUT_FILENO);
      ::dup2(ends[1], STDERR_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      arguments.insert(arguments.begin(), FAKE_MAIL_PROGRAM);
      std::vector<char*> argv;
      for (std::string& argument : arguments) argv.push_back(argument.data());
      argv.push_back(nullptr);
      ::execv(FAKE_MAIL_PROGRAM, argv.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    output_ = ::fdopen(ends[0], "r");
  }
  ~Program() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    std::fclose(output_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Returns: one line; "" at the end of the output, that is when every process holding it has
  // ended.
  std::string line() {
    std::string text;
    for (int c = std::fgetc(output_); c != EOF && c != '\n'; c = std::fgetc(output_))
      text.push_back(static_cast<char>(c));
    return text;
  }
  void signal(int number) const { ::kill(pid_, number); }
  int exit_code() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t pid_;
  std::FILE* output_;
};

struct Ports {
  explicit Ports(Program& program) {
    const auto said = nlohmann::json::parse(program.line());
    EXPECT_EQ(said.at("event"), "listening");
    mail = said.at("port");
    control = said.at("control_port");
  }
  int mail;
  int control;
};

TEST(FakeMailProgram, ServesUntilItIsTerminated) {
  for (const int signal : {SIGTERM, SIGINT}) {
    Program program({"--threads", "8"});
    const Ports ports(program);
    httplib::Client http("127.0.0.1", ports.mail);
    http.set_keep_alive(true);
    EXPECT_EQ(http.Post("/p1/send", R"({"member_id":1})", "application/json")->status, 200);
    program.signal(signal);
    EXPECT_EQ(program.exit_code(), 0);
  }
}

TEST(FakeMailProgram, EndsPromptlyWhileAnAnswerIsWithheld) {
  Program program({"--threads", "8"});
  const Ports ports(program);
  ControlClient control(ports.control);
  control.set_trigger(1, true);
  auto answer = std::async(std::launch::async, [&] {
    return httplib::Client("127.0.0.1", ports.mail)
        .Post("/p1/send", R"({"member_id":1})", "application/json")
        .operator bool();
  });
  ASSERT_TRUE(control.wait_for_accepts(1, 60s).reached);
  program.signal(SIGTERM);
  EXPECT_EQ(program.exit_code(), 0);
  EXPECT_FALSE(answer.get());
}

TEST(FakeMailProgram, RefusesATakenPort) {
  Program first({"--threads", "2"});
  const Ports ports(first);
  for (const auto& [option, port] :
       {std::pair{"--port", ports.mail}, std::pair{"--control-port", ports.control}}) {
    Program second({option, std::to_string(port), "--threads", "2"});
    EXPECT_EQ(second.line(), "fake_mail: port " + std::to_string(port) + " is taken");
    EXPECT_EQ(second.exit_code(), 3);
  }
}

TEST(FakeMailProgram, RefusesNonsense) {
  EXPECT_EQ(Program({"--threads", "0"}).exit_code(), 3);
  EXPECT_EQ(Program({"--cert", "only-one-of-two"}).exit_code(), 3);
  EXPECT_EQ(Program({"--cert", "/no/such", "--key", "/no/such"}).exit_code(), 3);
  EXPECT_EQ(Program({"--help"}).exit_code(), 0);
}

TEST(FakeMailProgram, DiesWithItsParent) {
  Program parent({"--threads", "2"}, /*own_parent=*/true);
  const Ports ports(parent);
  parent.signal(SIGKILL);
  EXPECT_EQ(parent.line(), "");  // the end of the output: the program has ended too
}

TEST(FakeMailProgram, ServesHttps) {
  const std::string folder = testing::TempDir() + "/fake_mail_https." + std::to_string(::getpid());
  std::filesystem::create_directories(folder);
  const std::string command =
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 "
      "-subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 -keyout " +
      folder + "/key.pem -out " + folder + "/cert.pem 2>/dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);
  Program program({"--threads", "4", "--cert", folder + "/cert.pem", "--key", folder + "/key.pem"});
  const Ports ports(program);
  httplib::SSLClient https("127.0.0.1", ports.mail);
  https.set_ca_cert_path((folder + "/cert.pem").c_str());
  https.enable_server_certificate_verification(true);
  const auto answer = https.Post("/p1/send", R"({"member_id":1})", "application/json");
  ASSERT_TRUE(answer) << httplib::to_string(answer.error());
  EXPECT_EQ(answer->status, 200);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace fake_mail
