#include "core/assertion_text.h"

namespace core {
namespace {

// Where the compiler was called from, or the clone lies: it is before each file's name alike.
constexpr std::string_view folder_of_the_repository() {
  constexpr std::string_view here = __FILE__;
  constexpr std::string_view own_name = "core/assertion_text.cc";
  static_assert(here.ends_with(own_name));
  return here.substr(0, here.size() - own_name.size());
}

}  // namespace

std::string assertion_text(std::string_view condition, std::string_view file, int line) {
  constexpr std::string_view before = "false && \"";
  if (condition.starts_with(before) && condition.ends_with('"')) {
    condition.remove_prefix(before.size());
    condition.remove_suffix(1);
  }
  constexpr std::string_view folder = folder_of_the_repository();
  if (file.starts_with(folder)) file.remove_prefix(folder.size());
  while (file.starts_with("../")) file.remove_prefix(3);  // compiled from the build folder
  return std::string(condition) + ", at " + std::string(file) + ":" + std::to_string(line);
}

}  // namespace core
