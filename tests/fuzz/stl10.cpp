// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/dataset_file.hpp"

namespace mash::fuzz {

// The input is the label of each side's one picture, its pixels, and then the folds.
bool take(std::string_view input) {
  constexpr std::size_t kPicture = std::size_t(3) * 96 * 96;
  const std::string_view label = input.substr(0, 1), rest = input.substr(label.size());
  write("class_names.txt", "airplane\nbird\n");
  for (const char* labels : {"train_y.bin", "test_y.bin"}) write(labels, label);
  for (const char* pixels : {"train_X.bin", "test_X.bin"}) write(pixels, rest.substr(0, kPicture));
  write("fold_indices.txt", rest.substr(std::min(rest.size(), kPicture)));
  return take_dataset("stl10", "fold=0", folder().string());
}

std::vector<std::string> seeds() {
  const std::string picture = '\1' + std::string(std::size_t(3) * 96 * 96, 'x');
  return {picture + "0\n", picture + " 0"};
}

}  // namespace mash::fuzz
