// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/learners/learner.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// Support vector machines of all pairs of classes (Cortes & Vapnik 1995), with a kernel of the codes or
// values as they are. An example's weight multiplies C. The error on the training side is that of at most
// kMostJudged examples. Its keys: docs/experiment-file.md.
Result<std::unique_ptr<const Learner>> make_svm(Settings& settings);

}  // namespace mash
