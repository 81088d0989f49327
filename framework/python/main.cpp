// SPDX-License-Identifier: Apache-2.0
#include <pybind11/pybind11.h>

#include "classifiers/scan/kernels/pass_width.hpp"
#include "framework/base/instruction_set.hpp"
#include "framework/base/running_program.hpp"
#include "framework/python/heuristics.hpp"
#include "framework/python/models.hpp"
#include "framework/python/offers.hpp"
#include "framework/python/tables.hpp"

// The module that the package `mash` is built on (framework/python/mash/*.py); nobody else imports it.
PYBIND11_MODULE(_mash, module) {
  if (const mash::Status chosen = mash::choose_instruction_set_of_environment(); !chosen.ok())
    throw pybind11::import_error(chosen.error().message);
  if (const mash::Status chosen = mash::choose_pass_width_of_environment(); !chosen.ok())
    throw pybind11::import_error(chosen.error().message);
  module.attr("version") = MASH_VERSION;
  module.def("set_program", [](const std::string& program) { mash::set_running_program(program); });
  mash::python::add_heuristics(module);
  mash::python::add_models(module);
  mash::python::add_offers(module);
  mash::python::add_tables(module);
}
