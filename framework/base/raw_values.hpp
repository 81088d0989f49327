// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace mash {

// Values and the bytes that they are made of, in this machine's order of bytes. Empty ones are fine here:
// std::memcpy must not be given the null pointers that they have.

// Fills `to` from as many bytes, which need no alignment.
template <class T>
void fill_from_bytes(std::span<T> to, const void* bytes) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (!to.empty()) std::memcpy(to.data(), bytes, to.size_bytes());
}

// The values in these bytes; what is left of less than a value is passed over.
template <class T>
std::vector<T> values_from_bytes(const void* bytes, std::size_t num_bytes) {
  std::vector<T> values(num_bytes / sizeof(T));
  fill_from_bytes(std::span(values), bytes);
  return values;
}

}  // namespace mash
