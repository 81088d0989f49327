// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "classifiers/model/model_head.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// The head of a model that is trained on these features of the data set. It names all families, used or not.
ModelHead trained_head(const Dataset& dataset, const FeatureSet& features);

}  // namespace mash
