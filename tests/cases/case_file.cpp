// SPDX-License-Identifier: Apache-2.0
#include "tests/cases/case_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

namespace mash::cases {
namespace {

constexpr std::string_view kStepMark = "--- ";

}  // namespace

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<std::string> split_at(const std::string& text, const std::string& mark) {
  const auto place = text.find(mark);
  if (place == std::string::npos) return {trimmed(text)};
  return {trimmed(text.substr(0, place)), trimmed(text.substr(place + mark.size()))};
}

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  bool in_word = false, in_quotes = false;
  for (const char c : text) {
    if (c == ' ' && !in_quotes) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '\'')
      in_quotes = !in_quotes;
    else
      words.back() += c;
  }
  if (in_quotes) throw std::runtime_error("a quote is not closed: " + text);
  return words;
}

CaseFile read_case(const std::filesystem::path& path) {
  CaseFile result;
  std::ifstream file(path);
  std::size_t line_number = 0;
  for (std::string line; std::getline(file, line);) {
    ++line_number;
    if (line.starts_with(kStepMark)) {
      const std::string rest = line.substr(kStepMark.size());
      const auto blank = std::min(rest.find(' '), rest.size());
      result.steps.push_back({line_number, rest.substr(0, blank), trimmed(rest.substr(blank)), {}});
    } else if (result.steps.empty()) {
      result.description += (result.description.empty() || line.empty() ? "" : " ") + line;
    } else {
      result.steps.back().body.push_back(line);
    }
  }
  for (Step& step : result.steps)
    while (!step.body.empty() && trimmed(step.body.back()).empty()) step.body.pop_back();
  if (result.description.empty())
    throw std::runtime_error(fmt::format("{}:1: found no description", path.string()));
  if (result.steps.empty()) throw std::runtime_error(fmt::format("{}: found no steps", path.string()));
  return result;
}

}  // namespace mash::cases
