// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/dataset_file.hpp"

namespace mash::fuzz {

bool take(std::string_view input) { return take_table("arff", input); }

std::vector<std::string> seeds() {
  return {
      "missing=?\n% remark\n@relation 'two words'\n@attribute width numeric\n@attribute "
      "\"a b\" {x, 'y z', w}\n@attribute class {-1,+1}\n\n@data\n1,x,+1\n?,'y z',-1\n3,w,+1\n4,x,-1\n",
      "label=first\n@RELATION r\n@ATTRIBUTE class {a,b}\n@ATTRIBUTE x REAL\n@ATTRIBUTE n integer\n@DATA\n"
      "a,1e3,2\nb,-.5,3\na,7,8\nb,9,10\n",
      "ignore=when,s\n@relation r\n@attribute when date \"yyyy-MM-dd\"\n@attribute s string\n"
      "@attribute x real\n@attribute c "
      "{p,q}\n@data\n'2020-01-01','it\\'s',1,p\n'2020-01-02',b,2,q\n'2020-01-03',b,3,p\n"
      "'2020-01-04',c,4,q\n"};
}

}  // namespace mash::fuzz
