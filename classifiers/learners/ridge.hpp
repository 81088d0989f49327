// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/learners/learner.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// Ridge regression as a classifier (Hoerl & Kennard 1970), one class against all others: the least squares of
// targets 1 and -1 with a free intercept, on standardised features. Its keys: docs/experiment-file.md.
Result<std::unique_ptr<const Learner>> make_ridge(Settings& settings);

}  // namespace mash
