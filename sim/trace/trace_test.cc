// A trace says all of a schedule, comes back as it was, and no damage to it goes unseen.
#include "sim/trace/trace.h"

#include <gtest/gtest.h>

#include <array>

#include "sim/bugs/catalog.h"
#include "sim/explore/exhaustive.h"
#include "sim/explore/random.h"
#include "sim/trace/base64url.h"
#include "sim/trace/crc32.h"
#include "sim/trace/settings_text.h"
#include "sim/trace/simplify.h"
#include "sim/trace/story.h"

namespace sim {
namespace {

Trace drawn_trace(std::uint64_t seed) {
  const WorldSettings settings = drawn_settings(seed);
  return trace_of(settings, replay(settings, deviations_of(settings, seed)));
}

std::string refusal(std::string_view text) {
  const auto trace = parse_trace(text);
  if (trace) return "accepted";
  const TraceError& error = trace.error();
  return std::to_string(error.line) + ": " + error.why.what +
         (error.why.word.empty() ? "" : " \"" + error.why.word + "\"");
}

// The trace with its line `number`, checksum aside, replaced; checksums right.
std::string with_line(const std::string& text, std::size_t number, const std::string& line) {
  std::string out;
  Crc32 crc;
  std::size_t at = 0;
  for (std::size_t first = 0; first < text.size();) {
    const std::size_t end = text.find('\n', first);
    std::string body = text.substr(first, text.rfind(" ~", end) - first);
    if (++at == number) body = line;
    crc.add(body + "\n");
    out += body + " ~" + crc.text() + "\n";
    first = end + 1;
  }
  return out;
}

const std::string small = with_line(
    "sendproof-trace 1 statements=00000000 members=2 workers=1 ~\n"
    "1 w1 plan - done ~\n"
    "* 2 w1 kill - done after w1 plan - #1 ~\n"
    "verdict passed step=30 state=00c1ffee00c1ffee ~\n",
    0, "");

TEST(Crc32, IsTheOneOfZlib) {
  Crc32 crc;
  crc.add("123456789");
  EXPECT_EQ(crc.text(), "cbf43926");
}

TEST(Base64url, IsThatOfTheRfc) {
  const std::array<std::pair<std::string, std::string>, 5> pairs{
      {{"", ""}, {"f", "Zg"}, {"fo", "Zm8"}, {"foo", "Zm9v"}, {"\xff\xfe", "__4"}}};
  for (const auto& [bytes, word] : pairs) {
    EXPECT_EQ(to_base64url(bytes), word);
    EXPECT_EQ(from_base64url(word), bytes);
  }
  for (const std::string wrong : {"Z", "Zh", "Zm8=", "Z+8", "Zm9"})
    EXPECT_FALSE(from_base64url(wrong)) << wrong;
}

TEST(Trace, ComesBackAsItWas) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Trace trace = drawn_trace(seed);
    const std::string text = to_text(trace);
    const auto again = parse_trace(text);
    ASSERT_TRUE(again) << "seed " << seed << " " << refusal(text);
    EXPECT_EQ(again->steps, trace.steps) << "seed " << seed;
    EXPECT_EQ(again->ending, trace.ending) << "seed " << seed;
    EXPECT_EQ(to_text(*again), text) << "seed " << seed;
    EXPECT_TRUE(again->has_all_steps());
  }
}

TEST(Trace, ItsDeviationsAloneGoTheSameWay) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Trace trace = drawn_trace(seed);
    const auto read = trace_of_word(to_word(trace));
    ASSERT_TRUE(read) << "seed " << seed;
    const Replay again = replay(read->settings, read->deviations());
    EXPECT_EQ(again.fit, Fit::exact) << "seed " << seed;
    EXPECT_EQ(ending_of(again), trace.ending) << "seed " << seed;
    EXPECT_EQ(trace_of(read->settings, again).steps, trace.steps) << "seed " << seed;
  }
}

TEST(Trace, NoFlippedBitGoesUnseen) {
  const std::string text = to_text(compact(drawn_trace(7)));
  ASSERT_TRUE(parse_trace(text));
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string damaged = text;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U << bit));
      EXPECT_FALSE(parse_trace(damaged)) << "byte " << at << " bit " << bit;
    }
  }
}

TEST(Trace, NoCutGoesUnseen) {
  const std::string text = to_text(compact(drawn_trace(7)));
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(parse_trace(text.substr(0, size))) << size;
}

TEST(Trace, AMissingRepeatedOrMovedLineIsSeen) {
  const Trace trace = drawn_trace(9);
  const std::string text = to_text(trace);
  std::vector<std::string> lines;
  for (std::size_t first = 0; first < text.size();) {
    const std::size_t end = text.find('\n', first) + 1;
    lines.push_back(text.substr(first, end - first));
    first = end;
  }
  const auto joined = [](const std::vector<std::string>& all) {
    std::string out;
    for (const std::string& line : all) out += line;
    return out;
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto without = lines, twice = lines, moved = lines;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    twice.insert(twice.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
    std::swap(moved[i], moved[(i + 1) % lines.size()]);
    EXPECT_FALSE(parse_trace(joined(without))) << i;
    EXPECT_FALSE(parse_trace(joined(twice))) << i;
    EXPECT_FALSE(parse_trace(joined(moved))) << i;
  }
}

TEST(Trace, WhatIsWrongIsNamedWithItsLine) {
  ASSERT_EQ(refusal(small), "accepted");
  const std::string head = "sendproof-trace 1 statements=00000000 ";
  const std::vector<std::array<std::string, 3>> cases{
      {"1", "sendproof-tracer 1 statements=00000000", "1: this is no trace"},
      {"1", "sendproof-trace 2 statements=00000000", "1: a trace of schema \"2\""},
      {"1", "sendproof-trace 1 statements=0", "1: \"statements=0\" is not the statements' hash"},
      {"1", head + "member=2", "1: no setting is named \"member\""},
      {"1", head + "members=0", "1: members can't be \"0\""},
      {"1", head + "members=2 members=2", "1: \"members\" is set twice"},
      {"1", head + "fine_time=maybe", "1: fine_time can't be \"maybe\""},
      {"1", head + "bug=nobody", "1: no planted bug is named \"nobody\""},
      {"1", head + "provider.latency_us=900:5", "1: provider.latency_us can't be \"900:5\""},
      {"1", head + "ignored=S0", "1: no oracle is named \"S0\""},
      {"1", head + "worker.lanes=0", "1: worker.lanes can't be \"0\""},
      {"1", head + "dropped=plan.x", "1: no statement has a part \"plan.x\""},
      {"1", head + "budget.kill=256", "1: budget.kill can't be \"256\""},
      {"1", head + "provider.rules=422:0:1", "1: provider.rules can't be \"422:0:1\""},
      {"2", "1 w1 plans - done", "2: no step is named \"plans\""},
      {"2", "1 w1 plan - slow", "2: a plan has no choice \"slow\""},
      {"2", "1 w0 plan - done", "2: \"w0 plan - done\" is no step"},
      {"2", "1 env plan - done", "2: \"env\" doesn't plan"},
      {"2", "1 w1 time - done", "2: \"w1\" doesn't time"},
      {"2", "1 w1 plan b2 done", "2: \"w1 plan b2 done\" is no step"},
      {"2", "1 env time - little=-5", "2: \"little=-5\" is no length of time"},
      {"2", "1 w1 plan - done=5", "2: \"done=5\" is no length of time"},
      {"2", "1 w1 plan - done after start", "2: a default step has \"after\" too many"},
      {"2", "1  w1 plan - done", "2: \"\" doesn't w1"},
      {"3", "* 1 w1 kill - done after start", "3: step 1 is out of order"},
      {"3", "* 2 w1 kill - done", "3: a deviation doesn't say what it follows"},
      {"3", "* 2 w1 kill - done after w1 plan - #0", "3: what a deviation follows is wrong"},
      {"3", "* 2 w1 kill - done after w1 nap - #1", "3: no step is named \"nap\""},
      {"4", "verdict S99 step=30 state=00c1ffee00c1ffee", "4: no oracle is named \"S99\""},
      {"4", "verdict passed step=30", "4: the verdict is wrong"},
      {"4", "3 w1 plan - done", "4: the trace is cut: its last line is missing"},
      {"3", "verdict passed step=30 state=00c1ffee00c1ffee", "4: a line after the verdict"},
  };
  for (const auto& [number, line, said] : cases) {
    const std::string text = with_line(small, std::stoul(number), line);
    if (line.starts_with("1  w1"))
      EXPECT_FALSE(parse_trace(text)) << line;
    else
      EXPECT_EQ(refusal(text), said) << line;
  }
  EXPECT_EQ(refusal(""), "1: it is empty");
}

TEST(Trace, AnEditByHandIsSignedAgain) {
  std::string edited = small;
  edited.replace(edited.find("members=2"), 9, "members=3");
  EXPECT_EQ(refusal(edited), "1: the line is damaged, or one before it is missing");
  const auto signed_again = resigned(edited);
  ASSERT_TRUE(signed_again);
  const auto read = parse_trace(*signed_again);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->settings.members, 3);
  EXPECT_FALSE(resigned("1 w1 plan - done\n"));
}

WorldSettings settings_of(const std::string& text) {
  WorldSettings settings;
  for (std::size_t first = 0; first < text.size();) {
    const std::size_t end = std::min(text.find(' ', first), text.size());
    const std::string word = text.substr(first, end - first);
    const std::size_t equals = word.find('=');
    EXPECT_TRUE(set(settings, word.substr(0, equals), word.substr(equals + 1))) << word;
    first = end + 1;
  }
  return settings;
}

TEST(SettingsText, LeavesOutWhatIsUsual) {
  EXPECT_EQ(to_text(WorldSettings()), "");
  WorldSettings settings = bound_three();
  settings.dropped = {Conjunct::record_batch_token, Conjunct::plan_turn};
  settings.provider.latency = {{900, core::Duration(150'000)}, {100, core::Duration(400'000)}};
  const std::string text = to_text(settings);
  const WorldSettings again = settings_of(text);
  EXPECT_EQ(to_text(again), text);
  EXPECT_EQ(again.provider, settings.provider);
  EXPECT_EQ(again.name, settings.name);
  EXPECT_EQ(again.dropped, settings.dropped);
  EXPECT_EQ(again.policy.poll_max, settings.policy.poll_max);
}

// Its world is all that it needs: the trace of each goes the same way again.
TEST(SettingsText, SaysAllOfThePlantedBugs) {
  for (const PlantedBug* bug : all_bugs()) {
    const WorldSettings settings = planted(*bug);
    const WorldSettings again = settings_of(to_text(settings));
    EXPECT_EQ(to_text(again), to_text(settings)) << bug->name;
    EXPECT_EQ(again.bug, bug);
    EXPECT_EQ(again.ignored, settings.ignored) << bug->name;
    EXPECT_EQ(again.worker_policy.has_value(), settings.worker_policy.has_value()) << bug->name;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const RandomRun there = run_random(settings, seed, nullptr);
      const RandomRun here = run_random(again, seed, nullptr);
      ASSERT_EQ(here.fingerprint, there.fingerprint) << bug->name << " seed " << seed;
      ASSERT_EQ(here.steps, there.steps) << bug->name << " seed " << seed;
    }
  }
}

TEST(Simplify, KeepsTheViolationAndDropsWhatItCanDoWithout) {
  WorldSettings settings;
  std::vector<Deviation> deviations;
  Replay failed;
  for (std::uint64_t seed = 1; !failed.verdict; ++seed) {
    settings = drawn_settings(seed);
    settings.dropped = {Conjunct::record_batch_token};
    deviations = deviations_of(settings, seed);
    failed = replay(settings, deviations);
  }
  const Shrunk plain = simplify(settings, deviations, failed.verdict->oracle);
  const Replay again = replay(plain.settings, plain.deviations);
  ASSERT_TRUE(again.verdict);
  EXPECT_EQ(again.verdict->oracle, failed.verdict->oracle);
  EXPECT_EQ(again.fit, Fit::exact);
  EXPECT_LE(plain.deviations.size(), deviations.size());
  EXPECT_LT(to_text(plain.settings).size(), to_text(settings).size());
}

TEST(Story, SaysWhatCameOfEachStep) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const WorldSettings settings = drawn_settings(seed);
    const Replay night = replay(settings, deviations_of(settings, seed));
    const auto story = story_of(settings, night.steps);
    ASSERT_EQ(story.size(), night.steps.size());
    EXPECT_TRUE(story.back().came_of_it.find("leaves") != std::string::npos) << "seed " << seed;
  }
}

}  // namespace
}  // namespace sim
