// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/text_table.hpp"

#include <algorithm>

#include "framework/base/utf8.hpp"

namespace mash {
namespace {

constexpr std::string_view kBlanks = " \t";

// Cuts the fields of a line off one after another.
class FieldCutter {
 public:
  FieldCutter(std::string_view line, const CellSyntax& syntax, TextTable& table)
      : rest_(trimmed_of_delimiter(line, syntax)), syntax_(syntax), table_(table) {}

  Result<std::vector<std::string_view>> run() {
    std::vector<std::string_view> fields;
    while (true) {
      skip_blanks();
      if (!rest_.empty() && syntax_.quotes.find(rest_[0]) != std::string_view::npos) {
        MASH_ASSIGN(const std::string_view field, cut_quoted());
        fields.push_back(field);
      } else {
        fields.push_back(cut_plain());
      }
      if (rest_.empty()) return fields;
      rest_.remove_prefix(1);  // the delimiter
    }
  }

 private:
  static std::string_view trimmed_of_delimiter(std::string_view line, const CellSyntax& syntax) {
    return syntax.runs_of_blanks ? trimmed(line) : line;
  }

  bool is_delimiter(char c) const { return syntax_.is_delimiter(c); }

  void skip_blanks() {
    while (!rest_.empty() && kBlanks.find(rest_[0]) != std::string_view::npos &&
           (syntax_.runs_of_blanks || rest_[0] != syntax_.delimiter))
      rest_.remove_prefix(1);
  }

  std::string_view cut_plain() {
    std::size_t size = 0;
    while (size < rest_.size() && !is_delimiter(rest_[size])) ++size;
    const std::string_view field = trimmed(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return field;
  }

  Result<std::string_view> cut_quoted() {
    const char quote = rest_[0];
    std::string value;
    std::size_t i = 1;
    for (;; ++i) {
      if (i >= rest_.size()) return input_error("found a quote {} without its end", quote);
      const bool has_next = i + 1 < rest_.size();
      const bool is_escape = has_next && syntax_.has_escapes && rest_[i] == '\\';
      const bool is_doubled = has_next && rest_[i] == quote && rest_[i + 1] == quote;
      if (is_escape || is_doubled)
        ++i;
      else if (rest_[i] == quote)
        break;
      const bool is_break = rest_[i] == '\n' || (rest_[i] == '\r' && has_next && rest_[i + 1] == '\n');
      if (is_break && rest_[i] == '\r') ++i;
      value += is_break ? ' ' : rest_[i];
    }
    const std::string_view raw = rest_.substr(1, i - 1);
    rest_.remove_prefix(i + 1);
    skip_blanks_unless_delimiting();
    if (!rest_.empty() && !is_delimiter(rest_[0]))
      return input_error("found '{}' behind a closing quote, expected the next field", rest_.substr(0, 20));
    if (raw == value) return raw;
    table_.unescaped.push_back(std::make_shared<const std::string>(std::move(value)));
    return std::string_view(*table_.unescaped.back());
  }

  void skip_blanks_unless_delimiting() {
    if (!syntax_.runs_of_blanks) skip_blanks();
  }

  std::string_view rest_;
  const CellSyntax& syntax_;
  TextTable& table_;
};

}  // namespace

bool CellSyntax::is_delimiter(char c) const {
  return runs_of_blanks ? kBlanks.find(c) != std::string_view::npos : c == delimiter;
}

std::string TextTable::place(std::size_t row, std::size_t column) const {
  return fmt::format("{}:{}: column {}", source->place(), lines[row], columns[column]);
}

std::string place_name(std::size_t column) { return fmt::format("c{}", column); }

LineReader::LineReader(std::string_view text) : rest_(text) { rest_ = without_byte_order_mark(rest_); }

bool LineReader::take(std::size_t size, std::string_view& text) {
  if (rest_.empty()) return false;
  text = rest_.substr(0, size);
  rest_.remove_prefix(std::min(text.size() + 1, rest_.size()));
  line_number_ = next_number_;
  next_number_ += 1 + std::size_t(std::ranges::count(text, '\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return true;
}

bool LineReader::next(std::string_view& line) { return take(rest_.find('\n'), line); }

bool LineReader::next_row(const CellSyntax& syntax, std::string_view& row) {
  if (!syntax.has_breaks) return next(row);
  char quote = '\0';  // that is open
  bool begins_field = true;
  std::size_t size = 0;
  for (; size < rest_.size() && (quote != '\0' || rest_[size] != '\n'); ++size) {
    const char c = rest_[size];
    if (quote != '\0') {
      // A doubled quote closes and opens again: its second half stands where a field may begin.
      if (c == quote) quote = '\0', begins_field = true;
    } else if (begins_field && syntax.quotes.find(c) != std::string_view::npos) {
      quote = c;
    } else {
      begins_field = syntax.is_delimiter(c) || (begins_field && kBlanks.find(c) != std::string_view::npos);
    }
  }
  return take(size, row);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

Result<std::vector<std::string_view>> split_line(std::string_view line, const CellSyntax& syntax,
                                                 TextTable& table) {
  return FieldCutter(line, syntax, table).run();
}

Status read_rows(LineReader& reader, const CellSyntax& syntax, TextTable& table) {
  std::string_view line;
  while (reader.next_row(syntax, line)) {
    const std::string_view content = trimmed(line);
    if (content.empty() || (syntax.comment != '\0' && content[0] == syntax.comment)) continue;
    const Result<std::vector<std::string_view>> fields = split_line(line, syntax, table);
    const auto place = [&] { return fmt::format("{}:{}", table.source->place(), reader.line_number()); };
    if (!fields.ok()) return fields.error().at(place());
    if (table.columns.empty())
      for (std::size_t i = 0; i < fields->size(); ++i) table.columns.push_back(place_name(i));
    if (fields->size() != table.columns.size())
      return input_error(
          "{}: found {} fields, expected {}{}", place(), fields->size(), table.columns.size(),
          table.lines.empty()
              ? ""
              : fmt::format(" as in line {}; the key 'skip_lines' passes over lines above a table",
                            table.lines.front()));
    table.cells.insert(table.cells.end(), fields->begin(), fields->end());
    table.lines.push_back(reader.line_number());
  }
  return Done{};
}

}  // namespace mash
