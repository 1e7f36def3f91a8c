#include "harness/processes/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/process.hpp>
#include <boost/process/extend.hpp>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>

namespace harness {
namespace {

// A file descriptor that closes itself.
class Fd {
 public:
  explicit Fd(int number = -1) : number_(number) {}
  ~Fd() { reset(); }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  int get() const { return number_; }
  void reset(int number = -1) {
    if (number_ >= 0) ::close(number_);
    number_ = number;
  }

 private:
  int number_;
};

// Cuts what is read from a descriptor into lines.
class Lines {
 public:
  // Returns false at the end of the input.
  template <typename OnLine>
  bool read_from(int fd, OnLine&& on_line) {
    char chunk[16384];
    const ssize_t got = ::read(fd, chunk, sizeof chunk);
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    if (got == 0) return false;
    pending_.append(chunk, static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (std::size_t end; (end = pending_.find('\n', begin)) != std::string::npos; begin = end + 1)
      on_line(std::string_view(pending_).substr(begin, end - begin));
    pending_.erase(0, begin);
    return true;
  }
  template <typename OnLine>
  void flush(OnLine&& on_line) {
    if (!pending_.empty()) on_line(std::string_view(pending_));
    pending_.clear();
  }

 private:
  std::string pending_;
};

bool readable(int fd) {
  pollfd poll_one{fd, POLLIN, 0};
  return ::poll(&poll_one, 1, 0) > 0;
}

}  // namespace

struct Process::Inner {
  ProcessSpec spec;
  boost::process::child launcher;
  Fd control;  // the socket to the launcher
  Fd output;   // the program's stdout
  mutable std::mutex mutex;
  std::condition_variable changed;
  int pid = 0;
  bool given_up = false;  // the launcher went away without a word
  std::optional<Ended> ended;
  std::thread reader;

  void on_control(std::string_view line);
  void read_until_end();
};

void Process::Inner::on_control(std::string_view line) {
  std::istringstream words{std::string(line)};
  std::string word;
  words >> word;
  const std::lock_guard lock(mutex);
  if (word == "pid") words >> pid;
  std::int64_t kib = 0;
  if (Ended end; word == "ended" && words >> end.exit_code >> kib) {
    end.peak_rss_bytes = kib * 1024;
    ended = end;
  }
}

void Process::Inner::read_until_end() {
  Lines out;
  Lines told;
  bool out_open = true;
  bool told_open = true;
  const auto on_line = [&](std::string_view line) {
    if (spec.on_line) spec.on_line(line);
  };
  const auto is_over = [&] {
    const std::lock_guard lock(mutex);
    return ended.has_value();
  };
  std::optional<Ended> end;
  while (told_open && !end) {
    pollfd both[2] = {{control.get(), POLLIN, 0}, {out_open ? output.get() : -1, POLLIN, 0}};
    if (::poll(both, 2, -1) < 0) continue;
    if (both[1].revents != 0) out_open = out.read_from(output.get(), on_line);
    if (both[0].revents != 0) {
      std::string line;
      told_open = told.read_from(control.get(), [&](std::string_view l) {
        // The end is kept back until the program's last lines have been handed over.
        if (l.starts_with("ended"))
          line = l;
        else
          on_control(l);
      });
      changed.notify_all();
      if (line.empty()) continue;
      while (out_open && readable(output.get())) out_open = out.read_from(output.get(), on_line);
      out.flush(on_line);
      on_control(line);
      if (is_over()) end = ended;
    }
  }
  if (!end) {  // the launcher itself was killed, and the program died with it
    const std::lock_guard lock(mutex);
    given_up = true;
    end = ended = Ended{128 + SIGKILL, 0};
  }
  changed.notify_all();
  if (spec.on_end) spec.on_end(*end);
}

Process::Process(std::unique_ptr<Inner> inner) : inner_(std::move(inner)) {}

std::expected<std::unique_ptr<Process>, std::string> Process::start(ProcessSpec spec) {
  namespace bp = boost::process;
  auto inner = std::make_unique<Inner>();
  int sockets[2];
  int pipe_ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return std::unexpected(std::string("no socket for the launcher: ") + std::strerror(errno));
  inner->control.reset(sockets[0]);
  const Fd launcher_end(sockets[1]);
  // Made here and not by Boost: its pipes lack CLOEXEC, so that other programs would hold them
  // open.
  if (::pipe2(pipe_ends, O_CLOEXEC) != 0)
    return std::unexpected(std::string("no pipe for a program: ") + std::strerror(errno));
  inner->output.reset(pipe_ends[0]);
  const Fd write_end(pipe_ends[1]);

  bp::environment environment = boost::this_process::environment();
  for (const auto& [name, value] : spec.environment) environment[name] = value;
  std::vector<std::string> arguments{std::to_string(::getpid())};
  arguments.insert(arguments.end(), spec.argv.begin(), spec.argv.end());
  const std::filesystem::path launcher = program_folder() / "launcher";
  const std::string error_file = spec.stderr_file.empty() ? "/dev/null" : spec.stderr_file.string();
  std::error_code error;
  inner->launcher = bp::child(bp::exe = launcher.string(), bp::args = arguments, environment, error,
                              bp::posix::fd.bind(0, launcher_end.get()),
                              bp::posix::fd.bind(1, write_end.get()), bp::std_err > error_file);
  if (error) return std::unexpected(launcher.string() + " does not start: " + error.message());
  inner->spec = std::move(spec);
  Inner* const raw = inner.get();
  inner->reader = std::thread([raw] { raw->read_until_end(); });
  std::unique_ptr<Process> process(new Process(std::move(inner)));
  std::unique_lock lock(raw->mutex);
  raw->changed.wait(lock, [&] { return raw->pid != 0 || raw->ended; });
  if (raw->pid == 0)
    return std::unexpected(launcher.string() + " gave up before it started " + raw->spec.argv[0]);
  return process;
}

Process::~Process() {
  signal(SIGKILL);
  inner_->reader.join();
  inner_->control.reset();  // lets the launcher go
  std::error_code error;
  inner_->launcher.wait(error);
}

int Process::pid() const {
  return inner_->pid;
}

bool Process::signal(int number) {
  const std::lock_guard lock(inner_->mutex);
  // Until the socket is closed the launcher keeps the pid taken, except when it was killed itself.
  if (inner_->pid == 0 || inner_->given_up || inner_->ended) return false;
  return ::kill(-inner_->pid, number) == 0;
}

std::optional<Ended> Process::ended() const {
  const std::lock_guard lock(inner_->mutex);
  return inner_->ended;
}

std::optional<Ended> Process::wait(std::chrono::milliseconds at_most) {
  std::unique_lock lock(inner_->mutex);
  inner_->changed.wait_for(lock, at_most, [&] { return inner_->ended.has_value(); });
  return inner_->ended;
}

std::int64_t Process::peak_rss_so_far() const {
  std::ifstream status("/proc/" + std::to_string(pid()) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with("VmHWM:")) continue;
    return std::strtoll(line.c_str() + 6, nullptr, 10) * 1024;
  }
  return 0;
}

std::string Process::last_words() const {
  constexpr std::streamoff most = 2048;
  std::ifstream file(inner_->spec.stderr_file, std::ios::ate | std::ios::binary);
  if (!file) return {};
  const std::streamoff size = file.tellg();
  file.seekg(size > most ? size - most : 0);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

std::filesystem::path program_folder() {
  const auto own = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return std::filesystem::exists(own / "launcher") ? own : own.parent_path() / "bin";
}

std::expected<std::filesystem::path, std::string> find_program(const std::string& program) {
  if (program.find('/') != std::string::npos) {
    if (::access(program.c_str(), X_OK) == 0 && !std::filesystem::is_directory(program))
      return std::filesystem::path(program);
    return std::unexpected("no program at " + program + ": give the path of an executable file");
  }
  const std::string found = boost::process::search_path(program).string();
  if (!found.empty()) return std::filesystem::path(found);
  return std::unexpected("no program named " + program + " in PATH: install it or give its path");
}

std::expected<std::int64_t, std::string> peak_rss_floor() {
  auto process = Process::start({});
  if (!process) return std::unexpected(process.error());
  const auto end = (*process)->wait(std::chrono::seconds(10));
  if (!end) return std::unexpected("the launcher does not end");
  return end->peak_rss_bytes;
}

}  // namespace harness
