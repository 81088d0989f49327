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

// A model that predicts; its heuristics are looked for, and compared with those that it was trained with,
// when it is first asked.
class PythonModel {
 public:
  // takes_changed: ChangedHeuristics::are_taken.
  PythonModel(Model model, std::vector<std::string> plugins, bool takes_changed)
      : model_(std::move(model)), plugins_(std::move(plugins)), takes_changed_(takes_changed) {}

  const Model& model() const { return model_; }
  const std::vector<std::string>& plugins() const { return plugins_; }
  bool takes_changed() const { return takes_changed_; }
  // float64: (K,) of one image, (n, K) of n. warns: of values that are far from those of the training. Raises
  // ValueError: it is a model of a table.
  pybind11::array_t<double> scores(const pybind11::object& images, int num_threads, bool warns);
  // float64, (n, K), of the rows of a table, as rows_of takes them. Raises ValueError: it is a model of
  // images.
  pybind11::array_t<double> row_scores(const std::vector<std::string>& names,
                                       const std::vector<std::vector<std::string>>& columns, int num_threads);
  // The tables of the model, by name.
  pybind11::dict tables();

 private:
  Heuristics& heuristics();
  // num_examples x K.
  pybind11::array_t<double> scores_of(const Split& split, int num_threads);

  Model model_;
  std::vector<std::string> plugins_;
  bool takes_changed_;
  std::unique_ptr<Heuristics> heuristics_;  // that were compared
  std::optional<Predictor> predictor_;
};

void add_models(pybind11::module_& module);

}  // namespace mash::python
