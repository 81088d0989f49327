// SPDX-License-Identifier: Apache-2.0
#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "framework/base/file.hpp"
#include "framework/records/records.hpp"
#include "tests/records/sample.hpp"
#include "tests/support/places.hpp"

namespace mash {
namespace {

const std::string& documentation() {
  static const std::string text = *read_file(testing::source_folder() + "/docs/records.md");
  return text;
}

TEST(RecordsDocumentation, NamesEveryTableViewAndColumnOfExperiments) {
  sample::Folder folder;
  Result<Records> records = Records::open(folder / "mash.db");
  ASSERT_TRUE(records.ok());
  SQLite::Statement names(
      sample::database(*records),
      "SELECT '**' || name || '**' FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE "
      "'sqlite%' UNION SELECT '`' || name || '`' FROM pragma_table_info('experiments') UNION "
      "SELECT '`' || name || '`' FROM pragma_table_info('families') UNION SELECT '`' || name || '`' FROM "
      "pragma_table_info('offer_tests') "
      "WHERE name <> 'id'");
  int num_names = 0;
  for (; names.executeStep(); ++num_names) {
    EXPECT_THAT(documentation(), ::testing::HasSubstr(names.getColumn(0).getString()));
  }
  EXPECT_GT(num_names, 80);
}

TEST(RecordsDocumentation, ItsQueriesWork) {
  sample::Folder folder;
  Result<Records> records = Records::open(folder / "mash.db");
  ASSERT_TRUE(records.ok());
  const Dataset data = sample::dataset();
  ASSERT_TRUE(
      sample::record(*records, sample::start(), data, {sample::family("hog")}, {sample::use()}, 3).ok());
  const std::string begin = "```sql\n";
  int num_queries = 0;
  for (std::size_t at = documentation().find(begin); at != std::string::npos;
       at = documentation().find(begin, at)) {
    at += begin.size();
    const std::string query = documentation().substr(at, documentation().find("```", at) - at);
    EXPECT_NO_THROW(SQLite::Statement(sample::database(*records), query).executeStep()) << query;
    ++num_queries;
  }
  EXPECT_EQ(num_queries, 6);
}

}  // namespace
}  // namespace mash
