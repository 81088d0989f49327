// SPDX-License-Identifier: Apache-2.0
// Fills a folder with the database of a site that has run for a year: fill_site DATABASE. 200 contributors,
// 1,000 published heuristics of three versions, each with a report, 50,000 runs, 400 submissions that wait
// for a runner, and an operator with the token "load".
#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "framework/base/random.hpp"
#include "framework/records/accounts.hpp"
#include "framework/records/boards.hpp"
#include "framework/records/submission_queue.hpp"
#include "tests/records/sample.hpp"
#include "tests/support/made_losses.hpp"

namespace mash {
namespace {

constexpr int kUsers = 200, kHeuristics = 1000, kVersions = 3, kInWork = 400, kRuns = 50'000;

constexpr const char* kBoard = R"yaml(
dataset: {name: digits, train: 1200, test: 600}
heuristics: [{id: grayscale}, {id: gray-histogram}]
sampler: {name: laminating, budget: 5, features: 32}
)yaml";

// One that a runner can judge.
std::string source_of(int i) {
  constexpr std::string_view kBody = R"source(#include <mash/heuristic.hpp>
class Rows final : public mash::Heuristic {
 public:
  std::uint32_t dim(mash::Size size) const override { return size.height; }
  void compute(const mash::View& view, std::span<const std::uint32_t> features, std::span<float> out) override {
    for (std::size_t i = 0; i < features.size(); ++i) {
      float sum = 0;
      for (std::uint32_t x = 0; x < view.width(); ++x) sum += float(view.gray()(x, features[i]));
      out[i] = sum;
    }
  }
};
)source";
  return fmt::format("{}MASH_HEURISTIC(Rows, \"live-{}\", \"1.0.0\", \"Ada\", \"sums of rows\", \"MIT\")\n",
                     kBody, i);
}

// Rows as a run leaves them, with other seeds: one is recorded, and the others are its copies.
Status add_runs(Records& records) {
  MASH_ASSIGN(const std::int64_t first, sample::record(records, sample::start(), sample::dataset(),
                                                       {sample::family("hog"), sample::family("lbp")},
                                                       {sample::use(1), sample::use(3)}, 2));
  SQLite::Database& database = sample::database(records);
  const auto copy = [&](const std::string& table, const std::string& id) {
    std::string columns, values;
    SQLite::Statement info(database, "SELECT name FROM pragma_table_info(?)");
    info.bind(1, table);
    while (info.executeStep()) {
      const std::string name = info.getColumn(0).getString();
      const bool is_own_key = name == "id" && id != "id";
      if (is_own_key) continue;
      columns += (columns.empty() ? "" : ", ") + name;
      const std::string value = name == id          ? fmt::format("{} + n.value", first)
                                : name == "seed"    ? "seed + n.value"
                                : name == "run_key" ? "run_key || n.value"
                                                    : name;
      values += (values.empty() ? "" : ", ") + value;
    }
    database.exec(fmt::format(
        "WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < {}) "
        "INSERT INTO {} ({}) SELECT {} FROM {}, n WHERE {}.{} = {}",
        kRuns - 1, table, columns, values, table, table, id, first));
  };
  SQLite::Transaction transaction(database);
  copy("experiments", "id");
  copy("families", "experiment_id");
  transaction.commit();
  return Done{};
}

// report_size: characters. Those of former versions are short, so that the file is made in time.
Judgement judgement_of(int i, std::size_t report_size) {
  RandomStream random(1, "load", std::uint64_t(i));
  const double gain = 4 * random.uniform() - 1, half_width = .2 + .3 * random.uniform();
  const char* finding = gain > half_width ? "adds" : gain < -half_width ? "harmful" : "undecided";
  Judgement judgement{{gain, half_width / 2, gain - half_width, gain + half_width, 16, finding},
                      std::exp(6 * random.uniform()),
                      std::size_t(random.below(2000)) + 1,
                      "<!DOCTYPE html><title>report</title>" + std::string(report_size, 'x'),
                      "{}"};
  judgement.losses = testing::made_losses(judgement, 1000);
  return judgement;
}

// Lines of some length, 20 kB in all.
std::string long_source(int i, int version) {
  std::string source = fmt::format("// heuristic {}, version {}\n", i, version);
  while (source.size() < 20'000) source += "float sum_of_a_row(const mash::View& view, std::uint32_t y);\n";
  return source;
}

Status publish(Records& records, std::int64_t board, int i, int version) {
  MASH_TRY(add_submission(records, {i % kUsers + 1, board, "", "a.cpp", long_source(i, version), "MIT"}));
  MASH_ASSIGN(const auto lease, take_submission(records, 600));
  MASH_TRY(name_submission(records, *lease, fmt::format("heuristic-{:04}", i), fmt::format("1.{}.0", version),
                           "features of a kind"));
  const bool is_last = version + 1 == kVersions;
  return publish_submission(records, *lease, judgement_of(kVersions * i + version, is_last ? 200'000 : 2000),
                            10);
}

Status fill(const std::string& file) {
  MASH_ASSIGN(Records records, Records::open(file));
  sample::database(records).exec("PRAGMA synchronous = OFF");
  MASH_ASSIGN(const std::int64_t board, put_board(records, {0, "digits", kBoard, 4}));
  for (int i = 0; i < kUsers; ++i)
    MASH_TRY(add_user(records, {0, fmt::format("user-{}", i), std::string(kContributorRole), ""}));
  MASH_ASSIGN(const std::int64_t id, add_user(records, {0, "operator", std::string(kOperatorRole), ""}));
  MASH_TRY(add_token(records, id, {.scope = Scope::kOperate}, "load", 365));
  for (int i = 0; i < kHeuristics; ++i)
    for (int version = 0; version < kVersions; ++version) MASH_TRY(publish(records, board, i, version));
  for (int i = 0; i < kInWork; ++i)
    MASH_TRY(add_submission(records, {i % kUsers + 1, board, "", "live.cpp", source_of(i), "MIT"}));
  return add_runs(records);
}

}  // namespace
}  // namespace mash

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: {} DATABASE\n", argv[0]);
    return 2;
  }
  const mash::Status filled = mash::fill(argv[1]);
  if (!filled.ok()) fmt::print(stderr, "{}\n", filled.error().message);
  return filled.ok() ? 0 : 1;
}
