// SPDX-License-Identifier: Apache-2.0
#include <cfenv>

#include "raw.hpp"
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

// Leaves the thread's arithmetic changed when it is loaded, as -ffast-math does, when it is asked for an
// extension, and when it is closed.
namespace {
[[gnu::constructor]] void flush_to_zero() {
#if defined(__SSE__)
  constexpr unsigned kFlushToZero = 0x8000;
  _mm_setcsr(_mm_getcsr() | kFlushToZero);
#else
  std::fesetround(FE_DOWNWARD);
#endif
}
[[gnu::destructor]] void round_upward() { std::fesetround(FE_UPWARD); }

const void* extension(const char*) {
  std::fesetround(FE_TOWARDZERO);
  return nullptr;
}
}  // namespace

RAW_PLUGIN("arithmetic-at-load", h.get_extension = &extension)
