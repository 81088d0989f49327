// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mash::cases {

// "--- VERB ARGUMENT" and the lines that follow it.
struct Step {
  std::size_t line = 0;
  std::string verb;
  std::string argument;
  std::vector<std::string> body;  // without the blank lines at its end
};

struct CaseFile {
  std::string description;
  std::vector<Step> steps;
};

// Throws std::runtime_error, naming the line: a case that cannot be read is a failed test.
CaseFile read_case(const std::filesystem::path& path);

// "a 'b c' d" as {a, b c, d}. Throws for a quote that is not closed.
std::vector<std::string> split_words(const std::string& text);

// The text before and after the first `mark`, without the blanks around it; no second one without a mark.
std::vector<std::string> split_at(const std::string& text, const std::string& mark);

std::string trimmed(const std::string& text);

}  // namespace mash::cases
