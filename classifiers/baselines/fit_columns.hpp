// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "classifiers/baselines/linear_training.hpp"
#include "classifiers/learners/standard_rows.hpp"

namespace mash {

// Makes the columns that vary inputs of the fit. factor(i, l): that of column i less its mean in the function
// of class l. features: those of the columns.
template <class Factor>
void fit_columns(const StandardRows& rows, std::span<const std::uint32_t> features, std::size_t num_classes,
                 const Factor& factor, LinearFit& fit) {
  for (std::size_t i = 0; i < rows.num_columns(); ++i) {
    if (rows.is_constant(i)) continue;
    fit.features.push_back(features[i]);
    fit.means.push_back(rows.means()[i]);
    for (std::size_t l = 0; l < num_classes; ++l) fit.factors.push_back(factor(i, l));
  }
}

}  // namespace mash
