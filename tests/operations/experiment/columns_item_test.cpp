// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/experiment/columns_item.hpp"

#include <gmock/gmock.h>

#include "framework/base/file.hpp"
#include "framework/operations/experiment/check.hpp"
#include "framework/operations/experiment/families.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

using ::testing::HasSubstr;

Result<Experiment> with_heuristics(const std::string& list) {
  return parse_experiment("dataset: digits\nheuristics: " + list + "\n", "e.yaml", {});
}

std::string refusal_of_list(const std::string& list) {
  const auto experiment = with_heuristics(list);
  return experiment.ok() ? "" : experiment.error().message;
}

TEST(ColumnsItem, IsAFamilyThatIsNamedAfterItsFile) {
  const auto experiment = with_heuristics("[{columns: data/own.npy}, {columns: data/own.npy, name: again}]");
  ASSERT_TRUE(experiment.ok()) << experiment.error().message;
  ASSERT_EQ(experiment->heuristics.size(), 2u);
  const NamedSettings& item = experiment->heuristics[0];
  EXPECT_EQ(item.name, "columns:own");
  EXPECT_TRUE(is_columns_item(item));
  EXPECT_EQ(columns_file(item), "data/own.npy");
  EXPECT_EQ(experiment->heuristics[1].name, "columns:again");
  const auto specs = family_specs(*experiment, Catalogue::scan({}));
  ASSERT_TRUE(specs.ok()) << specs.error().message;
  ASSERT_EQ(specs->size(), 2u);
  EXPECT_EQ((*specs)[0].name, "columns:again");
  EXPECT_EQ((*specs)[1].heuristic.plugin, "data/own.npy");
  EXPECT_TRUE((*specs)[1].is_given());
  EXPECT_EQ((*specs)[1].columns, nullptr) << "not read yet";
}

TEST(ColumnsItem, IsWrittenAsItIsRead) {
  for (const char* list : {"[{columns: data/own.npy}]", "[{columns: data/own.npy, name: vit-b}, lbp]",
                           "[all, {columns: \"a b.npy\"}]"}) {
    const auto experiment = with_heuristics(list);
    ASSERT_TRUE(experiment.ok()) << experiment.error().message;
    const auto again = parse_experiment(to_yaml(*experiment), "again.yaml", {});
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(to_yaml(*again), to_yaml(*experiment));
    EXPECT_EQ(again->heuristics.back().name, experiment->heuristics.back().name);
  }
}

TEST(ColumnsItem, ListsTheFamilyThatItGives) {
  const FamilySpec spec = given_family("columns:own", "data/own.npy");
  const NamedSettings item = item_of(spec, "here");
  EXPECT_EQ(item.name, "columns:own");
  EXPECT_EQ(columns_file(item), "data/own.npy");
  EXPECT_EQ(item.where, "here");
}

TEST(ColumnsItem, ThatIsWrongIsRefused) {
  EXPECT_THAT(refusal_of_list("[{columns: a.npy, cell: 4}]"),
              HasSubstr("heuristics: unknown key 'cell'; known: columns, name"));
  EXPECT_THAT(refusal_of_list("[{columns: [a.npy, b.npy]}]"),
              HasSubstr("e.yaml:2:15: heuristics.columns: found a list, expected one file"));
  EXPECT_THAT(refusal_of_list("[{columns: a.npy, name: a b}]"),
              HasSubstr("name: found 'a b', expected at most 64"));
  EXPECT_THAT(refusal_of_list("[{columns: ''}]"),
              HasSubstr("heuristics.columns: found an empty text, expected one file"));
  EXPECT_THAT(refusal_of_list("[{id: 'columns:own', columns: own.npy, cell: 4}]"),
              HasSubstr("found the id 'columns:own', expected {columns: FILE, name: NAME}"));
  const auto twice =
      family_specs(*with_heuristics("[{columns: a/own.npy}, {columns: b/own.npy}]"), Catalogue::scan({}));
  ASSERT_FALSE(twice.ok());
  EXPECT_THAT(twice.error().message, HasSubstr("columns:own is listed twice; expected 'name: NAME'"));
}

TEST(ColumnsItem, IsLookedForBesideTheExperiment) {
  const testing::ScratchFolder folder;
  ASSERT_TRUE(
      write_file_atomically(folder / "e.yaml", "dataset: digits\nheuristics: [{columns: own.npy}]\n").ok());
  const auto missing = read_experiment(folder / "e.yaml", {});
  ASSERT_TRUE(missing.ok()) << missing.error().message;
  const Status checked = check_experiment(*missing, Catalogue::scan({}));
  ASSERT_FALSE(checked.ok());
  EXPECT_THAT(checked.error().message, HasSubstr("heuristics.columns: own.npy: no such file"));
  ASSERT_TRUE(write_file_atomically(folder / "own.npy", "").ok());
  const auto found = read_experiment(folder / "e.yaml", {});
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_EQ(columns_file(found->heuristics[0]), (folder / "own.npy").string());
}

}  // namespace
}  // namespace mash
