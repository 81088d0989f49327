// SPDX-License-Identifier: Apache-2.0
// NumPy files of columns, and of the names of their pictures.
#include <cmath>

#include "framework/families/columns/npy_array.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/support/npy_file.hpp"

namespace mash::fuzz {

bool take(std::string_view input) {
  const auto numbers = parse_npy_numbers(input);
  if (is_taken(numbers)) {
    MASH_PROMISE(numbers->num_rows > 0 && numbers->num_columns > 0);
    MASH_PROMISE(numbers->values.size() == numbers->num_rows * numbers->num_columns);
    for (const float value : numbers->values) MASH_PROMISE(std::isfinite(value));
  }
  const auto texts = parse_npy_texts(input);
  if (is_taken(texts)) MASH_PROMISE(texts->size() <= input.size());
  return numbers.ok() || texts.ok();
}

std::vector<std::string> seeds() {
  return {testing::npy_file("<f4", "(2, 3)", std::vector<float>{1, 2, 3, 4, 5, 6}),
          testing::npy_file("<f8", "(2, 2)", std::vector<double>{1, -2, .5, 4}, true),
          testing::npy_file("<f2", "(3,)", std::vector<unsigned short>{0x3c00, 1, 0xc000}),
          testing::npy_file(">i8", "(1,)", std::string_view("\0\0\0\0\0\0\0\7", 8)),
          testing::npy_file("|b1", "(2,)", std::string_view("\0\1", 2)),
          testing::npy_file("<U2", "(2,)", std::vector<unsigned>{'a', 'b', 0xe4, 0}),
          testing::npy_file("|S3", "(2,)", std::string_view("ab\0cde", 6))};
}

}  // namespace mash::fuzz
