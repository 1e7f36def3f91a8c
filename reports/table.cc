#include "reports/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "reports/expectations.h"
#include "reports/field_values.h"
#include "reports/text_layout.h"

namespace reports {
namespace {

using scenarios::Field;

constexpr std::size_t kNameMost = 30;
constexpr std::size_t kValueMost = 32;
constexpr std::size_t kMarkMost = 28;
constexpr std::size_t kChoiceMost = 24;  // these two in a comparison
constexpr std::size_t kCodesMost = 12;
constexpr std::string_view kGap = "  ";

struct Cell {
  std::string value;  // right-aligned
  std::string mark;   // left-aligned behind it: what was expected instead
  Verdict verdict = Verdict::passed;
};

struct Column {
  std::string name;
  std::vector<Cell> cells;      // by row
  std::size_t value_width = 0;  // at least the name's
  std::size_t mark_width = 0;
  std::size_t width() const { return value_width + mark_width; }
};

// Without those that no sender of the run has a value for. A spread has one in some columns only;
// its check is listed below.
std::vector<Field> rows_of(const RunResult& run) {
  std::vector<Field> out;
  for (const Field field : scenarios::kAllFields) {
    const bool always = !is_of_some_runs_only(field);
    const auto has = [&](const SenderResult& sender) {
      return amount_of(run, sender, field).has_value();
    };
    if (field != Field::peak_rss_spread_bytes && (always || std::ranges::any_of(run.senders, has)))
      out.push_back(field);
  }
  return out;
}

std::string value_text(const RunResult& run, const SenderResult& sender, Field field) {
  if (field == Field::exit_codes) return shortened(exit_codes_text(sender.exit_codes), kValueMost);
  const auto amount = amount_of(run, sender, field);
  if (!amount) return "-";
  std::string text = amount_text(*amount, true);
  if (field != Field::peak_rss_bytes) return text;
  constexpr std::int64_t kMebibyte = 1 << 20;
  return fmt::format("{} ({}.{} MiB)", text, amount->count / kMebibyte,
                     amount->count % kMebibyte * 10 / kMebibyte);
}

// The claim's part behind the field's name, "= 0" as "0".
std::string wanted(const Check& check, std::string_view field) {
  const std::string_view relation = std::string_view(check.claim).substr(field.size() + 1);
  return std::string(relation.starts_with("= ") ? relation.substr(2) : relation);
}

Cell cell_of(const RunResult& run, const SenderResult& sender, Field field) {
  Cell out{value_text(run, sender, field), "", Verdict::passed};
  const std::string name(field_name(field));
  for (const Check& check : sender.checks) {
    if (!check.claim.starts_with(name + " ") || check.verdict <= out.verdict) continue;
    out.verdict = check.verdict;
    const char sign = check.verdict == Verdict::failed ? '!' : '?';
    out.mark = shortened(fmt::format(" {} expected {}", sign, wanted(check, name)), kMarkMost);
  }
  return out;
}

Column column_of(const RunResult& run, const SenderResult& sender, const std::vector<Field>& rows) {
  Column out;
  out.name = shortened(sender.choice.empty() ? sender.sender : sender.sender + ", " + sender.choice,
                       kNameMost);
  for (const Field field : rows) out.cells.push_back(cell_of(run, sender, field));
  const auto held = std::ranges::count(sender.checks, Verdict::passed, &Check::verdict);
  out.cells.push_back(
      {fmt::format("{} of {}", held, sender.checks.size()), "", verdict_of(run, sender)});
  for (const Cell& cell : out.cells) {
    out.value_width = std::max(out.value_width, width_of(cell.value));
    out.mark_width = std::max(out.mark_width, width_of(cell.mark));
  }
  out.value_width = std::max(out.value_width, width_of(out.name));
  return out;
}

std::string coloured(const std::string& text, Verdict verdict, bool colour) {
  if (!colour) return text;
  switch (verdict) {
    case Verdict::passed:
      return text;
    case Verdict::inconclusive:
      return "\x1b[33m" + text + "\x1b[0m";
    case Verdict::failed:
      return "\x1b[31m" + text + "\x1b[0m";
  }
  return text;
}

std::string block(const std::vector<Column>& columns, const std::vector<Field>& rows,
                  const TableStyle& style, std::size_t label_width) {
  std::string out(label_width, ' ');
  for (const Column& column : columns) {
    const std::size_t after = &column == &columns.back() ? 0 : column.mark_width;
    out += fmt::format("{}{}{}", kGap, padded_left(column.name, column.value_width),
                       std::string(after, ' '));
  }
  out += '\n';
  for (std::size_t row = 0; row <= rows.size(); ++row) {
    const std::string label =
        row < rows.size() ? std::string(field_name(rows[row])) : "expectations";
    std::string line = padded_right(label, label_width);
    for (const Column& column : columns) {
      const Cell& cell = column.cells[row];
      line += kGap;
      line += coloured(padded_left(cell.value, column.value_width) + cell.mark, cell.verdict,
                       style.colour);
      if (&column != &columns.back())
        line += std::string(column.mark_width - width_of(cell.mark), ' ');
    }
    out += line + '\n';
  }
  return out;
}

std::string blocks(const RunResult& run, const TableStyle& style) {
  const std::vector<Field> rows = rows_of(run);
  std::size_t label_width = 0;
  for (const Field field : rows) label_width = std::max(label_width, field_name(field).size());
  std::string out;
  std::vector<Column> side_by_side;
  std::size_t width = label_width;
  const auto flush = [&] {
    if (side_by_side.empty()) return;
    if (!out.empty()) out += '\n';
    out += block(side_by_side, rows, style, label_width);
    side_by_side.clear();
    width = label_width;
  };
  for (const SenderResult& sender : run.senders) {
    Column column = column_of(run, sender, rows);
    const std::size_t more = kGap.size() + column.width();
    if (width + more > static_cast<std::size_t>(style.columns_max)) flush();
    width += more;
    side_by_side.push_back(std::move(column));
  }
  flush();
  return out;
}

std::string verdict_line(const RunResult& run, bool colour) {
  std::size_t held = 0;
  std::size_t all = 0;
  for (const SenderResult& sender : run.senders) {
    all += sender.checks.size();
    held += static_cast<std::size_t>(
        std::ranges::count(sender.checks, Verdict::passed, &Check::verdict));
  }
  const std::string text = fmt::format("{}: {}, {} of {} expectations hold", run.scenario,
                                       verdict_name(run.verdict), held, all);
  if (colour && run.verdict == Verdict::passed) return "\x1b[32m" + text + "\x1b[0m\n";
  return coloured(text, run.verdict, colour) + '\n';
}

// "reference", with its size where a sender ran with several.
std::string full_name(const RunResult& run, const SenderResult& sender) {
  if (!sender.choice.empty()) return fmt::format("{}, {}", sender.sender, sender.choice);
  if (std::ranges::count(run.senders, sender.sender, &SenderResult::sender) < 2)
    return sender.sender;
  return fmt::format("{}, {} members", sender.sender, amount_text({sender.members}, true));
}

// The choices below each other, by what people choose by; the blocks say the rest.
std::string comparison(const RunResult& run) {
  constexpr std::array compared{Field::duplicates, Field::lost, Field::unknown, Field::days,
                                Field::last_mail_s};
  if (std::ranges::all_of(run.senders, &std::string::empty, &SenderResult::choice)) return "";
  std::vector<std::vector<std::string>> lines{{"choice", "sender"}};
  for (const Field field : compared) lines[0].emplace_back(field_name(field));
  lines[0].emplace_back("exit_codes");
  for (const SenderResult& sender : run.senders) {
    auto& line = lines.emplace_back(
        std::vector{shortened(sender.choice, kChoiceMost), shortened(sender.sender, kChoiceMost)});
    for (const Field field : compared) line.push_back(value_text(run, sender, field));
    line.push_back(shortened(exit_codes_text(sender.exit_codes), kCodesMost));
  }
  std::string out;
  for (const auto& line : lines) {
    for (std::size_t column = 0; column < line.size(); ++column) {
      std::size_t width = 0;
      for (const auto& other : lines) width = std::max(width, width_of(other[column]));
      const bool text = column < 2 || column + 1 == line.size();
      if (column > 0) out += kGap;
      if (column + 1 == line.size())
        out += line[column];
      else
        out += text ? padded_right(line[column], width) : padded_left(line[column], width);
    }
    out += '\n';
  }
  return out + '\n';
}

}  // namespace

std::string to_table(const RunResult& run, const TableStyle& style) {
  const std::size_t most = static_cast<std::size_t>(style.columns_max);
  std::string out = wrapped(fmt::format("{}: {}", run.scenario, run.title), most) + '\n';
  out += comparison(run) + blocks(run, style) + '\n';
  for (const SenderResult& sender : run.senders) {
    const std::string name = full_name(run, sender);
    for (const Check& check : sender.checks)
      if (check.verdict != Verdict::passed)
        out += wrapped(fmt::format("{}: {}: expected {}, seen {}", verdict_name(check.verdict),
                                   name, check.claim, check.seen),
                       most);
    for (const std::string& note : sender.notes)
      out += wrapped(fmt::format("{}: {}", name, note), most);
  }
  const std::string database =
      run.postgres_version.empty()
          ? run.postgres_source
          : fmt::format("{}PostgreSQL {} ({})", run.tier == "sim-pg" ? "the simulator beside " : "",
                        run.postgres_version, run.postgres_source);
  out += wrapped(fmt::format("{}, seed {}", database, run.seed), most);
  return out + verdict_line(run, style.colour);
}

}  // namespace reports
