// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/learners/learner.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// Linear support vector machines on standardised features, one class against all others, by dual coordinate
// descent (Hsieh et al. 2008). The intercept is that of a feature that is always 1, and shrinks with the
// coefficients. An example's weight multiplies C. Its keys: docs/experiment-file.md.
Result<std::unique_ptr<const Learner>> make_linear_svm(Settings& settings);

}  // namespace mash
