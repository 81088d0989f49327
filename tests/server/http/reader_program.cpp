// SPDX-License-Identifier: Apache-2.0
// A web server as it may be: linked with mash_server_base alone, it shows the leaderboard of a database that
// it may only read.
#include <fmt/format.h>

#include <cstdio>

#include "framework/records/leaderboard_rows.hpp"
#include "framework/render/table.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: {} DATABASE\n", argv[0]);
    return 2;
  }
  const auto records = mash::Records::open_read_only(argv[1]);
  if (!records.ok()) {
    fmt::print(stderr, "{}\n", records.error().message);
    return 2;
  }
  const auto rows = mash::read_leaderboard(*records, mash::LeaderboardBy::kHeuristic);
  if (!rows.ok()) {
    fmt::print(stderr, "{}\n", rows.error().message);
    return 1;
  }
  for (const mash::LeaderboardRow& row : *rows) {
    fmt::print("{} {}\n", mash::show(row.values.at("rank"), mash::Format::kCount),
               mash::show(row.values.at("heuristic"), mash::Format::kText));
  }
  return 0;
}
