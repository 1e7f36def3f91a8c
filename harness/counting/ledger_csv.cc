#include "harness/counting/ledger_csv.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fstream>
#include <vector>

namespace harness {
namespace {

template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Splits in place: a quoted field is unescaped inside `line`, so that no field costs an allocation.
// Returns false when a quote is left open.
bool split(std::string& line, std::vector<std::string_view>& fields) {
  fields.clear();
  char* in = line.data();
  char* const end = line.data() + line.size();
  while (true) {
    char* const begin = in;
    char* out = in;
    if (in < end && *in == '"') {
      for (++in;; ++in) {
        if (in >= end) return false;
        if (*in == '"' && !(in + 1 < end && in[1] == '"')) break;
        if (*in == '"') ++in;
        *out++ = *in;
      }
      ++in;
    } else {
      while (in < end && *in != ',') ++in;
      out = in;
    }
    fields.emplace_back(begin, static_cast<std::size_t>(out - begin));
    if (in >= end) return true;
    if (*in != ',') return false;
    ++in;
  }
}

std::optional<Outcome> outcome_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Outcome>, 5> names{
      {{"delivered", Outcome::delivered},
       {"repeat", Outcome::repeat},
       {"refused", Outcome::refused},
       {"throttled", Outcome::throttled},
       {"unavailable", Outcome::unavailable}}};
  for (const auto& [known, outcome] : names)
    if (known == name) return outcome;
  return std::nullopt;
}

struct Columns {
  int arrival_us = -1;
  int recipient = -1;
  int status = -1;
  int outcome = -1;
  std::size_t count = 0;
};

constexpr std::array<std::pair<std::string_view, int Columns::*>, 4> known_columns{
    {{"arrival_us", &Columns::arrival_us},
     {"recipient", &Columns::recipient},
     {"status", &Columns::status},
     {"outcome", &Columns::outcome}}};

Columns find_columns(const std::vector<std::string_view>& names) {
  Columns columns;
  columns.count = names.size();
  for (int i = 0; const std::string_view name : names) {
    for (const auto& [known, column] : known_columns)
      if (name == known) columns.*column = i;
    ++i;
  }
  return columns;
}

std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (std::isspace(static_cast<unsigned char>(c)) == 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// A column that is passed over because its name is not quite right would be counted as if it were
// not there. Returns what is wrong, "" when nothing is.
std::string near_miss(const std::vector<std::string_view>& names) {
  for (const auto& [known, column] : known_columns) {
    if (std::ranges::count(names, known) > 1) return "two columns `" + std::string(known) + "`";
    for (const std::string_view name : names)
      if (name != known && plain(name) == known)
        return "column `" + std::string(name) + "`: write it `" + std::string(known) + "`";
  }
  return {};
}

// Returns what is wrong, "" when nothing is.
std::string read_row(const Columns& columns, const std::vector<std::string_view>& fields,
                     LedgerRow& row) {
  const auto field = [&](int column) { return fields[static_cast<std::size_t>(column)]; };
  if (fields.size() != columns.count)
    return std::to_string(fields.size()) + " fields where the first line names " +
           std::to_string(columns.count);
  row = LedgerRow{};
  row.recipient = field(columns.recipient);
  if (row.recipient.empty()) return "no recipient: a member id or an address";
  if (columns.arrival_us >= 0) {
    row.arrival_us = number<std::int64_t>(field(columns.arrival_us));
    if (!row.arrival_us)
      return "arrival_us `" + std::string(field(columns.arrival_us)) +
             "` is not a number of microseconds since 1970";
  }
  if (columns.status >= 0) {
    const auto status = number<int>(field(columns.status));
    if (!status)
      return "status `" + std::string(field(columns.status)) + "` is not an HTTP status or 0";
    row.status = *status;
  }
  if (columns.outcome >= 0) {
    const auto outcome = outcome_named(field(columns.outcome));
    if (!outcome)
      return "outcome `" + std::string(field(columns.outcome)) +
             "` is none of delivered, repeat, refused, throttled, unavailable";
    row.outcome = *outcome;
  } else if (columns.status >= 0 && row.status / 100 == 2 && row.status != 200) {
    return "status " + std::to_string(row.status) +
           ": only 200 is a mail; if your provider means one by this too, write 200, and if not, "
           "add a column outcome";
  } else if (columns.status >= 0 && row.status != 200) {
    row.outcome = Outcome::refused;
  }
  return {};
}

}  // namespace

std::expected<void, std::string> read_ledger(std::istream& input, const std::string& name,
                                             const OnRow& on_row) {
  std::string line;
  std::vector<std::string_view> fields;
  std::int64_t number_of_line = 0;
  const auto wrong = [&](const std::string& what) {
    return std::unexpected(name + ":" + std::to_string(number_of_line) + ": " + what);
  };
  Columns columns;
  LedgerRow row;
  while (std::getline(input, line)) {
    ++number_of_line;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    if (!split(line, fields)) return wrong("a quote is not closed, or text follows a closed one");
    if (columns.recipient < 0) {
      constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
      if (fields[0].starts_with(byte_order_mark)) fields[0].remove_prefix(byte_order_mark.size());
      if (const std::string what = near_miss(fields); !what.empty()) return wrong(what);
      columns = find_columns(fields);
      if (columns.recipient < 0)
        return wrong(
            "no column `recipient`: the first line names the columns, "
            "e.g. arrival_us,recipient");
      continue;
    }
    if (const std::string what = read_row(columns, fields, row); !what.empty()) return wrong(what);
    on_row(row);
  }
  if (columns.recipient < 0) return wrong("empty: the first line names the columns");
  return {};
}

std::expected<void, std::string> read_ledger(const std::filesystem::path& file,
                                             const OnRow& on_row) {
  if (std::filesystem::is_character_file(file))
    return std::unexpected(file.string() + ": is a device: give the ledger's CSV file");
  std::vector<char> buffer(1 << 20);
  std::ifstream input;
  input.rdbuf()->pubsetbuf(buffer.data(), static_cast<std::streamsize>(buffer.size()));
  input.open(file);
  if (!input || std::filesystem::is_directory(file))
    return std::unexpected(file.string() + ": can't be read: give the ledger's CSV file");
  return read_ledger(input, file.string(), on_row);
}

}  // namespace harness
