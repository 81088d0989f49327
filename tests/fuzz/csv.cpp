// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/dataset_file.hpp"

namespace mash::fuzz {

bool take(std::string_view input) { return take_table("csv", input); }

std::vector<std::string> seeds() {
  return {"\nwidth,height,colour,class\n1,2.5,red,a\n3,-4e2,blue,b\n5,6,red,a\n7,8,green,b\n",
          "header=no|label=first|missing=?,NA\n1,0.25,?\n2,NA,7\n1,3,4\n2,5,6\n",
          "delimiter=space|label=first|train=2|test=2\n6 -1.0 0.5\n5 1 -1\n6.0 0 0\n5 2 3\n",
          "delimiter=;|label=-2|ignore=id|nominal=zip|label_strip=.\nid;zip;class;x\n1;\"a;b\";yes.;2\n"
          "2;07;no;3\n3;07;yes;3\n4;08;no;3\n",
          "delimiter=tab|skip_lines=1|train=0.5|test=0.5\nremark\n"
          "\"x \"\"1\"\"\"\ty\tz\n1\t2\tc\n3\t4\td\n1\t2\tc\n3\t4\td\n"};
}

}  // namespace mash::fuzz
