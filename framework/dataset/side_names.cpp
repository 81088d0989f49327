// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/side_names.hpp"

#include <array>
#include <cctype>
#include <string>

namespace mash {
namespace {

struct SideName {
  std::string_view name;
  NamedSide side;
};
constexpr std::array kSideNames{SideName{"train", NamedSide::kTrain},
                                SideName{"training", NamedSide::kTrain},
                                SideName{"val", NamedSide::kValidation},
                                SideName{"valid", NamedSide::kValidation},
                                SideName{"validation", NamedSide::kValidation},
                                SideName{"dev", NamedSide::kValidation},
                                SideName{"test", NamedSide::kTest},
                                SideName{"testing", NamedSide::kTest}};
constexpr std::array<std::string_view, 5> kEndings{"set", "data", "images", "pictures", "imgs"};

// "Training_Set" as "trainingset".
std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char c : name)
    if (c != '_' && c != '-' && c != ' ' && c != '.')
      letters += char(std::tolower(static_cast<unsigned char>(c)));
  return letters;
}

}  // namespace

std::optional<NamedSide> side_named(std::string_view name) {
  const std::string letters = letters_of(name);
  for (const SideName& known : kSideNames) {
    if (!letters.starts_with(known.name)) continue;
    const std::string_view rest = std::string_view(letters).substr(known.name.size());
    if (rest.empty()) return known.side;
    for (const std::string_view ending : kEndings)
      if (rest == ending) return known.side;
  }
  return std::nullopt;
}

}  // namespace mash
