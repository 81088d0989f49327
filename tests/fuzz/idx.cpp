// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/idx.hpp"

#include "tests/fuzz/target.hpp"

namespace mash::fuzz {

bool take(std::string_view input) {
  const LoadedSource source{std::string(input), {"input", "", input.size()}};
  const auto images = parse_idx_images(source);
  if (is_taken(images)) {
    MASH_PROMISE(images->pixels.size() == images->num_images * images->shape.num_bytes());
    MASH_PROMISE(write_idx_images(*images) == input);
  }
  const auto labels = parse_idx_labels(source, 10);
  if (is_taken(labels)) MASH_PROMISE(write_idx_labels(*labels) == input);
  return images.ok() || labels.ok();
}

std::vector<std::string> seeds() {
  return {write_idx_images({{3, 2, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 2}),
          write_idx_labels({0, 9, 3})};
}

}  // namespace mash::fuzz
