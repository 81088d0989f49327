// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/base/stopped_within.hpp"
#include "framework/base/work_context.hpp"

namespace mash::python {

// Throws the Python exception of an error: ValueError for wrong input, KeyboardInterrupt where the work was
// stopped, RuntimeError for what failed.
[[noreturn]] void raise(const Error& error);

template <class T>
T value_of(Result<T> result) {
  if (!result.ok()) raise(result.error());
  return *std::move(result);
}
inline void check(const Status& status) {
  if (!status.ok()) raise(status.error());
}

// Keeps warnings until Python can hear them. Shared by all work of the process, as heuristics may warn when
// the work that opened them has returned.
class PythonRemarks final : public Remarks {
 public:
  static PythonRemarks& instance();

  void warn(std::string_view text) override;
  void tell(std::string_view) override {}
  // Gives Python what was warned of since; it may raise an exception. REQUIRES: the interpreter's lock.
  void pass_on();

 private:
  std::mutex mutex_;
  std::vector<std::string> warnings_;
};

// Runs `work(WorkContext)`, a Result, in another thread and without the interpreter's lock. Meanwhile this
// thread hears signals: Ctrl-C stops the work, and what else a handler raises does too. num_threads: 0 for
// one per core.
template <class Work>
auto run(int num_threads, const Work& work) {
  const Workers workers(num_threads);
  StopFlag stop;
  const WorkContext context{workers, no_progress(), PythonRemarks::instance(), stop};
  std::optional<pybind11::error_already_set> interruption;
  auto result = [&] {
    const pybind11::gil_scoped_release unlocked;
    auto future =
        std::async(std::launch::async, [&] { return unless_stopped([&] { return work(context); }); });
    while (future.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready) {
      const pybind11::gil_scoped_acquire locked;
      if (!interruption && PyErr_CheckSignals() != 0) {
        interruption.emplace();
        stop.raise();
      }
    }
    return future.get();
  }();
  if (interruption) throw *interruption;
  PythonRemarks::instance().pass_on();
  return value_of(std::move(result));
}

}  // namespace mash::python
