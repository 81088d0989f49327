// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/model_file.hpp"
#include "tests/fuzz/target.hpp"

namespace mash::fuzz {

bool take(std::string_view input) {
  const auto model = parse_model(input);
  if (!is_taken(model)) return false;
  const std::string text = serialise(*model);
  const auto again = parse_model(text);
  MASH_PROMISE(again.ok());
  MASH_PROMISE(serialise(*again) == text);
  return true;
}

std::vector<std::string> seeds() {
  StrongClassifier images;
  images.class_names = {"a", "b", "ü"};
  images.shape = {28, 28, 1};
  images.families = {{"hog(cell=4)", "hog", "1.0.0", {4, 9}, 20}, {"lbp", "lbp", "1.2.0", {}, 59}};
  images.hypotheses = {
      {1.5, {{0, 3, 0.25f}}, {1, -1, 1}, {}},
      {0.5, {{1, 7, 1.f}, {0, 8, -2.f}}, {1, -1, -1, 1, -1, -1, 1, 1, 1}, {{1, -3}, {-1, -2}}},
      {0.75, {{0, 3, 0.5f}}, {0, 0.25, -2}, {}},
      {0.5, {{1, 7, 1.f}}, {0, 1, 0, 0, 0, 1e-9}, {{-1, -2}}},
      {0.25, {{1, 0, 3.f}, {1, 1, 4.f}, {0, 2, 5.f}}, {-1, -1, 1}, {}}};
  images.costs = ModelCosts{"microseconds", {{2.5, {2, 3, 8}, {1, 0, 0.25}}, {0, {0, 1, 7}, {1, 1, 1}}}};
  images.pixel_range = {0, 255};
  images.trained_on = {3, {1, 281474976710655}};
  images.probe = {1, {std::vector<float>(9, 0.5f), std::nullopt}};
  StrongClassifier table;
  table.class_names = {"no", "yes"};
  table.column_names = {"width", "height"};
  table.families = {{"columns", "columns", "1", {}, 2}};
  table.hypotheses = {{1, {{0, 1, -std::numeric_limits<float>::infinity()}}, {-1, 1}, {}}};
  return {serialise(images), serialise(table)};
}

}  // namespace mash::fuzz
