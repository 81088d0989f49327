// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/learners/learner.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// Naive Bayes with normal densities (Duda & Hart 1973): GaussianModel, with the weighted means and variances
// of each class. Its keys: docs/experiment-file.md.
Result<std::unique_ptr<const Learner>> make_naive_bayes(Settings& settings);

}  // namespace mash
