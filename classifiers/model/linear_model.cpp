// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/linear_model.hpp"

#include <algorithm>

namespace mash {

NumberScores number_scores(const LinearModel& model) {
  return [&model](std::span<const float> numbers, std::span<double> scores) {
    const std::size_t num_inputs = model.inputs.size(), num_classes = model.num_classes();
    for (std::size_t n = 0; n < scores.size() / num_classes; ++n) {
      const auto of_example = scores.subspan(n * num_classes, num_classes);
      std::copy(model.intercepts.begin(), model.intercepts.end(), of_example.begin());
      const double* coefficient = model.coefficients.data();
      for (const float number : numbers.subspan(n * num_inputs, num_inputs))
        for (double& score : of_example) score += *coefficient++ * double(number);
    }
  };
}

}  // namespace mash
