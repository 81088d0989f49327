// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "framework/base/mean_error.hpp"

namespace mash {

// "2 seeds say little: with 8 the interval would be about 9 % as wide." Empty where they are not few, or one.
std::string few_seeds_remark(const MeanError& error);

}  // namespace mash
