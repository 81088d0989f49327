// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cfenv>

namespace mash {

// The state of this thread's arithmetic (rounding, traps, flushing of small numbers), which is put back at
// the end: what a plugin leaves changed would change the values of others.
class ArithmeticScope {
 public:
  ArithmeticScope() { std::fegetenv(&state_); }
  ~ArithmeticScope() { std::fesetenv(&state_); }
  ArithmeticScope(const ArithmeticScope&) = delete;
  ArithmeticScope& operator=(const ArithmeticScope&) = delete;

 private:
  std::fenv_t state_;
};

}  // namespace mash
