// SPDX-License-Identifier: Apache-2.0
#include "framework/python/models.hpp"

#include <pybind11/stl.h>

#include "classifiers/model/model_file.hpp"
#include "framework/operations/data/export_model.hpp"
#include "framework/operations/prediction/predict.hpp"
#include "framework/operations/training/train_model.hpp"
#include "framework/python/images.hpp"
#include "framework/python/tables.hpp"
#include "framework/python/work.hpp"

namespace mash::python {

namespace py = pybind11;

namespace {

PythonModel load(const std::string& path, std::vector<std::string> plugins) {
  return {run(1, [&](const WorkContext&) { return read_model(path); }), std::move(plugins)};
}

PythonModel parse(const std::string& text, std::vector<std::string> plugins) {
  return {value_of(parse_model(text)), std::move(plugins)};
}

using Labels = py::array_t<std::uint16_t, py::array::c_style>;

// overrides: "rounds=10", as of an experiment; called: what errors call one.
PythonModel train(const std::vector<std::string>& overrides, const std::string& called,
                  const py::array& array, const Labels& labels, const std::vector<std::string>& classes,
                  const std::pair<std::vector<std::string>, int>& plugins_and_threads) {
  const auto& [plugins, num_threads] = plugins_and_threads;
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
  dataset.train = split_of(images, images.shape);
  dataset.train.labels.assign(labels.data(), labels.data() + labels.size());
  return {run(num_threads,
              [&](const WorkContext& work) { return train_model(experiment, dataset, {plugins}, work); }),
          plugins};
}

}  // namespace

py::array_t<double> PythonModel::scores(const py::array& array, int num_threads) {
  const Images images = images_of(array);
  if (model_.shape().width == 0)
    raise(
        input_error("the model was trained on a table, not on images; expected mash predict and a data set"));
  if (!predictor_) {
    auto heuristics = std::make_unique<Heuristics>(plugins_);  // other threads of Python run meanwhile
    Predictor opened = value_of(Predictor::open(model_, heuristics->catalogue()));
    if (!predictor_) {
      heuristics_ = std::move(heuristics);
      predictor_.emplace(std::move(opened));
    }
  }
  const Split split = split_of(images, model_.shape());
  const std::vector<double> scores = run(num_threads, [&](const WorkContext& work) {
    return predictor_->scores(split, work.workers, work.progress, work.stop);
  });
  std::vector<py::ssize_t> shape{py::ssize_t(model_.num_classes())};
  if (!images.is_single) shape.insert(shape.begin(), py::ssize_t(images.num_images));
  py::array_t<double> array_of_scores(shape);
  std::copy(scores.begin(), scores.end(), array_of_scores.mutable_data());
  return array_of_scores;
}

void add_models(py::module_& module) {
  py::class_<PythonModel>(module, "Model")
      .def(py::init(&parse), py::arg("text"), py::arg("plugins"))
      .def_property_readonly("text", [](const PythonModel& model) { return serialise(model.model()); })
      .def_property_readonly("plugins", [](const PythonModel& model) { return model.plugins(); })
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
      .def("tables", [](const PythonModel& model) { return dict_of(model_tables(model.model())); })
      .def("scores", &PythonModel::scores, py::arg("images"), py::arg("threads"));
  module.def("load_model", &load, py::arg("path"), py::arg("plugins"));
  module.def("train", &train, py::arg("overrides"), py::arg("called"), py::arg("images"), py::arg("labels"),
             py::arg("classes"), py::arg("plugins_and_threads"));
}

}  // namespace mash::python
