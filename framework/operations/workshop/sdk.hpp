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

// The headers and build rules that heuristics are built with, as they lie in an installation or a build tree,
// which has the same layout.
class Sdk {
 public:
  // $MASH_SDK, or what the program was installed or built with.
  // Errors: there is no SDK (kInput where $MASH_SDK names the place).
  static Result<Sdk> find();

  const std::filesystem::path& prefix() const { return prefix_; }
  std::filesystem::path cmake_package() const { return prefix_ / "share/cmake/mash-sdk"; }

  // Those of a pkg-config module: "mash-sdk" or "mash-sdk-classic". Errors (kFailure): its file is
  // unreadable.
  Result<CompilerFlags> flags(std::string_view module) const;

 private:
  explicit Sdk(std::filesystem::path prefix) : prefix_(std::move(prefix)) {}
  std::filesystem::path prefix_;
};

}  // namespace mash
