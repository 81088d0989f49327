// SPDX-License-Identifier: Apache-2.0
#include "framework/families/columns/column_table.hpp"

#include <gmock/gmock.h>

#include "framework/base/file.hpp"
#include "tests/support/npy_file.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::string_literals;

class ColumnFiles : public ::testing::Test {
 protected:
  void write(const char* name, const std::string& content) {
    ASSERT_TRUE(write_file_atomically(folder / name, content).ok());
  }
  void write_two_rows() {
    write("own.npy", testing::npy_file("<f4", "(2, 2)", std::vector<float>{1, 2, 3, 4}));
  }
  std::string refusal() {
    const auto table = read_column_table(folder / "own.npy");
    return table.ok() ? "" : table.error().message;
  }

  testing::ScratchFolder folder;
};

TEST_F(ColumnFiles, AreReadWithoutNames) {
  write_two_rows();
  const auto table = read_column_table(folder / "own.npy");
  ASSERT_TRUE(table.ok()) << table.error().message;
  EXPECT_EQ(table->num_rows, 2u);
  EXPECT_EQ(table->num_columns, 2u);
  EXPECT_THAT(table->values, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(table->names, IsEmpty());
}

TEST_F(ColumnFiles, HaveNamesBesideThem) {
  write_two_rows();
  write("own.names.txt", "a/1.png\r\na/2.png\n");
  EXPECT_THAT(read_column_table(folder / "own.npy")->names, ElementsAre("a/1.png", "a/2.png"));
  ASSERT_TRUE(std::filesystem::remove(folder / "own.names.txt"));
  write("own.names.npy", testing::npy_file("|S2", "(2,)", "b1b2"s));
  EXPECT_THAT(read_column_table(folder / "own.npy")->names, ElementsAre("b1", "b2"));
}

TEST_F(ColumnFiles, WithOtherNamesAreRefused) {
  write_two_rows();
  write("own.names.txt", "a\nb\nc\n");
  EXPECT_THAT(refusal(), HasSubstr("own.names.txt: found 3 names of pictures beside 2 rows"));
  write("own.names.txt", "");
  EXPECT_THAT(refusal(), HasSubstr("own.names.txt: found 0 names of pictures beside 2 rows"));
  write("own.names.txt", "a\na\n");
  EXPECT_THAT(refusal(), HasSubstr("own.names.txt: found the picture 'a' as name 1 and as name 2, expected"));
  write("own.names.txt", "a\n\xff\n");
  EXPECT_THAT(refusal(), HasSubstr("own.names.txt"));
  write("own.names.npy", testing::npy_file("|S2", "(2,)", "b1b2"s));
  EXPECT_THAT(refusal(), HasSubstr("own.names.txt: found own.names.npy beside it, expected one file"));
}

TEST_F(ColumnFiles, ThatAreNoneAreRefusedWithTheirName) {
  EXPECT_THAT(refusal(), HasSubstr("own.npy"));
  write("own.npy", "1,2\n");
  EXPECT_THAT(refusal(), HasSubstr("own.npy: is no NumPy file"));
}

TEST(ColumnNames, AreThoseOfTheFile) {
  EXPECT_EQ(columns_id("data/embeddings.npy"), "columns:embeddings");
  EXPECT_EQ(columns_id("two words (1).npy"), "columns:two_words__1_");
  EXPECT_EQ(columns_id(std::string(100, 'a') + ".npy"), "columns:" + std::string(64, 'a'));
  EXPECT_TRUE(is_columns_name("vit-b_16.v2"));
  for (const std::string& name : {""s, "a b"s, "a,b"s, "a/b"s, "ä"s, std::string(65, 'a')})
    EXPECT_FALSE(is_columns_name(name)) << name;
  EXPECT_TRUE(has_given_columns("columns:a"));
  EXPECT_FALSE(has_given_columns("columns")) << "the family of tables";
}

}  // namespace
}  // namespace mash
