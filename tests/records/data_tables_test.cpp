// SPDX-License-Identifier: Apache-2.0
#include "framework/records/data_tables.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "framework/base/file.hpp"
#include "tests/records/sample.hpp"
#include "tests/support/places.hpp"

namespace mash {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const DataValues& column(const DataTable& table, std::string_view name) {
  const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                  [&](const DataColumn& column) { return column.name == name; });
  if (found == table.columns.end()) throw std::runtime_error("no column " + std::string(name));
  return found->values;
}

struct DataTables : ::testing::Test {
  DataTables() {
    const Dataset data = sample::dataset();
    (void)*sample::record(records, sample::start(), data, {sample::family("hog")}, {sample::use()}, 3);
  }
  std::vector<DataTable> read(const std::vector<std::string>& names) {
    return *read_data_tables(records, names);
  }

  sample::Folder folder;
  Records records = *Records::open(folder / "mash.db");
};

TEST_F(DataTables, HaveColumnsOfOneType) {
  const auto tables = read({"experiments", "curve", "rounds"});
  ASSERT_EQ(tables.size(), 3u);
  EXPECT_THAT(std::get<std::vector<std::int64_t>>(column(tables[0], "seed")), ElementsAre(1));
  EXPECT_THAT(std::get<std::vector<std::optional<std::string>>>(column(tables[0], "name")),
              ElementsAre("demo"));
  EXPECT_THAT(std::get<std::vector<double>>(column(tables[0], "test_error")), ElementsAre(0.5));
  EXPECT_THAT(std::get<std::vector<std::int64_t>>(column(tables[1], "round")), ElementsAre(1, 2, 5, 10));
  EXPECT_EQ(tables[2].num_rows(), 10u);
}

TEST_F(DataTables, WhatIsMissingIsNoNumber) {
  const auto tables = read({"experiments"});
  // Nothing was tuned: a text that is NULL, and a whole number, which has NaN only as a real one.
  EXPECT_THAT(std::get<std::vector<std::optional<std::string>>>(column(tables[0], "tuned_setting")),
              ElementsAre(std::nullopt));
  EXPECT_TRUE(std::isnan(std::get<std::vector<double>>(column(tables[0], "num_tunings"))[0]));
}

TEST_F(DataTables, AreSeenByThoseWhoOnlyRead) {
  const auto reader = Records::open_read_only(folder / "mash.db");
  ASSERT_TRUE(reader.ok());
  const auto tables = read_data_tables(*reader, {});
  ASSERT_TRUE(tables.ok()) << tables.error().message;
  std::vector<std::string> names;
  for (const DataTable& table : *tables) names.push_back(table.name);
  EXPECT_THAT(names, ::testing::ElementsAreArray(data_table_names())) << "all of them";
}

// Every table is either described before "What a server keeps" or among the views of runs, and exported
// unless it has packed bytes; or it is the server's, and is not.
TEST_F(DataTables, AreAllButTheServers) {
  const std::string text = *read_file(testing::source_folder() + "/docs/records.md");
  const std::size_t server = text.find("## What a server keeps"), views = text.find("## Views");
  ASSERT_NE(server, std::string::npos);
  ASSERT_NE(views, std::string::npos);
  std::set<std::string> expected, secret;
  SQLite::Statement names(
      sample::database(records),
      "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%'");
  while (names.executeStep()) {
    const std::string name = names.getColumn(0).getString();
    const std::size_t at = text.find("**" + name + "**");
    SQLite::Statement bytes(sample::database(records),
                            "SELECT 1 FROM pragma_table_info(?) WHERE type = 'BLOB'");
    bytes.bind(1, name);
    if (at > server && at < views)
      secret.insert(name);
    else if (!bytes.executeStep())
      expected.insert(name);
  }
  EXPECT_EQ(std::set<std::string>(data_table_names().begin(), data_table_names().end()), expected);
  EXPECT_THAT(secret, ::testing::IsSupersetOf({"users", "tokens", "invitations", "submissions"}));
  for (const std::string& name : secret) {
    const auto refused = read_data_tables(records, std::vector{name});
    ASSERT_FALSE(refused.ok()) << name;
    EXPECT_THAT(refused.error().message, HasSubstr("unknown table '" + name + "'; known: classes, "));
  }
}

TEST_F(DataTables, TakeNoSqlForAName) {
  EXPECT_FALSE(read_data_tables(records, std::vector<std::string>{"rounds; DROP TABLE rounds"}).ok());
  EXPECT_FALSE(read_data_tables(records, std::vector<std::string>{"sqlite_schema"}).ok());
}

}  // namespace
}  // namespace mash
