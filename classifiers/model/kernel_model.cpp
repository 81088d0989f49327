// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/kernel_model.hpp"

#include <algorithm>
#include <cmath>

namespace mash {
namespace {

constexpr std::size_t kExamplesAtOnce = 16;  // for which a vector comes from memory once

// f of all pairs, from the kernel values of the vectors.
void add_machines(const KernelModel& model, std::span<const double> kernels, std::span<double> machines) {
  const std::size_t num_classes = model.num_classes();
  std::copy(model.biases.begin(), model.biases.end(), machines.begin());
  const double* coefficient = model.coefficients.data();
  for (std::size_t s = 0; s < kernels.size(); ++s) {
    const std::size_t own = model.classes[s];
    for (std::size_t l = 0; l < num_classes; ++l) {
      if (l == own) continue;
      machines[pair_place(std::min(own, l), std::max(own, l), num_classes)] += *coefficient++ * kernels[s];
    }
  }
}

void vote(std::span<const double> machines, std::span<double> scores) {
  const std::size_t num_classes = scores.size();
  if (num_classes == 2) {
    scores[0] = machines[0];
    scores[1] = -machines[0];
    return;
  }
  std::vector<double> margins(num_classes);
  std::fill(scores.begin(), scores.end(), 0.0);
  for (std::size_t a = 0; a < num_classes; ++a)
    for (std::size_t b = a + 1; b < num_classes; ++b) {
      const double f = machines[pair_place(a, b, num_classes)];
      scores[f > 0 ? a : b] += 1;
      margins[a] += f;
      margins[b] -= f;
    }
  for (std::size_t l = 0; l < num_classes; ++l) scores[l] += margins[l] / (3 * (std::abs(margins[l]) + 1));
}

}  // namespace

std::size_t pair_place(std::size_t a, std::size_t b, std::size_t num_classes) {
  return a * (2 * num_classes - a - 1) / 2 + (b - a - 1);
}

NumberScores number_scores(const KernelModel& model) {
  return [&model](std::span<const float> numbers, std::span<double> scores) {
    const std::size_t num_classes = model.num_classes(), num_vectors = model.classes.size();
    const std::size_t count = scores.size() / num_classes;
    NumberRows queries{model.inputs.size()};
    add_rows(numbers, model.rows.are_codes(), queries);
    std::vector<double> kernels(kExamplesAtOnce * num_vectors), machines(model.biases.size());
    for (std::size_t begin = 0; begin < count; begin += kExamplesAtOnce) {
      const RowRange asked{begin, std::min(kExamplesAtOnce, count - begin)};
      kernel_values(model.kernel, queries, asked, model.rows, {0, num_vectors}, kernels.data());
      for (std::size_t n = 0; n < asked.count; ++n) {
        add_machines(model, std::span(kernels).subspan(n * num_vectors, num_vectors), machines);
        vote(machines, scores.subspan((begin + n) * num_classes, num_classes));
      }
    }
  };
}

}  // namespace mash
