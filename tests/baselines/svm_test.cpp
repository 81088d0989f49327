// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/svm.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/baselines/reference_tables.hpp"
#include "tests/baselines/trained.hpp"

namespace mash {
namespace {

using testing::trained;
using testing::World;

// f of all pairs for one row, by the definition of the model.
std::vector<double> machines_of(const KernelModel& model, const std::vector<float>& row) {
  const NumberRows query{row.size(), {}, row};
  std::vector<double> kernels(model.classes.size()), machines = model.biases;
  kernel_values(model.kernel, query, {0, 1}, model.rows, {0, kernels.size()}, kernels.data());
  const std::size_t num_classes = model.num_classes();
  for (std::size_t s = 0; s < kernels.size(); ++s)
    for (std::size_t other = 0; other + 1 < num_classes; ++other) {
      const std::size_t own = model.classes[s], l = other < own ? other : other + 1;
      machines[pair_place(std::min(own, l), std::max(own, l), num_classes)] +=
          model.coefficients[s * (num_classes - 1) + other] * kernels[s];
    }
  return machines;
}

class SvmReference : public ::testing::TestWithParam<int> {};

TEST_P(SvmReference, DecisionValuesAreThoseOfLibsvm) {
  const auto& table = testing::reference()["tables"][std::size_t(GetParam())];
  const World world = testing::world_of(table);
  std::vector<double> given = table["weights"];
  for (double& weight : given) weight += 0.01;  // it leaves out examples without a weight
  for (const auto& [key, weights] :
       {std::pair<const char*, std::vector<double>>("svm", {}), std::pair("svm_weighted", given)})
    for (const auto& expected : table[key]) {
      SCOPED_TRACE(fmt::format("{} {}", key, expected["kernel"].get<std::string>()));
      const TrainingResult result = trained(make_svm, world,
                                            {{"inputs", "values"},
                                             {"kernel", expected["kernel"].get<std::string>()},
                                             {"C", fmt::format("{}", expected["C"].get<double>())},
                                             {"gamma", fmt::format("{}", expected["gamma"].get<double>())},
                                             {"degree", "2"},
                                             {"offset", "1"},
                                             {"tolerance", "1e-6"}},
                                            1, {}, weights);
      const auto& model = *result.model.as<KernelModel>();
      for (std::size_t n = 0; n < expected["decisions"].size(); ++n) {
        const std::vector<double> found = machines_of(model, table["values"][n]),
                                  wanted = expected["decisions"][n];
        ASSERT_EQ(found.size(), wanted.size());
        for (std::size_t m = 0; m < found.size(); ++m)
          EXPECT_NEAR(found[m], wanted[m], 1e-3 * std::max(1.0, std::abs(wanted[m]))) << n << " " << m;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Tables, SvmReference, ::testing::Range(0, 3));

TEST(Svm, ScoresAreVotesAndMargins) {
  const World world(testing::learnable_table(200, 6, 4, 3), 1, true);
  const TrainingResult result = trained(make_svm, world, {{"inputs", "values"}});
  const auto& model = *result.model.as<KernelModel>();
  const auto& rows = world.dataset.test;
  for (std::size_t n = 0; n < 20; ++n) {
    const std::vector<float> row(rows.values.begin() + std::ptrdiff_t(6 * n),
                                 rows.values.begin() + std::ptrdiff_t(6 * n + 6));
    const std::vector<double> machines = machines_of(model, numbers_of(model, row));
    std::vector<double> votes(4), margins(4);
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b) {
        const double f = machines[pair_place(a, b, 4)];
        votes[f > 0 ? a : b] += 1;
        margins[a] += f;
        margins[b] -= f;
      }
    for (std::size_t l = 0; l < 4; ++l)
      EXPECT_NEAR(result.test_scores[4 * n + l], votes[l] + margins[l] / (3 * (std::abs(margins[l]) + 1)),
                  1e-9);
  }
}

TEST(Svm, OfTwoClassesHasOppositeScores) {
  const World world(testing::learnable_table(100, 4, 2, 5), 1, true);
  const TrainingResult result = trained(make_svm, world, {});
  for (std::size_t i = 0; i < result.test_scores.size(); i += 2)
    EXPECT_EQ(result.test_scores[i], -result.test_scores[i + 1]);
}

TEST(Svm, AClassWithoutExamplesLosesAllItsVotes) {
  const World world(testing::table({0, 1, 5, 6}, {1, 1, 2, 2}, 3, {0, 6}, {1, 2}), 1, true);
  const TrainingResult result = trained(make_svm, world, {{"inputs", "values"}, {"C", "100"}});
  EXPECT_EQ(result.curve[0].test_error, 0);
  EXPECT_LT(result.test_scores[0], 0);
}

TEST(Svm, GammaFitsTheSpreadOfTheColumns) {
  const World world(testing::table({0, 10, 2, 10, 0, 14, 2, 14}, {0, 0, 1, 1}, 2), 1, true);
  const TrainingResult result = trained(make_svm, world, {{"inputs", "values"}});
  EXPECT_DOUBLE_EQ(result.model.as<KernelModel>()->kernel.gamma, 1.0 / (1 + 4));  // the variances are 1 and 4
}

TEST(SvmSettings, AreRefused) {
  for (const auto& [key, value] : {std::pair("kernel", "sigmoid"),
                                   {"C", "0"},
                                   {"gamma", "0"},
                                   {"degree", "101"},
                                   {"offset", "-1"},
                                   {"tolerance", "0"},
                                   {"iterations", "0"},
                                   {"cache", "0"}}) {
    Settings settings = testing::settings_of({{key, value}});
    EXPECT_FALSE(make_svm(settings).ok()) << key << " " << value;
  }
}

}  // namespace
}  // namespace mash
