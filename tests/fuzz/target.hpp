// SPDX-License-Identifier: Apache-2.0
//
// A fuzz target: a reader of bytes that anybody may have written, and what it promises for any of them.
// Each is a program: with the preset `fuzz` one of libFuzzer's (libfuzzer.cpp), else a test (replay.cpp).
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/base/utf8.hpp"

namespace mash::fuzz {

// Hands the input to the reader; whether it is taken. Aborts where a promise is broken.
bool take(std::string_view input);

// Inputs that are taken, which broken ones are made from.
std::vector<std::string> seeds();

// Aborts with the text of the condition unless it holds.
#define MASH_PROMISE(condition)                                                          \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      fmt::print(stderr, "{}:{}: broken promise: {}\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                      \
    }                                                                                    \
  } while (false)

// Whether there is a result; where not, what every refusal of bad input promises.
template <class T>
bool is_taken(const Result<T>& result) {
  if (result.ok()) return true;
  MASH_PROMISE(result.error().kind == ErrorKind::kInput);
  MASH_PROMISE(!result.error().message.empty());
  MASH_PROMISE(is_utf8(result.error().message));
  return false;
}

}  // namespace mash::fuzz
