// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace mash::testing {

// The bytes of a .npy file, version 1.0. shape: as Python writes it, "(3, 2)". items: the bytes of the
// values.
inline std::string npy_file(std::string_view descr, std::string_view shape, std::string_view items,
                            bool is_fortran = false) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}\n", descr,
                                   is_fortran ? "True" : "False", shape);
  std::string file = "\x93NUMPY";
  file += {'\x01', '\x00', char(header.size() & 0xff), char(header.size() >> 8)};
  return file + header + std::string(items);
}

template <class Number>
std::string npy_file(std::string_view descr, std::string_view shape, const std::vector<Number>& numbers,
                     bool is_fortran = false) {
  return npy_file(
      descr, shape,
      std::string_view(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)),
      is_fortran);
}

}  // namespace mash::testing
