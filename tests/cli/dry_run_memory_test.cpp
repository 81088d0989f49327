// SPDX-License-Identifier: Apache-2.0
// The memory that a dry run tells, beside the peak of the run: each term of its formula is the largest one
// once.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "framework/base/random.hpp"
#include "tests/support/program.hpp"

namespace mash {
namespace {

struct MeasuredRun {
  const char* what;
  std::size_t num_examples, num_classes, num_columns;
  const char* learner = "booster: {name: adaboost.mh, rounds: 10}\nsampler: laminating\n";
};
constexpr MeasuredRun kMeasuredRuns[] = {
    {"the program itself", 40, 2, 10},
    {"examples x classes", 8000, 500, 20},
    {"columns", 20, 2, 500'000},
    {"columns x examples", 10'000, 2, 2000},
    {"rows of codes", 100'000, 2, 1500, "classifier: {name: linear-svm, C: 1e-6}\n"},
    {"scores of codes", 100'000, 8, 300, "classifier: {name: logistic-regression, C: 1e-6}\n"},
    {"columns x columns", 10'000, 2, 3000, "classifier: {name: ridge, features: 3000, lambda: 10}\n"},
};

// Three values in each row.
void write_rows(const std::filesystem::path& path, const MeasuredRun& measured) {
  std::ofstream file(path);
  RandomStream random(1, "rows");
  for (std::size_t n = 0; n < measured.num_examples; ++n) {
    file << n % measured.num_classes + 1;
    for (std::size_t part = 0; part < 3; ++part)
      file << ' ' << part * measured.num_columns / 3 + random.below(measured.num_columns / 3) + 1 << ":"
           << random.below(9) + 1;
    file << '\n';
  }
}

nlohmann::json document_of(const testing::Sandbox& sandbox, const std::string& option) {
  const auto result =
      sandbox.run({"mash", "run", "e.yaml", "--json", "--store", "store", "--db", "r.db", option});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(result.out, nullptr, false);
}

// In bytes: told, and the peak of the run.
std::pair<double, double> memory_of(const MeasuredRun& measured) {
  const testing::Sandbox sandbox;
  write_rows(sandbox.work() / "rows.svm", measured);
  std::ofstream(sandbox.work() / "e.yaml")
      << "dataset: {name: libsvm, path: rows.svm, columns: " << measured.num_columns << "}\n"
      << measured.learner;
  const double told = document_of(sandbox, "--dry-run")["memory"]["bytes"];
  return {told, document_of(sandbox, "--quiet")["peak_memory_bytes"]};
}

TEST(DryRunMemory, IsWithinAQuarterOfWhatARunTakes) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take memory of their own";
#endif
  for (const MeasuredRun& measured : kMeasuredRuns) {
    const auto [told, peak] = memory_of(measured);
    EXPECT_LT(told, 1.25 * peak) << measured.what;
    EXPECT_GT(told, peak / 1.25) << measured.what;
  }
}

}  // namespace
}  // namespace mash
