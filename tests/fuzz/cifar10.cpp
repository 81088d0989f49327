// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/dataset_file.hpp"

namespace mash::fuzz {

// The input is the training batch and the test batch in one.
bool take(std::string_view input) {
  write("data_batch_1.bin", input);
  write("test_batch.bin", input);
  return take_dataset("cifar10", "", folder().string());
}

std::vector<std::string> seeds() {
  const std::string record = '\3' + std::string(std::size_t(3) * 32 * 32, 'x');
  return {record, record + '\0' + record.substr(1)};
}

}  // namespace mash::fuzz
