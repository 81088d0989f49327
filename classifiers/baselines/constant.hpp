// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/learners/learner.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// The classifier that looks at no feature. Its scores are the shares of the classes among the training
// examples, so it always gives the most frequent class (the first among equals). It has no settings.
Result<std::unique_ptr<const Learner>> make_constant(Settings& settings);

}  // namespace mash
