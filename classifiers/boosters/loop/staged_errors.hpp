// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/parallel.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// The fraction of the test examples that the model's first t hypotheses misclassify, for t = 0, 1, ... to the
// number of all. At t = 0 there are no scores, and every example gets the first class. features: those that
// the model was trained on.
std::vector<double> staged_test_errors(const StrongClassifier& model, const Dataset& dataset,
                                       const FeatureSet& features, const Workers& workers);

}  // namespace mash
