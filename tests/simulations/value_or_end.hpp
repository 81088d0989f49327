// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "framework/base/result.hpp"

namespace mash {

// The value; on an error the program prints it and ends with 1.
template <class T>
T value_or_end(Result<T> result) {
  if (result.ok()) return *std::move(result);
  fmt::print(stderr, "{}\n", result.error().message);
  std::exit(1);
}

}  // namespace mash
