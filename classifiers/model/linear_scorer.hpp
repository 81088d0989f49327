// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/model/model.hpp"

namespace mash {

std::unique_ptr<Scorer> make_scorer(const LinearModel& model);

}  // namespace mash
