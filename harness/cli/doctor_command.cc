// `harness doctor`.
#include <fmt/format.h>
#include <time.h>

#include <clocale>

#include "core/rng.h"
#include "harness/cli/progress.h"
#include "harness/cli/simulation_commands.h"
#include "harness/run.h"
#include "harness/simulation/doctor.h"
#include "reports/text_layout.h"

namespace harness::cli {
namespace {

Exit refuse(const Terminal& terminal, std::string_view message) {
  terminal.err << message << std::endl;
  return Exit::refused;
}

Exit differ(const Terminal& terminal, std::string_view where, const std::string& how) {
  terminal.out << reports::wrapped(fmt::format("doctor: not deterministic, {}", where), 100)
               << reports::wrapped(how, 100) << std::flush;
  return Exit::not_deterministic;
}

// In a child with other surroundings: it takes them on as a program does that cares.
Exit print(const DoctorArguments& asked, const Terminal& terminal) {
  std::setlocale(LC_ALL, "");
  tzset();
  for (std::int64_t i = 0; i < asked.schedules && !stop_asked(); ++i) {
    const std::uint64_t seed = asked.seed + static_cast<std::uint64_t>(i);
    const auto steps = steps_of_seed(seed);
    if (asked.print == "seeds") {
      terminal.out << to_line(hash_of(seed, steps)) << '\n';
      continue;
    }
    for (const StepHash& step : steps) terminal.out << to_line(step) << '\n';
  }
  terminal.out << std::flush;
  return Exit::holds;
}

std::vector<std::string> words(std::string_view print, std::uint64_t seed, std::int64_t schedules) {
  return {"doctor",
          "--print",
          std::string(print),
          "--seed",
          std::to_string(seed),
          "--schedules",
          std::to_string(schedules)};
}

// Where a child's seed differs from ours: it is asked for the steps of that one.
std::string difference(const Surroundings& surroundings, std::uint64_t seed) {
  std::vector<StepHash> elsewhere;
  const auto lines = run_myself(surroundings, words("steps", seed, 1));
  if (!lines) return lines.error();
  for (const std::string& line : *lines)
    elsewhere.push_back(step_hash_of(line).value_or(StepHash{line, 0}));
  return describe_difference(seed, steps_of_seed(seed), elsewhere);
}

}  // namespace

Exit execute(const DoctorArguments& asked, const Terminal& terminal) {
  if (!asked.print.empty()) return print(asked, terminal);
  ConsoleProgress progress(terminal.err, terminal.err_is_terminal);
  std::vector<SeedHash> hashes;
  std::int64_t steps = 0;
  for (std::int64_t i = 0; i < asked.schedules && !stop_asked(); ++i) {
    const std::uint64_t seed = asked.seed + static_cast<std::uint64_t>(i);
    const auto once = steps_of_seed(seed);
    const auto twice = steps_of_seed(seed);
    if (first_difference(once, twice))
      return differ(terminal, "twice in one process", describe_difference(seed, once, twice));
    hashes.push_back(hash_of(seed, once));
    steps += hashes.back().steps;
    progress.moving(fmt::format("{} of {} schedules twice in one process", i + 1, asked.schedules));
  }
  if (hashes.empty()) return Exit::inconclusive;
  for (const Surroundings& surroundings : other_surroundings()) {
    progress.stage("a child with " + surroundings.name);
    const auto lines = run_myself(surroundings, words("seeds", asked.seed, std::ssize(hashes)));
    if (stop_asked()) return Exit::inconclusive;
    if (!lines) return refuse(terminal, lines.error());
    std::vector<SeedHash> elsewhere;
    for (const std::string& line : *lines)
      elsewhere.push_back(seed_hash_of(line).value_or(SeedHash{}));
    const auto at = first_difference(hashes, elsewhere);
    if (!at) continue;
    const std::uint64_t seed = asked.seed + static_cast<std::uint64_t>(*at);
    return differ(terminal, "in a child with " + surroundings.name, difference(surroundings, seed));
  }
  SeedHash all;
  for (const SeedHash& one : hashes) all.hash = core::mix(all.hash ^ one.hash);
  terminal.out << fmt::format(
                      "doctor: {} schedules, {} steps: the same twice in one process, and in {} "
                      "children\nwith other addresses, locale, time zone and environment; hash "
                      "{:016x}\n",
                      hashes.size(), steps, other_surroundings().size(), all.hash)
               << std::flush;
  return Exit::holds;
}

}  // namespace harness::cli
