// SPDX-License-Identifier: Apache-2.0
#include "framework/commandline/values.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "framework/base/suggestion.hpp"
#include "framework/base/utf8.hpp"

namespace mash {

CLI::Option* takes_one_of(CLI::Option* option, std::span<const std::string_view> words) {
  const std::vector<std::string_view> known(words.begin(), words.end());
  const auto refusal = [known](const std::string& text) -> std::string {
    if (std::find(known.begin(), known.end(), text) != known.end()) return "";
    const std::string question = did_you_mean(text, known);
    return fmt::format("found '{}', expected one of {}{}{}", printable(text), fmt::join(known, ", "),
                       question.empty() ? "" : "; ", question);
  };
  return option->type_name(fmt::format("{}", fmt::join(known, "|")))->check(CLI::Validator(refusal, ""));
}

}  // namespace mash
