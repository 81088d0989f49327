// SPDX-License-Identifier: Apache-2.0
#include "framework/base/file_name.hpp"

#include <gtest/gtest.h>

namespace mash {
namespace {

TEST(FileName, KeepsLettersOfAllScripts) {
  EXPECT_EQ(as_file_name("größe"), "größe");
  EXPECT_EQ(as_file_name("猫 2.png"), "猫 2.png");
}

TEST(FileName, ReplacesWhatAFileSystemCannotHave) {
  EXPECT_EQ(as_file_name("cat/0012.png"), "cat_0012.png");
  EXPECT_EQ(as_file_name("a\\b:c*d?e\"f<g>h|i\nj\x7f"), "a_b_c_d_e_f_g_h_i_j_");
  EXPECT_EQ(as_file_name("gr\xf6\xdf"
                         "e"),
            "gr__e")
      << "Latin-1";
  EXPECT_EQ(as_file_name(""), "_");
  EXPECT_EQ(as_file_name(".."), "_..");
}

TEST(FileName, OfOtherTextsIsAnother) {
  FileNames names;
  EXPECT_EQ(names.name_of("größe"), "größe");
  EXPECT_EQ(names.name_of("grüße"), "grüße");
  EXPECT_EQ(names.name_of("a/b"), "a_b");
  EXPECT_EQ(names.name_of("a:b"), "a_b_2");
  EXPECT_EQ(names.name_of("a_b_2"), "a_b_2_2");
  EXPECT_EQ(names.name_of("a/b"), "a_b");
  EXPECT_EQ(names.name_of("a:b"), "a_b_2");
}

}  // namespace
}  // namespace mash
