// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/learners/learner.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// The decision tree of C4.5 (Quinlan 1993), pruned. Its keys: docs/experiment-file.md.
Result<std::unique_ptr<const Learner>> make_c45(Settings& settings);

}  // namespace mash
