// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/dataset/source.hpp"

namespace mash {

// How the fields of a line are parted. Blanks around a field never belong to it; a quoted field may hold the
// delimiter.
struct CellSyntax {
  char delimiter = ',';
  bool runs_of_blanks = false;     // any number of blanks and tabs parts fields; `delimiter` is not looked at
  std::string_view quotes = "\"";  // each doubled inside itself stands for itself
  bool has_escapes = false;        // in quotes: a backslash takes the next character as it is
  char comment = '\0';             // lines that begin with it are left out
  bool has_breaks = false;         // in quotes: a line break, which becomes a blank

  bool is_delimiter(char c) const;
};

// A table before anybody knows which columns are numbers. All views point into storage that the table owns
// and that stays in place when it is moved.
struct TextTable {
  std::shared_ptr<const LoadedSource> source;
  std::vector<std::string> columns;     // names
  std::vector<std::string_view> cells;  // rows x columns
  std::vector<std::size_t> lines;       // of each row, counted from 1
  std::vector<std::shared_ptr<const std::string>> unescaped;

  std::size_t num_rows() const { return lines.size(); }
  std::string_view cell(std::size_t row, std::size_t column) const {
    return cells[row * columns.size() + column];
  }
  // "file:7: column age", for errors
  std::string place(std::size_t row, std::size_t column) const;
};

// The name of a column that has none.
std::string place_name(std::size_t column);

// The lines of a text one by one, without their ends (LF or CR LF).
class LineReader {
 public:
  explicit LineReader(std::string_view text);

  bool next(std::string_view& line);
  // A row: a line, and those behind it as long as a quote is open.
  bool next_row(const CellSyntax& syntax, std::string_view& row);
  std::size_t line_number() const {
    return line_number_;
  }  // of the first line of what was given last, from 1

 private:
  bool take(std::size_t size, std::string_view& text);

  std::string_view rest_;
  std::size_t line_number_ = 0, next_number_ = 1;
};

std::string_view trimmed(std::string_view text);

// The fields of one line. `table` keeps what had to be unescaped.
// Errors: kInput, without the place, for a quote that is not closed or that is followed by more text.
Result<std::vector<std::string_view>> split_line(std::string_view line, const CellSyntax& syntax,
                                                 TextTable& table);

// Appends all lines left in `reader` to the table; blank lines and comments are left out. A table without
// column names gets c0, c1, ... from its first line.
// Errors: kInput naming file and line: as split_line, and a line with another number of fields than there are
// columns.
Status read_rows(LineReader& reader, const CellSyntax& syntax, TextTable& table);

}  // namespace mash
