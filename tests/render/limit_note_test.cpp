// SPDX-License-Identifier: Apache-2.0
#include "framework/render/limit_note.hpp"

#include <gmock/gmock.h>

namespace mash {
namespace {

TEST(LimitNote, NamesThoseThatOnlyMorePicturesPart) {
  Table table{"Board",
              {{"heuristic", "heuristic"}, {"limited_by", "limited by"}, {"wanted_pictures", "wanted"}},
              {},
              ""};
  table.rows.push_back({std::string("hog"), std::string("pictures"), std::int64_t(4123)});
  table.rows.push_back({std::string("lbp"), std::string("seeds"), Cell()});
  table.rows.push_back({std::string("phog"), std::string("pictures"), Cell()});
  table.rows.push_back({std::string("best"), Cell(), Cell()});
  EXPECT_EQ(
      limit_note(table),
      "No number of seeds parts these from all of their neighbours; the judging pictures are the limit: hog "
      "(about 4100 pictures would), phog");
}

TEST(LimitNote, IsEmptyWhereThereAreNone) {
  EXPECT_EQ(limit_note(Table{"Board", {{"heuristic", "heuristic"}}, {{std::string("hog")}}, ""}), "");
  EXPECT_EQ(limit_note(Table()), "");
}

}  // namespace
}  // namespace mash
