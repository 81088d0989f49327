// SPDX-License-Identifier: Apache-2.0
#include "framework/families/columns/npy_array.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "framework/base/number.hpp"
#include "framework/base/utf8.hpp"

namespace mash {
namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";
constexpr std::size_t kLongestHeader = std::size_t(1) << 16;

std::uint64_t unsigned_at(std::string_view bytes, bool is_big) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[is_big ? i : bytes.size() - 1 - i]);
    number = number << 8 | byte;
  }
  return number;
}

// The type of the items of an array: "<f4" is {'f', 4, false}, "|S7" {'S', 7, false}.
struct NpyType {
  char kind = 0;
  std::size_t num_bytes = 0;  // of an item
  bool is_big = false;
};

struct NpyHeader {
  std::string descr;  // as the file has it
  bool is_fortran = false;
  std::vector<std::size_t> shape;
};

// The file as its header describes it, with the bytes behind it.
struct NpyContent {
  NpyHeader header;
  NpyType type;
  std::string_view items;
};

// The dictionary of a header, which is written as Python writes it:
// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : left_(text) {}

  std::optional<NpyHeader> read() {
    NpyHeader header;
    bool has_descr = false, has_order = false, has_shape = false;
    if (!takes('{')) return std::nullopt;
    while (!takes('}')) {
      const auto key = text();
      if (!key || !takes(':')) return std::nullopt;
      bool* has = *key == "descr" ? &has_descr : *key == "fortran_order" ? &has_order : &has_shape;
      if ((has == &has_shape && *key != "shape") || std::exchange(*has, true)) return std::nullopt;
      if (!(has == &has_descr   ? read_descr(header)
            : has == &has_order ? read_order(header)
                                : read_shape(header)))
        return std::nullopt;
      if (!takes(',') && !is_next('}')) return std::nullopt;
    }
    skip_blanks();
    if (!has_descr || !has_order || !has_shape || !left_.empty()) return std::nullopt;
    return header;
  }

 private:
  void skip_blanks() { left_.remove_prefix(std::min(left_.find_first_not_of(" \t\r\n"), left_.size())); }
  bool is_next(char wanted) {
    skip_blanks();
    return left_.starts_with(wanted);
  }
  bool takes(char wanted) {
    if (!is_next(wanted)) return false;
    left_.remove_prefix(1);
    return true;
  }
  bool takes_word(std::string_view word) {
    skip_blanks();
    if (!left_.starts_with(word)) return false;
    left_.remove_prefix(word.size());
    return true;
  }
  std::optional<std::string> text() {
    skip_blanks();
    if (left_.empty() || (left_[0] != '\'' && left_[0] != '"')) return std::nullopt;
    const std::size_t end = left_.find(left_[0], 1);
    if (end == left_.npos) return std::nullopt;
    std::string found(left_.substr(1, end - 1));
    left_.remove_prefix(end + 1);
    return found;
  }
  // An array of records has a list here, which is skipped to its last bracket.
  bool read_descr(NpyHeader& header) {
    if (const auto one = text()) {
      header.descr = *one;
      return true;
    }
    const std::size_t end = left_.rfind(']');
    if (!is_next('[') || end == left_.npos) return false;
    header.descr = left_.substr(0, end + 1);
    left_.remove_prefix(end + 1);
    return true;
  }
  bool read_order(NpyHeader& header) {
    header.is_fortran = takes_word("True");
    return header.is_fortran || takes_word("False");
  }
  bool read_shape(NpyHeader& header) {
    if (!takes('(')) return false;
    while (!takes(')')) {
      skip_blanks();
      const std::size_t end = std::min(left_.find_first_not_of("0123456789"), left_.size());
      const auto size = number_in<std::size_t>(left_.substr(0, end));
      if (!size) return false;
      header.shape.push_back(*size);
      left_.remove_prefix(end);
      if (!takes(',') && !is_next(')')) return false;
    }
    return true;
  }

  std::string_view left_;
};

std::optional<NpyType> type_of(std::string_view descr) {
  if (descr.size() < 3 || std::string_view("<>|=").find(descr[0]) == descr.npos) return std::nullopt;
  const auto size = number_in<std::size_t>(descr.substr(2));
  if (!size || *size == 0 || *size > kLongestHeader) return std::nullopt;
  return NpyType{descr[1], descr[1] == 'U' ? 4 * *size : *size, descr[0] == '>'};
}

std::string shape_in_words(const NpyHeader& header) {
  std::string text;
  for (std::size_t i = 0; i < header.shape.size(); ++i)
    text += fmt::format("{}{}", i > 0 ? ", " : "", header.shape[i]);
  return "(" + text + (header.shape.size() == 1 ? ",)" : ")");
}

// The product of the sizes, or nothing where it is beyond what `most` items are.
std::optional<std::size_t> num_items(const std::vector<std::size_t>& shape, std::size_t most) {
  std::size_t product = 1;
  for (const std::size_t size : shape) {
    if (size == 0) return 0;
    if (product > most / size) return std::nullopt;
    product *= size;
  }
  return product;
}

// Errors (kInput): it is no .npy file, or has other bytes than its header says.
Result<NpyContent> content_of(std::string_view bytes) {
  if (!bytes.starts_with(kNpyMagic) || bytes.size() < 10)
    return input_error("is no NumPy file: expected one that numpy.save wrote (.npy)");
  const auto version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3)
    return input_error("found version {} of the NumPy format, expected 1 to 3", int(version));
  const std::size_t size_bytes = version == 1 ? 2 : 4, begin = 8 + size_bytes;
  if (bytes.size() < begin) return input_error("byte {}: truncated", bytes.size());
  const std::uint64_t size = unsigned_at(bytes.substr(8, size_bytes), false);
  if (size > kLongestHeader) return input_error("found a header of {} bytes, expected fewer", size);
  if (size > bytes.size() - begin) return input_error("byte {}: truncated", bytes.size());
  auto header = HeaderReader(bytes.substr(begin, size)).read();
  if (!header)
    return input_error(
        "found the header '{}', expected descr, fortran_order and shape, as numpy.save writes them",
        printable(bytes.substr(begin, size)));
  NpyContent content{*std::move(header), {}, bytes.substr(begin + size)};
  const auto type = type_of(content.header.descr);
  if (!type)
    return input_error("found values of the type '{}', expected numbers, or texts for names",
                       printable(content.header.descr));
  content.type = *type;
  const std::size_t held = content.items.size() / type->num_bytes;
  const auto wanted = num_items(content.header.shape, held);
  if (!wanted || *wanted * type->num_bytes != content.items.size())
    return input_error("found {} bytes of values, expected those of an array of shape {} of {}",
                       content.items.size(), shape_in_words(content.header), printable(content.header.descr));
  return content;
}

// IEEE 754 binary16.
float half_of(std::uint64_t bits) {
  const auto mantissa = int(bits & 0x3ff), exponent = int(bits >> 10 & 0x1f);
  const float sign = bits >> 15 ? -1.f : 1.f;
  if (exponent == 0x1f)
    return mantissa == 0 ? sign * std::numeric_limits<float>::infinity()
                         : std::numeric_limits<float>::quiet_NaN();
  if (exponent == 0) return sign * std::ldexp(float(mantissa), -24);
  return sign * std::ldexp(float(mantissa | 0x400), exponent - 25);
}

bool is_numeric(const NpyType& type) {
  const std::size_t size = type.num_bytes;
  if (type.kind == 'b') return size == 1;
  if (type.kind == 'f') return size == 2 || size == 4 || size == 8;
  return (type.kind == 'i' || type.kind == 'u') && (size == 1 || size == 2 || size == 4 || size == 8);
}

// The number, or nothing where it is not finite or too large for a float32. REQUIRES: is_numeric.
std::optional<float> number_of(const NpyType& type, std::string_view item) {
  const std::uint64_t bits = unsigned_at(item, type.is_big);
  if (type.kind == 'b') return bits != 0 ? 1.f : 0.f;
  if (type.kind == 'u') return float(bits);
  if (type.kind == 'i') {
    const auto unused = int(64 - 8 * type.num_bytes);
    return float(std::bit_cast<std::int64_t>(bits << unused) >> unused);
  }
  if (type.num_bytes == 8) {
    const auto number = std::bit_cast<double>(bits);
    if (!(std::abs(number) <= double(std::numeric_limits<float>::max()))) return std::nullopt;
    return float(number);
  }
  const float number = type.num_bytes == 2 ? half_of(bits) : std::bit_cast<float>(std::uint32_t(bits));
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

// A number that is none, in words: "nan", "inf", "1e+300".
std::string number_in_words(const NpyType& type, std::string_view item) {
  const std::uint64_t bits = unsigned_at(item, type.is_big);
  const double number = type.num_bytes == 8   ? std::bit_cast<double>(bits)
                        : type.num_bytes == 2 ? double(half_of(bits))
                                              : double(std::bit_cast<float>(std::uint32_t(bits)));
  return std::isnan(number) ? "nan" : fmt::format("{}", number);
}

// Adds a code point. Errors (kInput): it is none.
Status add_utf8(std::uint64_t code, std::string& text) {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    return input_error("found the character {:#x}, expected Unicode", code);
  const auto tail = [&](int shift) { text += char(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    text += char(code);
  } else if (code < 0x800) {
    text += char(0xc0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    text += char(0xe0 | code >> 12);
    tail(6);
    tail(0);
  } else {
    text += char(0xf0 | code >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
  return Done{};
}

// An item of type U, which ends with zeros.
Result<std::string> text_of_characters(std::string_view item, bool is_big) {
  std::string text;
  std::size_t end = item.size();
  while (end > 0 && unsigned_at(item.substr(end - 4, 4), is_big) == 0) end -= 4;
  for (std::size_t i = 0; i < end; i += 4) MASH_TRY(add_utf8(unsigned_at(item.substr(i, 4), is_big), text));
  return text;
}

}  // namespace

Result<NpyNumbers> parse_npy_numbers(std::string_view bytes) {
  MASH_ASSIGN(const NpyContent content, content_of(bytes));
  const auto& [header, type, items] = content;
  if (!is_numeric(type))
    return input_error(
        "found values of the type '{}', expected booleans, whole numbers, float16, float32 or float64",
        printable(header.descr));
  NpyNumbers numbers;
  if (header.shape.size() == 1 || header.shape.size() == 2) {
    numbers.num_rows = header.shape[0];
    numbers.num_columns = header.shape.size() == 2 ? header.shape[1] : 1;
  }
  if (numbers.num_rows == 0 || numbers.num_columns == 0 || numbers.num_columns > kMostNpyColumns)
    return input_error(
        "found an array of shape {}, expected a row for each picture, (pictures, columns), with 1 to {} "
        "columns; "
        "or (pictures,) for one column",
        shape_in_words(header), kMostNpyColumns);
  numbers.values.reserve(numbers.num_rows * numbers.num_columns);
  for (std::size_t row = 0; row < numbers.num_rows; ++row)
    for (std::size_t column = 0; column < numbers.num_columns; ++column) {
      const std::size_t place =
          header.is_fortran ? column * numbers.num_rows + row : row * numbers.num_columns + column;
      const std::string_view item = items.substr(place * type.num_bytes, type.num_bytes);
      const auto number = number_of(type, item);
      if (!number)
        return input_error("row {}, column {} (both from 0): found {}, expected a finite number of float32",
                           row, column, number_in_words(type, item));
      numbers.values.push_back(*number);
    }
  return numbers;
}

Result<std::vector<std::string>> parse_npy_texts(std::string_view bytes) {
  MASH_ASSIGN(const NpyContent content, content_of(bytes));
  const auto& [header, type, items] = content;
  if ((type.kind != 'U' && type.kind != 'S') || header.shape.size() != 1)
    return input_error("found values of the type '{}' in an array of shape {}, expected a list of texts",
                       printable(header.descr), shape_in_words(header));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < header.shape[0]; ++i) {
    const std::string_view item = items.substr(i * type.num_bytes, type.num_bytes);
    if (type.kind == 'S') {
      texts.emplace_back(item.substr(0, item.find_last_not_of('\0') + 1));
      MASH_TRY(check_utf8(texts.back(), fmt::format("name {} (from 0)", i)));
      continue;
    }
    auto text = text_of_characters(item, type.is_big);
    if (!text.ok()) return text.error().at(fmt::format("name {} (from 0)", i));
    texts.push_back(*std::move(text));
  }
  return texts;
}

}  // namespace mash
