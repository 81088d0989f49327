// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/numpy.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "classifiers/model/model.hpp"
#include "classifiers/serving/predictor.hpp"
#include "framework/python/heuristics.hpp"

namespace mash::python {

// A model that predicts; its heuristics are looked for when it is first asked.
class PythonModel {
 public:
  PythonModel(Model model, std::vector<std::string> plugins)
      : model_(std::move(model)), plugins_(std::move(plugins)) {}

  const Model& model() const { return model_; }
  const std::vector<std::string>& plugins() const { return plugins_; }
  // float64: (K,) of one image, (n, K) of n.
  pybind11::array_t<double> scores(const pybind11::array& images, int num_threads);

 private:
  Model model_;
  std::vector<std::string> plugins_;
  std::unique_ptr<Heuristics> heuristics_;
  std::optional<Predictor> predictor_;
};

void add_models(pybind11::module_& module);

}  // namespace mash::python
