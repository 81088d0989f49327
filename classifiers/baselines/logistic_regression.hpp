// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/learners/learner.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// Multinomial logistic regression on standardised features, by limited-memory BFGS. The intercepts do not
// shrink. An example's weight multiplies C. Its keys: docs/experiment-file.md.
Result<std::unique_ptr<const Learner>> make_logistic_regression(Settings& settings);

}  // namespace mash
