// SPDX-License-Identifier: Apache-2.0
#include <regex>

#include "tests/fuzz/dataset_file.hpp"

namespace mash::fuzz {

// Without large indices: they may be had, and then every row has that many values.
bool take(std::string_view input) {
  static const std::regex large("[0-9]{5,}:|columns=[0-9]{5,}");
  return !std::regex_search(input.begin(), input.end(), large) && take_table("libsvm", input);
}

std::vector<std::string> seeds() {
  return {"\n+1 1:0.5 3:-2 # remark\n-1 2:1e3\n+1 1:1 2:2 3:3\n-1\n",
          "columns=5|train=3|test=1\n3 1:1\n1 5:.25\n2 2:7 4:8\n1 1:1\n"};
}

}  // namespace mash::fuzz
