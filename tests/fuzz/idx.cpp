// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/idx.hpp"

#include "tests/fuzz/target.hpp"

namespace mash::fuzz {

void take(std::string_view input) {
  const LoadedSource source{std::string(input), {"input", "", input.size()}};
  const auto images = parse_idx_images(source);
  if (images.ok()) {
    MASH_PROMISE(images->pixels.size() == images->num_images * images->shape.num_bytes());
    MASH_PROMISE(write_idx_images(*images) == input);
  } else {
    check_refusal(images);
  }
  const auto labels = parse_idx_labels(source, 10);
  if (labels.ok())
    MASH_PROMISE(write_idx_labels(*labels) == input);
  else
    check_refusal(labels);
}

std::vector<std::string> seeds() {
  return {write_idx_images({{3, 2, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 2}),
          write_idx_labels({0, 9, 3})};
}

}  // namespace mash::fuzz
