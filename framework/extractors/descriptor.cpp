// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/descriptor.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "framework/base/utf8.hpp"
#include "mash/abi/sequence.h"

namespace mash {
namespace {

constexpr std::size_t kMaxText = 1000;            // bytes of a summary or name
constexpr std::size_t kMaxId = 100;               // bytes: it is a part of file names
constexpr std::uint32_t kMaxParameters = 256;     // and choices of one
constexpr double kMaxWhole = 9007199254740992.0;  // 2^53: whole numbers are exact up to here

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return (c >= 'a' && c <= 'z') || is_digit(c); }

// [a-z0-9][a-z0-9-]*
bool is_name(std::string_view text) {
  return !text.empty() && is_word(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_word(c) || c == '-'; });
}

// A name with an optional "author/" in front.
bool is_heuristic_id(std::string_view id) {
  if (id.size() > kMaxId) return false;
  const std::size_t slash = id.find('/');
  if (slash == std::string_view::npos) return is_name(id);
  return is_name(id.substr(0, slash)) && is_name(id.substr(slash + 1));
}

bool is_parameter_id(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) { return is_word(c) || c == '_'; });
}

// "major.minor.patch"
bool is_version(std::string_view version) {
  int num_parts = 0;
  for (std::size_t begin = 0; begin <= version.size(); ++num_parts) {
    const std::size_t end = std::min(version.find('.', begin), version.size());
    if (end == begin || !std::all_of(version.begin() + std::ptrdiff_t(begin),
                                     version.begin() + std::ptrdiff_t(end), is_digit))
      return false;
    begin = end + 1;
  }
  return num_parts == 3;
}

Result<std::string> read_text(const char* text, std::string_view what) {
  if (text == nullptr) return input_error("{} is null, expected a text", what);
  const std::size_t length = ::strnlen(text, kMaxText + 1);
  if (length > kMaxText) return input_error("{} is longer than {} bytes", what, kMaxText);
  if (std::any_of(text, text + length, is_control))
    return input_error("{} has a control character, expected one line of text", what);
  if (!is_utf8({text, length})) return input_error("{} is not UTF-8", what);
  return without_hidden_characters({text, length});
}

Status check_functions(const mash_heuristic_t& heuristic) {
  const std::pair<const char*, bool> functions[] = {
      {"create", heuristic.create != nullptr},   {"dim", heuristic.dim != nullptr},
      {"prepare", heuristic.prepare != nullptr}, {"compute", heuristic.compute != nullptr},
      {"release", heuristic.release != nullptr}, {"destroy", heuristic.destroy != nullptr}};
  for (const auto& [name, present] : functions)
    if (!present) return input_error("function {} is null", name);
  return Done{};
}

Status check_range(const mash_parameter_t& parameter) {
  const double low = parameter.minimum, high = parameter.maximum, value = parameter.default_value;
  if (!std::isfinite(low) || !std::isfinite(high) || !(low <= high))
    return input_error("found the range {} to {}, expected finite numbers in order", low, high);
  if (!(value >= low && value <= high))
    return input_error("default {} is not within {} to {}", value, low, high);
  if (parameter.type == MASH_PARAMETER_REAL) return Done{};
  for (const double whole : {low, high, value})
    if (whole != std::trunc(whole) || std::abs(whole) > kMaxWhole)
      return input_error("found {}, expected a whole number of at most 2^53", whole);
  return Done{};
}

Result<std::vector<std::string>> read_choices(const mash_parameter_t& parameter) {
  std::vector<std::string> choices;
  if (parameter.type != MASH_PARAMETER_CHOICE) return choices;
  if (parameter.choices == nullptr || parameter.num_choices == 0 || parameter.num_choices > kMaxParameters)
    return input_error("found {} choices, expected 1 to {}", parameter.choices ? parameter.num_choices : 0,
                       kMaxParameters);
  if (parameter.minimum != 0 || parameter.maximum != double(parameter.num_choices - 1))
    return input_error("found the range {} to {}, expected 0 to {} (the choices)", parameter.minimum,
                       parameter.maximum, parameter.num_choices - 1);
  for (std::uint32_t i = 0; i < parameter.num_choices; ++i) {
    MASH_ASSIGN(std::string choice, read_text(parameter.choices[i], fmt::format("choice {}", i)));
    if (choice.empty() || std::find(choices.begin(), choices.end(), choice) != choices.end())
      return input_error("choice {} '{}' is empty or there twice", i, choice);
    choices.push_back(std::move(choice));
  }
  return choices;
}

Result<ParameterInfo> read_parameter(const mash_parameter_t& parameter) {
  ParameterInfo info;
  MASH_ASSIGN(info.id, read_text(parameter.id, "its id"));
  // "id" names the heuristic itself in an experiment file.
  if (!is_parameter_id(info.id) || info.id == "id")
    return input_error("found the id '{}', expected [a-z0-9_]+ other than 'id'", info.id);
  MASH_ASSIGN(info.summary, read_text(parameter.summary, "its summary"));
  switch (parameter.type) {
    case MASH_PARAMETER_INTEGER: info.type = ParameterInfo::Type::kInteger; break;
    case MASH_PARAMETER_REAL: info.type = ParameterInfo::Type::kReal; break;
    case MASH_PARAMETER_CHOICE: info.type = ParameterInfo::Type::kChoice; break;
    default: return input_error("found type {}, expected 1, 2 or 3", parameter.type);
  }
  MASH_ASSIGN(info.choices, read_choices(parameter));
  MASH_TRY(check_range(parameter));
  info.default_value = parameter.default_value;
  info.minimum = parameter.minimum;
  info.maximum = parameter.maximum;
  return info;
}

Result<std::vector<ParameterInfo>> read_parameters(const mash_heuristic_t& heuristic) {
  std::vector<ParameterInfo> infos;
  if (heuristic.num_parameters > kMaxParameters ||
      (heuristic.num_parameters > 0 && heuristic.parameters == nullptr))
    return input_error("found {} parameters{}, expected at most {} and their table", heuristic.num_parameters,
                       heuristic.parameters ? "" : " and no table", kMaxParameters);
  for (std::uint32_t i = 0; i < heuristic.num_parameters; ++i) {
    auto info = read_parameter(heuristic.parameters[i]);
    if (!info.ok()) return info.error().at(fmt::format("parameter {}", i));
    for (const ParameterInfo& other : infos)
      if (other.id == info->id) return input_error("parameter '{}' is declared twice", info->id);
    infos.push_back(*std::move(info));
  }
  return infos;
}

Status read_texts(const mash_heuristic_t& heuristic, HeuristicInfo& info) {
  if (!is_heuristic_id(info.id))
    return input_error(
        "its id has another form than [a-z0-9][a-z0-9-]*, with an optional 'author/' in front, or more than "
        "{} "
        "characters",
        kMaxId);
  if (info.id == "columns" || info.id == "all") return input_error("its id is reserved");
  MASH_ASSIGN(info.version, read_text(heuristic.version, "its version"));
  if (!is_version(info.version))
    return input_error("found version '{}', expected major.minor.patch", info.version);
  MASH_ASSIGN(info.author, read_text(heuristic.author, "its author"));
  MASH_ASSIGN(info.summary, read_text(heuristic.summary, "its summary"));
  MASH_ASSIGN(info.license, read_text(heuristic.license, "its license"));
  return Done{};
}

// The table of MASH_SEQUENCE; null: it has none.
Result<const mash_sequence_t*> sequence_table(const mash_heuristic_t& heuristic) {
  if (heuristic.get_extension == nullptr) return nullptr;
  try {
    return static_cast<const mash_sequence_t*>(heuristic.get_extension(MASH_SEQUENCE));
  } catch (...) {
    return input_error("get_extension let an exception out");
  }
}

Status read_rest(const mash_heuristic_t& heuristic, HeuristicInfo& info) {
  MASH_TRY(read_texts(heuristic, info));
  if ((heuristic.flags & ~std::uint32_t(MASH_SERIAL)) != 0)
    return input_error("found flags {:#x}, expected 0 or {:#x} (MASH_SERIAL)", heuristic.flags,
                       int(MASH_SERIAL));
  info.serial = (heuristic.flags & MASH_SERIAL) != 0;
  MASH_TRY(check_functions(heuristic));
  MASH_ASSIGN(info.parameters, read_parameters(heuristic));
  MASH_ASSIGN(const mash_sequence_t* sequence, sequence_table(heuristic));
  if (sequence == nullptr) return Done{};
  if (sequence->struct_size != sizeof(mash_sequence_t))
    return input_error("{}: found a table of {} bytes, expected {}", MASH_SEQUENCE, sequence->struct_size,
                       sizeof(mash_sequence_t));
  info.looks_back = sequence->looks_back;
  return check_looks_back(info.looks_back);
}

}  // namespace

Status check_looks_back(std::uint64_t looks_back) {
  if (looks_back <= MASH_MAX_LOOKS_BACK) return Done{};
  return input_error("{}: looks back at {} pictures, expected at most {}", MASH_SEQUENCE, looks_back,
                     MASH_MAX_LOOKS_BACK);
}

Result<HeuristicInfo> read_descriptor(const mash_heuristic_t& heuristic) {
  if (heuristic.struct_size != sizeof(mash_heuristic_t))
    return input_error("wrong struct size: found a descriptor of {} bytes, expected {}",
                       heuristic.struct_size, sizeof(mash_heuristic_t));
  HeuristicInfo info;
  MASH_ASSIGN(info.id, read_text(heuristic.id, "the heuristic's id"));
  const Status status = read_rest(heuristic, info);
  if (!status.ok()) return status.error().at(fmt::format("heuristic '{}'", info.id));
  return info;
}

}  // namespace mash
