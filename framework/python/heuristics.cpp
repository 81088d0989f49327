// SPDX-License-Identifier: Apache-2.0
#include "framework/python/heuristics.hpp"

#include <pybind11/stl.h>

#include "framework/families/value_extractor.hpp"
#include "framework/operations/common/plugins.hpp"
#include "framework/operations/experiment/experiment.hpp"
#include "framework/operations/experiment/families.hpp"
#include "framework/operations/training/workspace.hpp"
#include "framework/python/images.hpp"
#include "framework/python/work.hpp"

namespace mash::python {

namespace py = pybind11;

namespace {

py::object default_of(const ParameterInfo& parameter) {
  switch (parameter.type) {
    case ParameterInfo::Type::kInteger: return py::int_(std::int64_t(parameter.default_value));
    case ParameterInfo::Type::kReal: return py::float_(parameter.default_value);
    case ParameterInfo::Type::kChoice:
      return py::str(parameter.choices[std::size_t(parameter.default_value)]);
  }
  return py::none();
}

py::dict parameter_dict(const ParameterInfo& parameter) {
  py::dict dict;
  dict["id"] = parameter.id;
  dict["summary"] = parameter.summary;
  dict["default"] = default_of(parameter);
  if (parameter.type == ParameterInfo::Type::kChoice) {
    dict["choices"] = parameter.choices;
  } else {
    dict["minimum"] = parameter.minimum;
    dict["maximum"] = parameter.maximum;
  }
  return dict;
}

py::dict heuristic_dict(const HeuristicInfo& info) {
  py::dict dict;
  dict["id"] = info.id;
  dict["version"] = info.version;
  dict["author"] = info.author;
  dict["summary"] = info.summary;
  dict["license"] = info.license;
  dict["plugin"] = info.plugin.string();
  py::list parameters;
  for (const ParameterInfo& parameter : info.parameters) parameters.append(parameter_dict(parameter));
  dict["parameters"] = parameters;
  return dict;
}

py::list heuristic_list(Heuristics& heuristics) {
  py::list list;
  for (const HeuristicInfo& info : heuristics.catalogue().heuristics()) list.append(heuristic_dict(info));
  return list;
}

// file, reason
std::vector<std::pair<std::string, std::string>> refused_list(Heuristics& heuristics) {
  std::vector<std::pair<std::string, std::string>> list;
  for (const RefusedPlugin& refused : heuristics.catalogue().refused())
    list.emplace_back(refused.file.string(), refused.reason);
  return list;
}

}  // namespace

Heuristics::Heuristics(const std::vector<std::string>& plugins)
    : plugins_(plugins),
      catalogue_(run(0, [&](const WorkContext& work) { return open_catalogue({plugins}, work); })) {}

std::uint32_t Family::dim(std::uint32_t height, std::uint32_t width) const {
  return run(1, [&](const WorkContext&) -> Result<std::uint32_t> {
    MASH_ASSIGN(const ValueExtractor extractor,
                ValueExtractor::open(heuristics_->catalogue().host(), spec_, {width, height, 1}));
    return extractor.dim();
  });
}

py::array_t<float> Family::extract(const py::object& given, int num_threads) const {
  const Images images = images_of(given);
  const ValueExtractor extractor = run(1, [&](const WorkContext&) {
    return ValueExtractor::open(heuristics_->catalogue().host(), spec_, images.shape);
  });
  std::vector<py::ssize_t> shape{py::ssize_t(extractor.dim())};
  if (!images.is_single) shape.insert(shape.begin(), py::ssize_t(images.num_images));
  py::array_t<float> features(shape);
  const std::span<float> out(features.mutable_data(), images.num_images * extractor.dim());
  run(num_threads, [&](const WorkContext& work) {
    return extractor.extract(images.pixels(), out, work.workers, work.stop);
  });
  return features;
}

std::vector<Family> families_of(const std::shared_ptr<Heuristics>& heuristics, const std::string& list,
                                std::uint64_t seed, const std::string& called) {
  Experiment experiment = value_of(with_overrides(default_experiment(), {{"heuristics=" + list}, called}));
  experiment.seed = seed;
  std::vector<Family> families;
  for (FamilySpec& spec : value_of(family_specs(experiment, heuristics->catalogue())))
    families.emplace_back(heuristics, std::move(spec));
  return families;
}

void add_heuristics(py::module_& module) {
  py::class_<Heuristics, std::shared_ptr<Heuristics>>(module, "Heuristics")
      .def(py::init<const std::vector<std::string>&>(), py::arg("plugins"))
      .def("list", &heuristic_list)
      .def("refused", &refused_list);
  py::class_<Family>(module, "Family")
      .def_property_readonly("name", [](const Family& family) { return family.spec().name; })
      .def_property_readonly("heuristic", [](const Family& family) { return family.spec().heuristic.id; })
      .def_property_readonly("version", [](const Family& family) { return family.spec().heuristic.version; })
      .def_property_readonly("settings", [](const Family& family) { return family.spec().settings; })
      .def_property_readonly("is_named", [](const Family& family) { return family.spec().named; })
      .def("dim", &Family::dim, py::arg("height"), py::arg("width"))
      .def("extract", &Family::extract, py::arg("images"), py::arg("threads"));
  module.def("families", &families_of, py::arg("heuristics"), py::arg("list"), py::arg("seed"),
             py::arg("called"));
}

}  // namespace mash::python
