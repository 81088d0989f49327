// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "framework/records/offers.hpp"
#include "framework/reports/leaderboard.hpp"
#include "tests/records/sample.hpp"

namespace mash {

// Records of runs and offers, and the boards that are made of them.
class LeaderboardTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Result<Records> opened = Records::open(folder_ / "mash.db");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    records_ = std::make_unique<Records>(std::move(*opened));
  }

  std::int64_t record(const RunStart& start, const std::vector<FamilyRow>& families,
                      const std::vector<FamilyUse>& uses, std::size_t num_wrong = 1) {
    const auto id = sample::record(*records_, start, data_, families, uses, num_wrong);
    EXPECT_TRUE(id.ok()) << (id.ok() ? "" : id.error().message);
    return id.ok() ? *id : -1;
  }

  // The offer of a heuristic beside the others of a pool, after eight seeds.
  static OfferRow offer(const std::string& heuristic, double gain, double error) {
    OfferRow row;
    row.heuristic = heuristic;
    row.version = "1.0.0";
    row.dataset_fingerprint = "f";
    row.dataset = "digits";
    row.side = kTestSide;
    row.newcomer = {heuristic};
    for (const char* other : {"best", "good", "hog", "lbp", "own", "vague"})
      if (heuristic != other) row.pool.push_back(other);
    row.experiment = "demo";
    row.num_seeds = 8;
    row.gain = gain;
    row.standard_error = error;
    row.low = gain - 2 * error;
    row.high = gain + 2 * error;
    row.finding = "adds";
    return row;
  }
  void keep(const OfferRow& row) {
    const Status kept = keep_offer(*records_, row);
    ASSERT_TRUE(kept.ok()) << kept.error().message;
  }

  Table board(LeaderboardBy by) {
    Result<Table> table = leaderboard(*records_, by);
    EXPECT_TRUE(table.ok()) << (table.ok() ? "" : table.error().message);
    return table.ok() ? *table : Table();
  }

  static std::vector<Cell> column(const Table& table, const std::string& key) {
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].key != key) continue;
      for (const auto& row : table.rows) cells.push_back(row[i]);
    }
    return cells;
  }
  static std::vector<std::string> texts(const Table& table, const std::string& key) {
    std::vector<std::string> out;
    for (const Cell& cell : column(table, key)) out.push_back(std::get<std::string>(cell));
    return out;
  }
  static std::vector<std::int64_t> integers(const Table& table, const std::string& key) {
    std::vector<std::int64_t> out;
    for (const Cell& cell : column(table, key)) out.push_back(std::get<std::int64_t>(cell));
    return out;
  }
  static Estimate first_estimate(const Table& table, const std::string& key) {
    return std::get<Estimate>(column(table, key).at(0));
  }

  sample::Folder folder_;
  Dataset data_ = sample::dataset(10);
  std::unique_ptr<Records> records_;
};

}  // namespace mash
