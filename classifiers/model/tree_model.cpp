// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/tree_model.hpp"

#include <algorithm>

namespace mash {
namespace {

std::uint32_t next_step(const TreeStep& step, std::span<const float> numbers) {
  return numbers[step.input] >= step.threshold ? step.above : step.below;
}

}  // namespace

std::vector<std::uint32_t> path_of(const TreeModel& model, std::span<const float> numbers) {
  std::vector<std::uint32_t> path{0};
  while (!model.steps[path.back()].is_leaf()) path.push_back(next_step(model.steps[path.back()], numbers));
  return path;
}

NumberScores number_scores(const TreeModel& model) {
  return [&model](std::span<const float> numbers, std::span<double> scores) {
    const std::size_t num_inputs = model.inputs.size(), num_classes = model.num_classes();
    for (std::size_t n = 0; n < scores.size() / num_classes; ++n) {
      const auto own = numbers.subspan(n * num_inputs, num_inputs);
      std::uint32_t place = 0;
      while (!model.steps[place].is_leaf()) place = next_step(model.steps[place], own);
      std::copy_n(model.shares.begin() + std::ptrdiff_t(place * num_classes), num_classes,
                  scores.begin() + std::ptrdiff_t(n * num_classes));
    }
  };
}

}  // namespace mash
