#include "reports/text_layout.h"

#include <vector>

#include "reports/utf8.h"

namespace reports {
namespace {

// The characters of `text`, each as its bytes; what a terminal shouldn't be sent as "?".
std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const CodePoint next = first_code_point(text);
    const bool control = next.value < 0x20 || (next.value >= 0x7F && next.value < 0xA0);
    out.emplace_back(next.valid && !control ? text.substr(0, next.bytes) : "?");
    text.remove_prefix(next.bytes);
  }
  return out;
}

std::string join(const std::vector<std::string>& all, std::size_t first, std::size_t end) {
  std::string out;
  for (std::size_t i = first; i < end; ++i) out += all[i];
  return out;
}

}  // namespace

std::size_t width_of(std::string_view text) {
  return characters(text).size();
}

std::string shortened(std::string_view text, std::size_t most) {
  const auto all = characters(text);
  if (all.size() <= most) return join(all, 0, all.size());
  const std::size_t head = (most - 3) / 2;
  const std::size_t tail = most - 3 - head;
  return join(all, 0, head) + "..." + join(all, all.size() - tail, all.size());
}

std::string padded_left(std::string_view text, std::size_t width) {
  const std::size_t used = width_of(text);
  return std::string(width > used ? width - used : 0, ' ').append(text);
}

std::string padded_right(std::string_view text, std::size_t width) {
  const std::size_t used = width_of(text);
  return std::string(text).append(width > used ? width - used : 0, ' ');
}

std::string wrapped(std::string_view text, std::size_t most) {
  constexpr std::string_view kIndent = "    ";
  const auto all = characters(text);
  std::string out;
  std::size_t first = 0;
  do {
    const std::size_t room = first == 0 ? most : most - kIndent.size();
    std::size_t end = std::min(all.size(), first + room);
    if (end < all.size()) {
      std::size_t blank = end;
      while (blank > first && all[blank] != " ") --blank;
      if (blank > first) end = blank;
    }
    if (first > 0) out += kIndent;
    out += join(all, first, end) + '\n';
    first = end;
    while (first < all.size() && all[first] == " ") ++first;
  } while (first < all.size());
  return out;
}

}  // namespace reports
