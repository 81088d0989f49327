// SPDX-License-Identifier: Apache-2.0
// Files that stand beside data and models, the first byte says which: a list of pictures, a table of costs,
// and the rows that a model of a table classifies.
#include <array>
#include <cmath>

#include "classifiers/budget/costs_file.hpp"
#include "framework/dataset/picture_list.hpp"
#include "tests/fuzz/dataset_file.hpp"

namespace mash::fuzz {
namespace {

bool take_pictures(std::string_view text) {
  LoadedSource list;
  list.file.path = "list.txt";
  list.bytes = text;
  const auto layout = parse_picture_list(list, folder());
  if (!is_taken(layout)) return false;
  for (const std::string& name : layout->class_names) MASH_PROMISE(is_utf8(name) && !name.empty());
  return true;
}

bool take_costs(std::string_view text) {
  const std::array<FamilySize, 2> families{FamilySize{"hog", 3}, FamilySize{"lbp", 2}};
  const auto costs = read_costs(write("costs.csv", text), families);
  if (!is_taken(costs)) return false;
  MASH_PROMISE(costs->num_features() == 5 && is_utf8(costs->unit()));
  for (std::uint32_t feature = 0; feature < costs->num_features(); ++feature)
    MASH_PROMISE(std::isfinite(costs->feature(feature)) && costs->feature(feature) >= 0);
  return true;
}

bool take_rows(std::string_view text) {
  const TableLayout layout{{"x", "colour"}, CategoryNames{{}, {"red", "green"}}, "class"};
  const auto rows = load_rows(write("rows.csv", text), {}, testing::quiet_work(), layout);
  if (!is_taken(rows)) return false;
  MASH_PROMISE(rows->column_names == layout.names);
  MASH_PROMISE(rows->test.values.size() == rows->test.num_examples * layout.names.size());
  return true;
}

constexpr std::array kReaders{take_pictures, take_costs, take_rows};

}  // namespace

bool take(std::string_view input) {
  if (input.empty()) return false;
  return kReaders[std::uint8_t(input[0]) % kReaders.size()](input.substr(1));
}

std::vector<std::string> seeds() {
  return {"0cat/1.png cat\ndog/1.png dog\n# remark\n\ncat/2.png\tcat\n",
          "0a 1.png,7,train\nb.png,11,test\nc.png,11,train\n",
          "1family,feature,cost\nhog,setup,12.5\nhog,*,0.1\nhog,2,0.4\nlbp,0,1\nlbp,1,1e-3\n",
          "1family,feature,microseconds\nhog,*,2\nlbp,*,3\nother,*,4\n",
          "2x,colour,class\n1,red,a\n2.5,blue,b\n",
          "2more,colour,x\n7,green,1\n8,red,\n"};
}

}  // namespace mash::fuzz
