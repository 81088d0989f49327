// SPDX-License-Identifier: Apache-2.0
#include "framework/python/models.hpp"

#include <pybind11/stl.h>

#include <algorithm>

#include "classifiers/model/model_file.hpp"
#include "classifiers/serving/probe_pictures.hpp"
#include "framework/operations/data/export_model.hpp"
#include "framework/operations/prediction/predict.hpp"
#include "framework/operations/training/train_model.hpp"
#include "framework/python/images.hpp"
#include "framework/python/rows.hpp"
#include "framework/python/tables.hpp"
#include "framework/python/work.hpp"

namespace mash::python {

namespace py = pybind11;

namespace {

PythonModel load(const std::string& path, std::vector<std::string> plugins, bool takes_changed) {
  return {run(1, [&](const WorkContext&) { return read_model(path); }), std::move(plugins), takes_changed};
}

PythonModel parse(const std::string& text, std::vector<std::string> plugins, bool takes_changed) {
  return {value_of(parse_model(text)), std::move(plugins), takes_changed};
}

using Labels = py::array_t<std::uint16_t, py::array::c_style>;

using Weights = py::array_t<double, py::array::c_style>;

// overrides: "rounds=10", as of an experiment; called: what errors call one. weights: one for each image, or
// none.
PythonModel train(const std::vector<std::string>& overrides, const std::string& called,
                  const py::array& array, const std::pair<Labels, Weights>& labels_and_weights,
                  const std::vector<std::string>& classes,
                  const std::pair<std::vector<std::string>, int>& plugins_and_threads) {
  const auto& [labels, weights] = labels_and_weights;
  const std::vector<std::string>& plugins = plugins_and_threads.first;
  Experiment experiment = default_experiment();
  experiment.dataset.name = "images";
  experiment = value_of(with_overrides(std::move(experiment), {overrides, called}));
  const Images images = images_of(array);
  if (std::size_t(labels.size()) != images.num_images)
    raise(
        input_error("found {} labels, expected one for each of {} images", labels.size(), images.num_images));
  Dataset dataset;
  dataset.name = dataset.fingerprint = "images";
  dataset.class_names = classes;
  dataset.shape = images.shape;
  dataset.train = split_of({&images, 1}, images.shape);
  dataset.train.labels.assign(labels.data(), labels.data() + labels.size());
  if (weights.size() != 0 && weights.size() != labels.size())
    raise(input_error("found {} weights, expected one for each of {} images", weights.size(), labels.size()));
  const std::span<const double> example_weights(weights.data(), std::size_t(weights.size()));
  return {run(plugins_and_threads.second,
              [&](const WorkContext& work) {
                return train_model(experiment, dataset, {plugins}, work, example_weights);
              }),
          plugins, false};
}

// Values that are all within a small part of what the model was trained on are probably meant as others: 0 to
// 1 where it knows 0 to 255. Pictures of one colour may be dark for good.
void warn_of_range(const Split& split, const Model& model) {
  constexpr int kSmallPart = 50;
  const auto& range = model.head().pixel_range;
  if (!range || split.pixels.empty()) return;
  const auto [darkest, brightest] = std::ranges::minmax(split.pixels);
  if (darkest == brightest || kSmallPart * (brightest - darkest) >= range->brightest - range->darkest) return;
  PythonRemarks::instance().warn(
      fmt::format("images: found values from {} to {}, the model was trained on values from {} to {}",
                  darkest, brightest, range->darkest, range->brightest));
}

// (n, h, w, channels)
py::array_t<std::uint8_t> probe_images(std::uint32_t height, std::uint32_t width, std::uint32_t channels) {
  const Split split = probe_pictures({width, height, channels}, ModelProbe().seed);
  py::array_t<std::uint8_t> images(
      {py::ssize_t(split.num_examples), py::ssize_t(height), py::ssize_t(width), py::ssize_t(channels)});
  std::ranges::copy(split.pixels, images.mutable_data());
  return images;
}

}  // namespace

Heuristics& PythonModel::heuristics() {
  if (!heuristics_) {
    auto heuristics = std::make_unique<Heuristics>(plugins_);  // other threads of Python run meanwhile
    run(1, [&](const WorkContext& work) {
      warn_of_refused(heuristics->catalogue(), work.remarks);
      const ChangedHeuristics changed{takes_changed_, "; changed_heuristics=True goes on with these"};
      return check_heuristics(model_, "the model", changed, heuristics->catalogue(), work.remarks);
    });
    if (!heuristics_) heuristics_ = std::move(heuristics);
  }
  return *heuristics_;
}

py::dict PythonModel::tables() {
  heuristics();
  return dict_of(model_tables(model_));
}

py::array_t<double> PythonModel::scores_of(const Split& split, int num_threads) {
  if (!predictor_) {
    Heuristics& compared = heuristics();
    Predictor opened = value_of(Predictor::open(model_, compared.catalogue()));
    if (!predictor_) predictor_.emplace(std::move(opened));
  }
  const std::vector<double> scores = run(num_threads, [&](const WorkContext& work) {
    return predictor_->scores(split, work.workers, work.progress, work.stop);
  });
  py::array_t<double> array({py::ssize_t(split.num_examples), py::ssize_t(model_.num_classes())});
  std::copy(scores.begin(), scores.end(), array.mutable_data());
  return array;
}

py::array_t<double> PythonModel::scores(const py::object& given, int num_threads, bool warns) {
  if (model_.shape().width == 0)
    raise(input_error("the model was trained on a table, not on images; expected the columns of a table"));
  const ImageList images = image_list(given);
  const Split split = split_of(images.parts, model_.shape());
  if (warns) warn_of_range(split, model_);
  const py::array_t<double> scores = scores_of(split, num_threads);
  return images.is_single ? scores.attr("reshape")(-1).cast<py::array_t<double>>() : scores;
}

py::array_t<double> PythonModel::row_scores(const std::vector<std::string>& names,
                                            const std::vector<std::vector<std::string>>& columns,
                                            int num_threads) {
  if (model_.shape().width > 0)
    raise(input_error("the model was trained on images, not on a table; expected images"));
  return scores_of(rows_of(model_.head().layout(), names, columns), num_threads);
}

void add_models(py::module_& module) {
  py::class_<PythonModel>(module, "Model")
      .def(py::init(&parse), py::arg("text"), py::arg("plugins"), py::arg("takes_changed"))
      .def_property_readonly("text", [](const PythonModel& model) { return serialise(model.model()); })
      .def_property_readonly("plugins", [](const PythonModel& model) { return model.plugins(); })
      .def_property_readonly("takes_changed", [](const PythonModel& model) { return model.takes_changed(); })
      .def_property_readonly("classes", [](const PythonModel& model) { return model.model().class_names(); })
      .def_property_readonly("image_shape",
                             [](const PythonModel& model) {
                               const ImageShape& shape = model.model().shape();
                               return std::tuple(shape.height, shape.width, shape.num_channels);
                             })
      .def_property_readonly("families",
                             [](const PythonModel& model) {
                               std::vector<std::string> names;
                               for (const ModelFamily& family : model.model().families())
                                 names.push_back(family.name);
                               return names;
                             })
      .def("tables", &PythonModel::tables)
      .def_property_readonly("columns", [](const PythonModel& model) { return model.model().column_names(); })
      .def_property_readonly("label",
                             [](const PythonModel& model) { return model.model().head().label_name; })
      .def_property_readonly("has_softmax",
                             [](const PythonModel& model) { return model.model().has_softmax(); })
      .def("scores", &PythonModel::scores, py::arg("images"), py::arg("threads"), py::arg("warns"))
      .def("row_scores", &PythonModel::row_scores, py::arg("names"), py::arg("columns"), py::arg("threads"));
  module.def("probe_images", &probe_images, py::arg("height"), py::arg("width"), py::arg("channels"));
  module.def("load_model", &load, py::arg("path"), py::arg("plugins"), py::arg("takes_changed"));
  module.def("train", &train, py::arg("overrides"), py::arg("called"), py::arg("images"),
             py::arg("labels_and_weights"), py::arg("classes"), py::arg("plugins_and_threads"));
}

}  // namespace mash::python
