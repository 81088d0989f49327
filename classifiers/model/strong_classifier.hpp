// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"

namespace mash {

// A family as the model knows it: enough to find the plugin again on another machine.
struct ModelFamily {
  std::string name;            // as in the experiment
  std::string heuristic;       // id
  std::string version;         // of the heuristic; another one may compute other features
  std::vector<double> values;  // of its parameters, in declared order
  std::uint32_t dim = 0;
  bool operator==(const ModelFamily&) const = default;
};

// h(x) = alpha * v * phi(x), with phi(x) = +1 where x >= threshold, else -1 (NaN is below every threshold)
// and v in {-1,+1}^K. Kegl & Busa-Fekete's "discrete" form of AdaBoost.MH.
struct Stump {
  std::uint32_t family_idx = 0;
  std::uint32_t feature_idx = 0;  // within the family
  float threshold = 0;            // -infinity: the constant learner, phi = +1 everywhere
  double alpha = 0;
  std::vector<std::int8_t> votes;  // K of -1 or +1

  bool is_constant() const;
  bool operator==(const Stump&) const = default;
};

// f(x) = the sum of the stumps; the class is argmax f_l, ties to the lowest. It knows no trainer and no data.
struct StrongClassifier {
  std::vector<std::string> class_names;   // K
  ImageShape shape;                       // of the images it was trained on; 0 x 0 for tables
  std::vector<std::string> column_names;  // of tables
  std::vector<ModelFamily> families;
  std::vector<Stump> stumps;

  std::size_t num_classes() const { return class_names.size(); }
  bool operator==(const StrongClassifier&) const = default;
};

// The class of the largest score, ties to the lowest index.
std::size_t predicted_class(std::span<const double> scores);

// (f_y - max over l != y of f_l) / (2 sum |alpha|), in [-1, 1]: negative for a mistake. For K = 1: y f / sum
// |alpha|.
double margin(std::span<const double> scores, std::size_t label, double alpha_sum);

// The model file: JSON, documented in docs/model-file.md. Equal models give equal bytes.
std::string serialise(const StrongClassifier& model);
// Errors (kInput): not JSON, another format or version, a missing or wrong key; names the key.
Result<StrongClassifier> parse_model(std::string_view text);

}  // namespace mash
