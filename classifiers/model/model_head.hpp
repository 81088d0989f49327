// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/dataset/table_layout.hpp"

namespace mash {

// A family as the model knows it, with enough to find the plugin on another machine.
struct ModelFamily {
  std::string name;            // as in the experiment
  std::string heuristic;       // id
  std::string version;         // of the heuristic; another one may compute other features
  std::vector<double> values;  // of its parameters, in declared order
  std::uint32_t dim = 0;
  bool operator==(const ModelFamily&) const = default;
};

// Checks that the family that was found has as many features as the model's family. Errors (kInput): it has
// not.
Status check_dim(const ModelFamily& family, std::uint32_t found);

// Pictures that are made from the seed of a probe, in the shape of the model's.
inline constexpr std::size_t kNumProbePictures = 3;

// Values of the features that a model uses, computed on probe pictures by the heuristics that it was trained
// with. A heuristic that gives other values has changed.
struct ModelProbe {
  std::uint64_t seed = 1;  // of the pictures
  // For each family the features that the model uses, increasing, of the first picture, then of the next; NaN
  // where a value is missing. Nothing for a family that could not be computed on them.
  std::vector<std::optional<std::vector<float>>> values = {};

  bool operator==(const ModelProbe& other) const;  // missing values are equal
};

// The smallest and the largest value of pixels.
struct PixelRange {
  std::uint8_t darkest = 0, brightest = 255;
  bool operator==(const PixelRange&) const = default;
};

// The examples that a model was trained on, as their digests tell them.
inline constexpr std::size_t kMostDigests = 1024;
struct KnownExamples {
  std::uint64_t num_examples = 0;
  // Increasing, of different examples; where there are more than kMostDigests, the smallest ones.
  std::vector<std::uint64_t> digests = {};

  bool has_all() const { return digests.size() < kMostDigests; }
  bool operator==(const KnownExamples&) const = default;
};

// The part that models of all kinds have: classes and inputs.
struct ModelHead {
  std::vector<std::string> class_names;   // K
  ImageShape shape;                       // of the images it was trained on; 0 x 0 for tables
  std::vector<std::string> column_names;  // of tables
  std::vector<ModelFamily> families;
  // Names behind the codes of each column of a table, and the name of its column of labels. Model files
  // before version 5 do not have them.
  std::optional<CategoryNames> category_names = {};
  std::string label_name = {};
  std::vector<std::string> missing = {};  // the fields that stood for a missing value in a table
  // Facts of the training on images, once the model went into a file; model files before version 5 do not
  // have them.
  std::optional<ModelProbe> probe = {};
  std::optional<PixelRange> pixel_range = {};    // of the training images
  std::optional<KnownExamples> trained_on = {};  // of tables too, once the model went into a file

  std::size_t num_classes() const { return class_names.size(); }
  // The columns that a table must have to be predicted.
  TableLayout layout() const { return {column_names, category_names, label_name, missing, class_names}; }
  bool operator==(const ModelHead&) const = default;
};

}  // namespace mash
