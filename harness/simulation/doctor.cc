#include "harness/simulation/doctor.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>

#include "sim/explore/random.h"

namespace harness {
namespace {

std::string one_step(const std::vector<StepHash>& steps, std::size_t at) {
  if (at >= steps.size()) return "it has ended";
  return fmt::format("{}, world {:016x}", steps[at].move, steps[at].fingerprint);
}

template <class Number>
bool parse(std::string_view text, Number& number, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc{} && end == text.data() + text.size();
}

// In the child; never returns.
[[noreturn]] void become(const Surroundings& surroundings, std::vector<char*> words, int out) {
  std::vector<std::string> kept = surroundings.environment;
  std::vector<char*> environment;
  for (std::string& variable : kept) environment.push_back(variable.data());
  environment.push_back(nullptr);
  if (surroundings.fixed_addresses && personality(ADDR_NO_RANDOMIZE) < 0) _exit(126);
  dup2(out, STDOUT_FILENO);
  words.push_back(nullptr);
  execve("/proc/self/exe", words.data(), environment.data());
  _exit(127);
}

std::string read_all(int file) {
  std::string text;
  char buffer[1 << 16];
  while (true) {
    const ssize_t got = read(file, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace

std::vector<StepHash> steps_of_seed(std::uint64_t seed) {
  const sim::WorldSettings settings = sim::drawn_settings(seed);
  sim::World world(settings);
  sim::RandomChooser chooser(settings, seed);
  std::vector<StepHash> steps;
  while (!world.over()) {
    const sim::Offer offer = chooser.choose(world);
    world.apply(offer);
    steps.push_back({to_text(offer.move), world.fingerprint()});
  }
  return steps;
}

SeedHash hash_of(std::uint64_t seed, const std::vector<StepHash>& steps) {
  SeedHash out{seed, std::ssize(steps), 0};
  for (const StepHash& step : steps) {
    out.hash = core::mix(out.hash ^ step.fingerprint);
    for (const char c : step.move) out.hash = core::mix(out.hash ^ static_cast<unsigned char>(c));
  }
  return out;
}

std::string describe_difference(std::uint64_t seed, const std::vector<StepHash>& here,
                                const std::vector<StepHash>& elsewhere) {
  const auto at = first_difference(here, elsewhere);
  if (!at)
    return fmt::format("seed {} gave another hash, and the same steps when it was run again", seed);
  return fmt::format("seed {} differs from step {} on: here {}; elsewhere {}", seed, *at + 1,
                     one_step(here, *at), one_step(elsewhere, *at));
}

std::string to_line(const SeedHash& hash) {
  return fmt::format("{} {} {:016x}", hash.seed, hash.steps, hash.hash);
}
std::string to_line(const StepHash& step) {
  return fmt::format("{:016x} {}", step.fingerprint, step.move);
}

std::optional<SeedHash> seed_hash_of(std::string_view line) {
  SeedHash out;
  const std::size_t first = line.find(' ');
  const std::size_t second = line.find(' ', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
  if (!parse(line.substr(0, first), out.seed, 10) ||
      !parse(line.substr(first + 1, second - first - 1), out.steps, 10) ||
      !parse(line.substr(second + 1), out.hash, 16))
    return std::nullopt;
  return out;
}

std::optional<StepHash> step_hash_of(std::string_view line) {
  StepHash out;
  if (line.size() < 18 || line[16] != ' ' || !parse(line.substr(0, 16), out.fingerprint, 16))
    return std::nullopt;
  out.move = line.substr(17);
  return out;
}

std::vector<Surroundings> other_surroundings() {
  return {{"fixed addresses, LC_ALL=C, TZ=Pacific/Kiritimati",
           true,
           {"LC_ALL=C", "LANG=C", "TZ=Pacific/Kiritimati"}},
          {"random addresses, LC_ALL=tr_TR.UTF-8 if installed, TZ=America/St_Johns, 64 KiB of "
           "environment",
           false,
           {"LC_ALL=tr_TR.UTF-8", "LANG=tr_TR.UTF-8", "TZ=America/St_Johns",
            "PADDING=" + std::string(1 << 16, 'x')}}};
}

std::expected<std::vector<std::string>, std::string> run_myself(
    const Surroundings& surroundings, const std::vector<std::string>& words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return std::unexpected(fmt::format("a child can't be started: {}", std::strerror(errno)));
  std::vector<std::string> kept = words;
  std::vector<char*> arguments;
  std::string name = "harness";
  arguments.push_back(name.data());
  for (std::string& word : kept) arguments.push_back(word.data());
  const pid_t child = fork();
  if (child == 0) become(surroundings, arguments, ends[1]);
  close(ends[1]);
  const std::string text = child < 0 ? "" : read_all(ends[0]);
  close(ends[0]);
  if (child < 0)
    return std::unexpected(fmt::format("a child can't be started: {}", std::strerror(errno)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 126)
    return std::unexpected("the system forbids fixed addresses (personality), which doctor needs");
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return std::unexpected(fmt::format("a child with {} ended before its time", surroundings.name));
  std::vector<std::string> lines;
  for (std::size_t first = 0; first < text.size();) {
    const std::size_t end = std::min(text.find('\n', first), text.size());
    lines.push_back(text.substr(first, end - first));
    first = end + 1;
  }
  return lines;
}

}  // namespace harness
