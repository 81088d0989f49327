// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/learners/learner.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// Ridge regression as a classifier (Hoerl & Kennard 1970), one class against all others. It fits the targets
// 1 and -1 by least squares on standardised features, with a free intercept. Few features are solved for by a
// decomposition of the sums of their products, many by conjugate gradients. Its keys:
// docs/experiment-file.md.
Result<std::unique_ptr<const Learner>> make_ridge(Settings& settings);

}  // namespace mash
