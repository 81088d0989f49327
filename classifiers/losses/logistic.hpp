// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/losses/loss.hpp"

namespace mash {

// The logistic loss log2(1 + e^-m) (Friedman, Hastie & Tibshirani 2000); weights 1 / (1 + e^m).
const Loss& logistic_loss();

}  // namespace mash
