// SPDX-License-Identifier: Apache-2.0
#include "framework/base/without_places.hpp"

#include <gtest/gtest.h>

namespace mash {
namespace {

TEST(WithoutPlaces, LastPartOfAPath) {
  EXPECT_EQ(last_part("/srv/course/pics"), "pics");
  EXPECT_EQ(last_part("/srv/course/pics//"), "pics");
  EXPECT_EQ(last_part("pics"), "pics");
  EXPECT_EQ(last_part("/"), "");
}

// By hand: flows as `to_yaml` writes them, blocks, quotes, lists and comments.
TEST(WithoutPlaces, OfAnExperimentNameFilesAlone) {
  EXPECT_EQ(without_places("dataset: {name: folder, path: /srv/a b/pics, test_path: \"/srv/x: y, z/t\", "
                           "classes: [a/b, c]}\nheuristics:\n  - {id: ada/holes}\n  - {columns: data/f.npy}\n"
                           "booster: {name: budgeted, costs: ../home/costs.txt, rounds: -1}\nseed: 1\n"),
            "dataset: {name: folder, path: pics, test_path: \"t\", "
            "classes: [a/b, c]}\nheuristics:\n  - {id: ada/holes}\n  - {columns: f.npy}\n"
            "booster: {name: budgeted, costs: costs.txt, rounds: -1}\nseed: 1\n");
  EXPECT_EQ(without_places("dataset:\n  name: folder\n  path: /srv/a,b/c#d/pics/  # /not/a/value\n"
                           "  list: '/srv/it''s/list.txt'\n  other:\n    - /srv/e\n    - 'f'\nrate: 1/2"),
            "dataset:\n  name: folder\n  path: pics  \n"
            "  list: 'list.txt'\n  other:\n    - e\n    - 'f'\nrate: 1/2");
  EXPECT_EQ(without_places("dataset: {path: \"/srv/pics"), "dataset: {path: \"pics");
  EXPECT_EQ(without_places("dataset: {\"path\": [/srv/a, /srv/b], name: x/y}"),
            "dataset: {\"path\": [a, b], name: x/y}");
  EXPECT_EQ(without_places("path: 'a''/b'''\nlist: \"\\x2fsrv\\x2fx\""), "path: 'b'''\nlist: \"\"");
  EXPECT_EQ(without_places(""), "");
}

}  // namespace
}  // namespace mash
