// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/learners/learner.hpp"
#include "framework/base/settings.hpp"

namespace mash {

// Perceptrons of all classes on standardised features (Rosenblatt 1958), averaged (Freund & Schapire 1999),
// of which those with the smallest error are kept (Gallant 1990). An example's weight is the length of its
// steps. Its keys: docs/experiment-file.md.
Result<std::unique_ptr<const Learner>> make_perceptron(Settings& settings);

}  // namespace mash
