// SPDX-License-Identifier: Apache-2.0
#include "tests/support/gzip.hpp"

#include "framework/dataset/source.hpp"
#include "tests/fuzz/dataset_file.hpp"

namespace mash::fuzz {

bool take(std::string_view input) {
  constexpr std::uint64_t kMaxBytes = 1 << 16;
  const auto source = read_source(write("packed.gz", input), kMaxBytes);
  if (!is_taken(source)) return false;
  MASH_PROMISE(!source->bytes.empty() && source->bytes.size() <= kMaxBytes);
  MASH_PROMISE(source->file.num_bytes == input.size());
  return true;
}

std::vector<std::string> seeds() {
  return {testing::gzip("a few bytes"), testing::gzip("one member") + testing::gzip("and another"),
          testing::gzip(std::string(1 << 16, 'x'))};
}

}  // namespace mash::fuzz
