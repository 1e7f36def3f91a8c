// campaign_sender itself, run by a test.
//
// Requires: CAMPAIGN_SENDER is its path.
#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "core/pg/testing/database.h"

namespace core::sender::testing {

using Variables = std::map<std::string, std::string>;

// The program with exactly these variables, its output in files.
class Program {
 public:
  explicit Program(const Variables& variables, const std::vector<std::string>& arguments = {}) {
    std::vector<std::string> set;
    for (const auto& [name, value] : variables) set.push_back(name + "=" + value);
    std::vector<std::string> words{CAMPAIGN_SENDER};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const auto pointers = [](std::vector<std::string>& texts) {
      std::vector<char*> list;
      for (std::string& text : texts) list.push_back(text.data());
      list.push_back(nullptr);
      return list;
    };
    const std::vector<char*> argv = pointers(words);
    const std::vector<char*> environment = pointers(set);
    process_ = fork();
    if (process_ == 0) {
      for (const auto& [file, descriptor] : {std::pair(out_, 1), std::pair(err_, 2)}) {
        dup2(open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), descriptor);
      }
      execve(argv[0], argv.data(), environment.data());
      _exit(127);
    }
  }
  ~Program() {
    if (process_ > 0) {
      kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
    std::filesystem::remove(out_);
    std::filesystem::remove(err_);
  }
  void stop() const { kill(process_, SIGTERM); }
  int exit_code() {
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  std::string out() const { return text_of(out_); }
  std::string err() const { return text_of(err_); }

 private:
  static std::string text_of(const std::filesystem::path& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  static std::filesystem::path file(const char* name) {
    static int count = 0;
    return std::filesystem::temp_directory_path() /
           ("sendproof_program_" + std::to_string(getpid()) + "_" + std::to_string(++count) + name);
  }
  std::filesystem::path out_ = file("_out"), err_ = file("_err");
  pid_t process_ = 0;
};

inline Variables variables_for(const pg::testing::Database& database, int mail_port) {
  return {{"DB_DSN", database.dsn()},
          {"CAMPAIGN_ID", "spring"},
          {"MAIL_URL", "http://127.0.0.1:" + std::to_string(mail_port) + "/p1/send"},
          {"RATE_PER_S", "0"}};
}

}  // namespace core::sender::testing
