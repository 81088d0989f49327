// SPDX-License-Identifier: Apache-2.0
#include "framework/records/site/known_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mash {
namespace {

constexpr std::array<std::string_view, 3> kGenerators{"digits", "diagonal", "chess"};
constexpr std::array<std::string_view, 4> kPublishedFormats{"mnist", "cifar10", "stl10", "usps"};
constexpr std::array<std::string_view, 5> kPublishedFiles{"isolet5.data", "letter-recognition.data",
                                                          "pendigits.tra", "ionosphere.data", "inria-person"};

// The line of an experiment that says its data set: "dataset: {name: digits, train: "100"}".
std::string_view dataset_line(std::string_view experiment) {
  constexpr std::string_view kKey = "dataset:";
  std::size_t begin = experiment.starts_with(kKey) ? 0 : experiment.find("\ndataset:");
  if (begin == std::string_view::npos) return "";
  begin += experiment[begin] == '\n' ? 1 : 0;
  const std::string_view rest = experiment.substr(begin);
  return rest.substr(0, rest.find('\n'));
}

std::string_view name_in(std::string_view line) {
  constexpr std::string_view kName = "{name: ";
  const std::size_t begin = line.find(kName);
  if (begin == std::string_view::npos) return "";
  const std::string_view rest = line.substr(begin + kName.size());
  return rest.substr(0, rest.find_first_of(",}"));
}

template <class Names>
bool has(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

std::string_view known_to_all(const Board& board) {
  const std::string_view line = dataset_line(board.experiment), name = name_in(line);
  if (has(kGenerators, name))
    return "the pictures of its private part can be made by anybody, as its data are generated";
  const bool names_a_file = std::ranges::any_of(
      kPublishedFiles, [&](std::string_view file) { return line.find(file) != std::string_view::npos; });
  if (has(kPublishedFormats, name) || names_a_file)
    return "the pictures of its private part can be downloaded by anybody, as its data are published";
  return "";
}

double usual_ladder_step(const Board& board) { return known_to_all(board).empty() ? kPlaceboStep : 0; }

std::string remark_on_known_pictures(const Board& board) {
  const std::string_view known = known_to_all(board);
  if (known.empty()) return "";
  return fmt::format(
      "board {}: {}; for grades take pictures of your own that nobody else has: docs/operations.md, A course",
      board.name, known);
}

}  // namespace mash
