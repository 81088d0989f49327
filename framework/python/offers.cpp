// SPDX-License-Identifier: Apache-2.0
#include "framework/python/offers.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "framework/dataset/readers/formats.hpp"
#include "framework/operations/offers/offer.hpp"
#include "framework/python/images.hpp"
#include "framework/python/work.hpp"

namespace mash::python {

namespace py = pybind11;

namespace {

using ClassLabels = py::array_t<std::uint16_t, py::array::c_style>;

// Images that the caller has, with the number of the class of each and the names of the classes.
using GivenPictures = std::tuple<py::object, ClassLabels, std::vector<std::string>>;
// Seeds, seconds, the first seed, and whether the test side judges.
using HowToOffer = std::tuple<std::uint32_t, double, std::optional<std::uint64_t>, bool>;
// Plugins, records, store ("": the default ones) and the number of threads.
using OfferPlaces = std::tuple<std::vector<std::string>, std::string, std::string, int>;

// They are the training side of a data set without a test side.
std::shared_ptr<const Dataset> dataset_of(const GivenPictures& given) {
  const auto& [array, labels, classes] = given;
  const Images images = images_of(array);
  if (std::size_t(labels.size()) != images.num_images)
    raise(
        input_error("found {} labels, expected one for each of {} images", labels.size(), images.num_images));
  Dataset dataset;
  dataset.name = "images";
  dataset.class_names = classes;
  dataset.shape = images.shape;
  dataset.train = split_of({&images, 1}, images.shape);
  dataset.train.labels.assign(labels.data(), labels.data() + labels.size());
  check(check_classes(dataset));
  dataset.fingerprint = fingerprint_of(dataset);
  return std::make_shared<const Dataset>(std::move(dataset));
}

// file: of the columns. dataset: by name, with its settings as overrides of an experiment; "": the
// experiment's. The document of mash heuristic try --json, and its text.
std::pair<std::string, std::string> try_columns(
    const std::string& file, const std::string& against,
    const std::pair<std::string, std::vector<std::string>>& dataset,
    const std::optional<GivenPictures>& pictures, const HowToOffer& how, const OfferPlaces& places) {
  OfferTrySettings settings;
  settings.columns = file;
  settings.against = against;
  settings.dataset = dataset.first;
  settings.is_dataset_alone = true;
  settings.overrides = {dataset.second, "try_features"};
  if (pictures) settings.pictures = dataset_of(*pictures);
  bool is_judged_by_test_side = false;
  std::tie(settings.seeds, settings.seconds, settings.seed, is_judged_by_test_side) = how;
  settings.judges = is_judged_by_test_side ? Judges::kTest : Judges::kHeldOut;
  const auto& [plugins, database, store, num_threads] = places;
  settings.workspace.heuristics = plugins;
  settings.workspace.database = database;
  settings.workspace.store = store;
  settings.shows_commands = false;  // the file is gone by then
  const HeuristicOffer offer =
      run(num_threads, [&](const WorkContext& work) { return offer_heuristic(settings, work).result; });
  return {to_json(offer).dump(), render_text(offer)};
}

}  // namespace

void add_offers(py::module_& module) {
  module.def("try_columns", &try_columns, py::arg("file"), py::arg("against"), py::arg("dataset"),
             py::arg("pictures"), py::arg("how"), py::arg("places"));
}

}  // namespace mash::python
