// SPDX-License-Identifier: Apache-2.0
#include <pybind11/pybind11.h>

#include "framework/base/running_program.hpp"
#include "framework/python/heuristics.hpp"
#include "framework/python/models.hpp"
#include "framework/python/tables.hpp"

// The module that the package `mash` is built on (framework/python/mash/*.py); nobody else imports it.
PYBIND11_MODULE(_mash, module) {
  module.attr("version") = MASH_VERSION;
  module.def("set_program", [](const std::string& program) { mash::set_running_program(program); });
  mash::python::add_heuristics(module);
  mash::python::add_models(module);
  mash::python::add_tables(module);
}
