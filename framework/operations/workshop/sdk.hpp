// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"

namespace mash {

// Options for a compiler.
struct CompilerFlags {
  std::vector<std::string> compile, link;
};

// The headers and build rules that heuristics are built with. An installation and a build tree have the same
// layout of them.
class Sdk {
 public:
  // Finds the SDK: $MASH_SDK, or the one that the program was installed or built with.
  // Errors: there is no SDK (kInput where $MASH_SDK names the place).
  static Result<Sdk> find();

  const std::filesystem::path& prefix() const { return prefix_; }
  std::filesystem::path cmake_package() const { return prefix_ / "share/cmake/mash-sdk"; }

  // The options of a pkg-config module: "mash-sdk" or "mash-sdk-classic". Errors (kFailure): the module's
  // file is unreadable.
  Result<CompilerFlags> flags(std::string_view module) const;

 private:
  explicit Sdk(std::filesystem::path prefix) : prefix_(std::move(prefix)) {}
  std::filesystem::path prefix_;
};

}  // namespace mash
