// SPDX-License-Identifier: Apache-2.0
#include "framework/python/tables.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "framework/dataset/readers/formats.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/operations/experiment/families.hpp"
#include "framework/operations/experiment/setting_value.hpp"
#include "framework/python/work.hpp"
#include "framework/records/data_tables.hpp"

namespace mash::python {

namespace py = pybind11;

namespace {

template <class Value>
py::object array_of(const std::vector<Value>& values) {
  return py::array_t<Value>(py::ssize_t(values.size()), values.data());
}
py::object array_of(const std::vector<std::optional<std::string>>& texts) { return py::cast(texts); }

}  // namespace

py::dict dict_of(const std::vector<DataTable>& tables) {
  py::dict dict;
  for (const DataTable& table : tables) {
    py::dict columns;
    for (const DataColumn& column : table.columns)
      columns[py::str(column.name)] =
          std::visit([](const auto& values) { return array_of(values); }, column.values);
    dict[py::str(table.name)] = columns;
  }
  return dict;
}

namespace {

py::dict records(const std::string& database, const std::vector<std::string>& names) {
  return dict_of(run(1, [&](const WorkContext&) -> Result<std::vector<DataTable>> {
    MASH_ASSIGN(const RecordsReader reader, open_records(database));
    return read_data_tables(reader, names);
  }));
}

py::tuple side_of(const Split& split, const ImageShape& shape) {
  std::vector<py::ssize_t> size{py::ssize_t(split.num_examples), py::ssize_t(shape.height),
                                py::ssize_t(shape.width)};
  if (shape.num_channels == 3) size.push_back(3);
  py::array_t<std::uint8_t> images(size);
  for (std::size_t n = 0; n < split.num_examples; ++n) {
    const auto pixels = split.image(n, shape);
    std::copy(pixels.begin(), pixels.end(), images.mutable_data() + n * shape.num_bytes());
  }
  return py::make_tuple(images,
                        py::array_t<std::uint16_t>(py::ssize_t(split.labels.size()), split.labels.data()));
}

// (images, labels) of both sides, and the names of the classes.
py::tuple dataset(const std::string& name, const std::vector<std::string>& settings, std::uint64_t seed) {
  const Settings read = value_of(parse_dataset_settings({settings, "load_dataset"}));
  const Dataset loaded =
      run(0, [&](const WorkContext& work) { return load_dataset(name, read, seed, work); });
  if (loaded.is_table())
    raise(input_error("data set {}: is a table, expected images; pandas reads tables", name));
  if (const Status refused = refuse_endless(loaded, "data set " + name); !refused.ok())
    raise(refused.error());
  return py::make_tuple(side_of(loaded.train, loaded.shape), side_of(loaded.test, loaded.shape),
                        loaded.class_names);
}

}  // namespace

void add_tables(py::module_& module) {
  module.def("records", &records, py::arg("database"), py::arg("names"));
  module.def("record_names",
             [] { return std::vector<std::string>(data_table_names().begin(), data_table_names().end()); });
  module.def("load_dataset", &dataset, py::arg("name"), py::arg("settings"), py::arg("seed"));
}

}  // namespace mash::python
