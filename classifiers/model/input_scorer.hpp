// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "classifiers/model/model.hpp"

namespace mash {

std::unique_ptr<Scorer> make_scorer(const LinearModel& model);
std::unique_ptr<Scorer> make_scorer(const GaussianModel& model);
std::unique_ptr<Scorer> make_scorer(const KernelModel& model);
std::unique_ptr<Scorer> make_scorer(const NeighboursModel& model);
std::unique_ptr<Scorer> make_scorer(const TreeModel& model);

}  // namespace mash
