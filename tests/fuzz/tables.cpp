// SPDX-License-Identifier: Apache-2.0
// All formats of the table of formats that have a sample: a new one is a target as soon as it has its row.
#include "tests/fuzz/dataset_file.hpp"

namespace mash::fuzz {
namespace {

// Whether there is a column of five digits or more, "10000:" or "columns=10000": sparse formats may be given
// it, and then every row has that many values.
bool has_large_index(std::string_view input) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::size_t kLarge = 5;
  for (std::size_t begin = input.find_first_of(kDigits); begin != std::string_view::npos;) {
    const std::size_t end = std::min(input.find_first_not_of(kDigits, begin), input.size());
    if (end - begin >= kLarge &&
        (input.substr(end).starts_with(':') || input.substr(0, begin).ends_with("columns=")))
      return true;
    begin = input.find_first_of(kDigits, end);
  }
  return false;
}

}  // namespace

// The first line of the input is "FORMAT|KEY=VALUE|...", the others are the file.
bool take(std::string_view input) {
  if (has_large_index(input)) return false;
  const std::size_t end = std::min(input.size(), input.find('\n'));
  const std::string_view first = input.substr(0, end);
  const std::string_view format = first.substr(0, first.find('|'));
  const std::string_view settings = first.substr(std::min(first.size(), format.size() + 1));
  const std::string path = write("table", input.substr(std::min(input.size(), end + 1)));
  for (const DatasetFormat& known : dataset_formats())
    if (known.name == format && !known.sample.empty()) return take_dataset(format, settings, path);
  return false;
}

std::vector<std::string> seeds() {
  std::vector<std::string> seeds{
      "csv|header=no|label=first|missing=?,NA\n1,0.25,?\n2,NA,7\n1,3,4\n2,5,6\n",
      "csv|delimiter=space|label=first|train=2|test=2\n6 -1.0 0.5\n5 1 -1\n6.0 0 0\n5 2 3\n",
      "csv|delimiter=;|label=-2|ignore=id|nominal=zip|label_strip=.\nid;zip;class;x\n1;\"a;b\";yes.;2\n"
      "2;07;no;3\n3;07;yes;3\n4;08;no;3\n",
      "csv|delimiter=tab|skip_lines=1|train=0.5|test=0.5\nremark\n"
      "\"x \"\"1\"\"\"\ty\tz\n1\t2\tc\n3\t4\td\n1\t2\tc\n3\t4\td\n",
      "libsvm|columns=5|train=3|test=1\n3 1:1\n1 5:.25\n2 2:7 4:8\n1 1:1\n",
      "arff|missing=?\n% remark\n@relation 'two words'\n@attribute width numeric\n@attribute "
      "\"a b\" {x, 'y z', w}\n@attribute class {-1,+1}\n\n@data\n1,x,+1\n?,'y z',-1\n3,w,+1\n4,x,-1\n",
      "arff|label=first\n@RELATION r\n@ATTRIBUTE class {a,b}\n@ATTRIBUTE x REAL\n@ATTRIBUTE n "
      "integer\n@DATA\n"
      "a,1e3,2\nb,-.5,3\na,7,8\nb,9,10\n",
      "arff|ignore=when,s\n@relation r\n@attribute when date \"yyyy-MM-dd\"\n@attribute s string\n"
      "@attribute x real\n@attribute c "
      "{p,q}\n@data\n'2020-01-01','it\\'s',1,p\n'2020-01-02',b,2,q\n'2020-01-03',b,3,p\n"
      "'2020-01-04',c,4,q\n"};
  for (const DatasetFormat& format : dataset_formats())
    if (!format.sample.empty()) seeds.push_back(fmt::format("{}|\n{}", format.name, format.sample));
  return seeds;
}

}  // namespace mash::fuzz
