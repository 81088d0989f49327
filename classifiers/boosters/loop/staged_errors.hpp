// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/parallel.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/families/feature_set.hpp"

namespace mash {

// The fraction of the test examples that the model's first t hypotheses misclassify, for t = 0 (no scores:
// all are taken for the first class), 1, ... all of them. features: those it was trained on.
std::vector<double> staged_test_errors(const StrongClassifier& model, const Dataset& dataset,
                                       const FeatureSet& features, const Workers& workers);

}  // namespace mash
