// SPDX-License-Identifier: Apache-2.0
#include "framework/python/work.hpp"

namespace mash::python {

void raise(const Error& error) {
  PyObject* type = error.kind == ErrorKind::kInput     ? PyExc_ValueError
                   : error.kind == ErrorKind::kStopped ? PyExc_KeyboardInterrupt
                                                       : PyExc_RuntimeError;
  PyErr_SetString(type, error.message.c_str());
  throw pybind11::error_already_set();
}

PythonRemarks& PythonRemarks::instance() {
  static PythonRemarks remarks;
  return remarks;
}

void PythonRemarks::warn(std::string_view text) {
  const std::lock_guard lock(mutex_);
  warnings_.emplace_back(text);
}

void PythonRemarks::pass_on() {
  std::vector<std::string> warnings;
  {
    const std::lock_guard lock(mutex_);
    warnings.swap(warnings_);
  }
  for (const std::string& warning : warnings)
    if (PyErr_WarnEx(PyExc_UserWarning, warning.c_str(), 1) != 0) throw pybind11::error_already_set();
}

}  // namespace mash::python
