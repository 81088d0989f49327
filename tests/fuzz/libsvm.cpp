// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/dataset_file.hpp"

namespace mash::fuzz {

void take(std::string_view input) { take_table("libsvm", input); }

std::vector<std::string> seeds() {
  return {"\n+1 1:0.5 3:-2 # remark\n-1 2:1e3\n+1 1:1 2:2 3:3\n-1\n",
          "columns=5|train=3|test=1\n3 1:1\n1 5:.25\n2 2:7 4:8\n1 1:1\n"};
}

}  // namespace mash::fuzz
