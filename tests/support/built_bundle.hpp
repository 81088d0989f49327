// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <fmt/format.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "framework/base/child_process.hpp"

namespace mash::testing {

// Runs a program, and gives what it printed; throws where it fails.
inline std::string output_of(std::vector<std::string> arguments) {
  static const StopFlag never;
  const auto result = run_child(std::move(arguments), never);
  if (!result.ok()) throw std::runtime_error(result.error().message);
  if (!result->succeeded())
    throw std::runtime_error(result->status.describe() + "\n" + result->out + result->err);
  return result->out + result->err;
}

// The compiler with which a bundle is tried, and the flags that its README names, with less optimisation:
// that changes no bit, and takes less time.
inline std::vector<std::string> bundle_compiler() {
  return {"c++", "-std=c++20", "-O1", "-ffp-contract=off", "-fno-math-errno", "-fPIC"};
}

// The library of a bundle, as Python loads it.
class LoadedBundle {
 public:
  // Throws where it cannot be loaded.
  LoadedBundle(const std::filesystem::path& library, const std::string& name)
      : library_(::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) throw std::runtime_error(::dlerror());
    classify_ = reinterpret_cast<Classify*>(symbol(name + "_classify"));
    last_error_ = reinterpret_cast<LastError*>(symbol(name + "_last_error"));
  }

  // A picture's class, or an error of the bundle; the scores go to `scores`, one for each class.
  int classify(const std::uint8_t* pixels, std::uint32_t width, std::uint32_t height, std::uint32_t channels,
               std::ptrdiff_t row_stride, double* scores) const {
    return classify_(pixels, width, height, channels, row_stride, scores);
  }
  std::string last_error() const { return last_error_(); }

 private:
  using Classify = int(const std::uint8_t*, std::uint32_t, std::uint32_t, std::uint32_t, std::ptrdiff_t,
                       double*);
  using LastError = const char*();
  struct Closing {
    void operator()(void* library) const { ::dlclose(library); }
  };

  void* symbol(const std::string& name) const {
    void* found = ::dlsym(library_.get(), name.c_str());
    if (found == nullptr) throw std::runtime_error(::dlerror());
    return found;
  }

  std::unique_ptr<void, Closing> library_;
  Classify* classify_ = nullptr;
  LastError* last_error_ = nullptr;
};

// Compiles a bundle with a Python package, without its build rules. Throws where it does not compile.
inline LoadedBundle compiled_bundle(const std::filesystem::path& folder,
                                    const std::string& name = "classifier") {
  static std::atomic<int> number = 0;  // the loader takes a library of the same path for the same library
  const std::filesystem::path file = folder / fmt::format("lib{}-{}.so", name, number++);
  std::vector<std::string> command = bundle_compiler();
  for (const std::string& argument :
       {std::string("-shared"), std::string("-I") + folder.string(), (folder / (name + ".cpp")).string(),
        (folder / "python/library.cpp").string(), std::string("-o"), file.string()})
    command.push_back(argument);
  output_of(command);
  return LoadedBundle(file, name);
}

}  // namespace mash::testing
