#include "harness/processes/command_line.h"

namespace harness {

std::expected<std::vector<std::string>, std::string> split_command(std::string_view command) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  const auto wrong = [&](std::string_view what) {
    return std::unexpected("the command `" + std::string(command) + "` " + std::string(what));
  };
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    const bool escapes = c == '\\' && quote != '\'';
    if (escapes) {
      if (i + 1 == command.size()) return wrong("ends in a backslash");
      const char next = command[i + 1];
      const bool literal = quote == '"' && next != '"' && next != '\\';
      if (literal)
        word += c;
      else
        word += command[++i];
      in_word = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote != 0) return wrong(std::string("leaves a quote ") + quote + " open");
  if (in_word) words.push_back(std::move(word));
  if (words.empty()) return wrong("is empty: name a program");
  return words;
}

}  // namespace harness
