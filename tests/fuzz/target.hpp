// SPDX-License-Identifier: Apache-2.0
//
// A fuzz target: a reader of bytes that anybody may have written, and what it promises whatever they are.
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

// Hands the input to the reader. Aborts where a promise is broken.
void take(std::string_view input);

// Sound inputs, which broken ones are made from.
std::vector<std::string> seeds();

// Aborts with the text of the condition unless it holds.
#define MASH_PROMISE(condition)                                                          \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      fmt::print(stderr, "{}:{}: broken promise: {}\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                      \
    }                                                                                    \
  } while (false)

// What every refusal of bad input promises.
template <class T>
void check_refusal(const Result<T>& result) {
  MASH_PROMISE(!result.ok());
  MASH_PROMISE(result.error().kind == ErrorKind::kInput);
  MASH_PROMISE(!result.error().message.empty());
  MASH_PROMISE(is_utf8(result.error().message));
  MASH_PROMISE(result.error().message.size() < 4096);
}

}  // namespace mash::fuzz
