// Calls a fuzz target with each seed: the arguments are files, NAME.seeds with one a line and any
// other as one seed. The last seed named before an abort is the one that breaks the claim.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "core/testing/fuzz.h"

namespace {

// What bash's printf %b makes of the same line; only \\, \n, \r, \t and \xHH are for seeds.
std::optional<std::string> unescaped(const std::string& line) {
  std::string bytes;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\') {
      bytes += line[i];
      continue;
    }
    const char kind = ++i < line.size() ? line[i] : ' ';
    if (kind == 'x' && i + 2 < line.size()) {
      const std::string digits = line.substr(i + 1, 2);
      if (digits.find_first_not_of("0123456789abcdef") != std::string::npos) return std::nullopt;
      bytes += static_cast<char>(std::stoi(digits, nullptr, 16));
      i += 2;
    } else if (const std::size_t at = std::string_view("\\nrt").find(kind);
               at != std::string_view::npos) {
      bytes += "\\\n\r\t"[at];
    } else {
      return std::nullopt;
    }
  }
  return bytes;
}

int refused(const std::string& where, const char* what) {
  std::fprintf(stderr, "%s: %s\n", where.c_str(), what);
  return 3;
}

void hold(const std::string& where, const std::string& bytes) {
  std::fprintf(stderr, "%s\n", where.c_str());
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return refused("fuzz_seeds", "no file of seeds was given");
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    std::ifstream file(name, std::ios::binary);
    if (!file) return refused(name, "can't be read");
    if (!name.ends_with(".seeds")) {
      hold(name, std::string(std::istreambuf_iterator<char>(file), {}));
      continue;
    }
    int number = 0, held = 0;
    for (std::string line; std::getline(file, line);) {
      ++number;
      if (line.starts_with('#')) continue;
      const std::string where = name + ":" + std::to_string(number);
      const auto bytes = unescaped(line);
      if (!bytes) return refused(where, "its escapes must be \\\\, \\n, \\r, \\t or \\xhh");
      hold(where, *bytes);
      ++held;
    }
    if (held == 0) return refused(name, "holds no seed");
  }
}
