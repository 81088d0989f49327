// SPDX-License-Identifier: Apache-2.0
#include "classifiers/baselines/perceptron_passes.hpp"

#include <gmock/gmock.h>

#include "framework/base/random.hpp"
#include "tests/baselines/reference_tables.hpp"
#include "tests/learners/rows_on_table.hpp"

namespace mash {
namespace {

using testing::RowsOnTable;

using Numbers = std::vector<double>;

constexpr PerceptronOptions kPlain{.is_batch = false, .averages = false, .shuffles = false};

// The perceptron by its definition, without a library: rows with a 1 in front, functions as numbers.
struct PlainPerceptron {
  std::vector<Numbers> functions;  // one, or one for each class
  std::size_t num_wrong = 0;       // in the last pass
  std::vector<Numbers> sums;       // of the functions after each example
  double num_summed = 0;

  PlainPerceptron(std::size_t num_classes, std::size_t width)
      : functions(num_classes == 2 ? 1 : num_classes, Numbers(width)), sums(functions) {}

  static double score(const Numbers& function, const Numbers& row) {
    double sum = 0;
    for (std::size_t i = 0; i < row.size(); ++i) sum += function[i] * row[i];
    return sum;
  }

  void pass(const std::vector<Numbers>& rows, const std::vector<std::uint16_t>& labels,
            const Numbers& weights, bool is_batch) {
    num_wrong = 0;
    std::vector<Numbers> next = functions;
    for (std::size_t n = 0; n < rows.size(); ++n) {
      if (weights[n] == 0) continue;
      Numbers scores;
      if (functions.size() == 1) {
        scores = {-score(functions[0], rows[n]), score(functions[0], rows[n])};
      } else {
        for (const Numbers& function : functions) scores.push_back(score(function, rows[n]));
      }
      std::size_t rival = labels[n] == 0 ? 1 : 0;
      for (std::size_t l = 0; l < scores.size(); ++l)
        if (l != labels[n] && scores[l] > scores[rival]) rival = l;
      if (scores[rival] >= scores[labels[n]]) {
        ++num_wrong;
        for (std::size_t i = 0; i < rows[n].size(); ++i) {
          const double by = weights[n] * rows[n][i];
          if (functions.size() == 1) {
            next[0][i] += labels[n] == 1 ? by : -by;
          } else {
            next[labels[n]][i] += by;
            next[rival][i] -= by;
          }
        }
      }
      if (!is_batch) add(next);
    }
    if (is_batch) add(next);
  }

  void add(const std::vector<Numbers>& next) {
    functions = next;
    ++num_summed;
    for (std::size_t f = 0; f < functions.size(); ++f)
      for (std::size_t i = 0; i < functions[f].size(); ++i) sums[f][i] += functions[f][i];
  }
};

// The worked example of the logical or (Rosenblatt 1958): nine wrong examples, and a sixth pass without one.
TEST(PlainPerceptron, LearnsTheLogicalOr) {
  const std::vector<Numbers> rows{{1, 0, 1}, {1, 1, 1}, {1, 1, 0}, {1, 0, 0}};
  PlainPerceptron perceptron(2, 3);
  std::vector<Numbers> ends;
  std::size_t num_wrong = 0;
  do {
    perceptron.pass(rows, {1, 1, 1, 0}, Numbers(4, 1), false);
    num_wrong += perceptron.num_wrong;
    ends.push_back(perceptron.functions[0]);
  } while (perceptron.num_wrong > 0);
  EXPECT_EQ(num_wrong, 9u);
  EXPECT_EQ(ends,
            (std::vector<Numbers>{{0, 0, 1}, {0, 1, 1}, {-1, 1, 1}, {-1, 1, 2}, {-1, 2, 2}, {-1, 2, 2}}));
}

struct Scene {
  Scene(std::uint64_t seed, std::size_t num_rows, std::size_t num_columns, std::size_t num_classes,
        FeatureNumber number)
      : rows(values_of(seed, num_rows, num_columns, num_classes), num_columns, Numbers(num_rows, 1.0),
             number) {
    for (std::size_t n = 0; n < num_rows; ++n) {
      labels.push_back(std::uint16_t(n % num_classes));
      weights.push_back(double(n % 5) / 2);
    }
  }

  static std::vector<float> values_of(std::uint64_t seed, std::size_t num_rows, std::size_t num_columns,
                                      std::size_t num_classes) {
    RandomStream stream(seed, "perceptron scene");
    std::vector<float> values;
    for (std::size_t n = 0; n < num_rows; ++n)
      for (std::size_t i = 0; i < num_columns; ++i)
        values.push_back(float(stream.normal() + double((n % num_classes) * (i + 1) % 4)));
    return values;
  }

  // The standardised rows, with a 1 in front.
  std::vector<Numbers> plain_rows() const {
    std::vector<Numbers> plain;
    for (std::size_t n = 0; n < rows->num_rows(); ++n) {
      RowSum row = rows->empty_sum();
      rows->add(n, 1, row);
      Numbers& numbers = plain.emplace_back(Numbers{1});
      for (std::size_t i = 0; i < rows->num_columns(); ++i)
        numbers.push_back(rows->factor(i, row) * rows->scales()[i]);
    }
    return plain;
  }

  RowsOnTable rows;
  std::vector<std::uint16_t> labels;
  Numbers weights;
};

void expect_functions(const PerceptronPasses::Functions& found, const std::vector<Numbers>& expected,
                      const Scene& scene) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t f = 0; f < found.size(); ++f) {
    EXPECT_NEAR(found[f].bias, expected[f][0], 1e-9);
    for (std::size_t i = 0; i < scene.rows->num_columns(); ++i)
      EXPECT_NEAR(scene.rows->factor(i, found[f].sum) * scene.rows->scales()[i], expected[f][i + 1], 1e-9);
  }
}

TEST(PerceptronPasses, GoLikeThePlainOne) {
  const Workers workers(2);
  for (const std::size_t num_classes : {2u, 4u})
    for (const FeatureNumber number : {FeatureNumber::kCode, FeatureNumber::kValue})
      for (const bool is_batch : {false, true}) {
        const Scene scene(num_classes, 60, 5, num_classes, number);
        const std::vector<Numbers> plain_rows = scene.plain_rows();
        PerceptronOptions options = kPlain;
        options.is_batch = is_batch;
        PerceptronPasses passes(*scene.rows, scene.labels, num_classes, scene.weights, options, 1);
        PlainPerceptron plain(num_classes, 6);
        for (int pass = 0; pass < 8 && !passes.has_ended(); ++pass) {
          SCOPED_TRACE(fmt::format("{} classes, batch {}, pass {}", num_classes, is_batch, pass));
          passes.pass(workers);
          plain.pass(plain_rows, scene.labels, scene.weights, is_batch);
          EXPECT_EQ(passes.num_wrong(), plain.num_wrong);
          expect_functions(passes.now(), plain.functions, scene);
        }
      }
}

TEST(PerceptronPasses, KeepTheMeansOfTheFunctions) {
  const Workers workers(1);
  for (const bool is_batch : {false, true}) {
    const Scene scene(7, 40, 3, 3, FeatureNumber::kValue);
    PerceptronOptions options = kPlain;
    options.averages = true;
    options.is_batch = is_batch;
    PerceptronPasses passes(*scene.rows, scene.labels, 3, scene.weights, options, 1);
    PlainPerceptron plain(3, 4);
    double smallest = 2;
    for (int pass = 0; pass < 5; ++pass) {
      passes.pass(workers);
      plain.pass(scene.plain_rows(), scene.labels, scene.weights, is_batch);
      if (passes.smallest_error() == smallest) continue;  // others are kept
      smallest = passes.smallest_error();
      std::vector<Numbers> means = plain.sums;
      for (Numbers& mean : means)
        for (double& x : mean) x /= plain.num_summed;
      expect_functions(passes.kept(), means, scene);
    }
    EXPECT_LT(smallest, 0.67);
  }
}

// The coefficients of scikit-learn's Perceptron after each pass, without and with weights.
TEST(PerceptronPasses, GoLikeThoseOfScikitLearn) {
  const auto& table = testing::reference()["tables"][0];
  std::vector<float> values;
  for (const auto& row : table["values"])
    for (const auto& value : row) values.push_back(value.get<float>());
  const std::vector<std::uint16_t> labels = table["labels"];
  const std::size_t num_columns = table["values"][0].size();
  for (const char* key : {"perceptron", "perceptron_weighted"}) {
    const Numbers weights =
        std::string_view(key) == "perceptron" ? Numbers(labels.size(), 1.0) : table["weights"].get<Numbers>();
    const RowsOnTable rows(values, num_columns, weights);
    PerceptronPasses passes(*rows, labels, 2, weights, kPlain, 1);
    const Workers workers(1);
    for (const auto& expected : table[key]) {
      passes.pass(workers);
      const auto& function = passes.now()[0];
      EXPECT_NEAR(function.bias, expected["intercept"].get<double>(), 1e-9);
      for (std::size_t i = 0; i < num_columns; ++i)
        EXPECT_NEAR(rows->factor(i, function.sum) * rows->scales()[i],
                    expected["coefficients"][i].get<double>(), 1e-6);
    }
  }
}

TEST(PerceptronPasses, KeepTheFunctionsOfTheSmallestError) {
  const Scene scene(3, 80, 2, 3, FeatureNumber::kValue);  // not separable
  const Workers workers(1);
  PerceptronPasses passes(*scene.rows, scene.labels, 3, scene.weights, kPlain, 1);
  double smallest = 2;
  std::uint32_t last_gain = 0;
  while (!passes.has_ended()) {
    passes.pass(workers);
    EXPECT_LE(passes.smallest_error(), smallest);
    if (passes.smallest_error() < smallest) last_gain = passes.num_passes();
    smallest = passes.smallest_error();
  }
  EXPECT_GT(passes.num_wrong(), 0u);
  EXPECT_EQ(passes.num_passes(), last_gain + PerceptronPasses::kMostWithoutGain);
}

// A mistake moves a function by at most R, and a margin of G bounds their number by (R / G)^2 (Novikoff
// 1962).
TEST(PerceptronPasses, OfSeparableExamplesEndWithoutAWrongOne) {
  RandomStream stream(2, "separable");
  std::vector<float> values;
  std::vector<std::uint16_t> labels;
  for (std::size_t n = 0; n < 60; ++n) {
    labels.push_back(std::uint16_t(n % 2));
    for (int i = 0; i < 2; ++i) values.push_back(float((n % 2 == 0 ? -1 : 1) + stream.uniform(-0.5, 0.5)));
  }
  const Numbers weights(60, 1.0);
  const RowsOnTable rows(values, 2, weights);
  const Workers workers(1);
  PerceptronPasses passes(*rows, labels, 2, weights, kPlain, 1);
  std::size_t num_wrong = 0;
  while (!passes.has_ended()) {
    passes.pass(workers);
    num_wrong += passes.num_wrong();
  }
  double radius = 0, margin = 1e9;  // of the function that adds both columns
  for (std::size_t n = 0; n < 60; ++n) {
    RowSum row = rows->empty_sum();
    rows->add(n, 1, row);
    const double z = rows->factor(0, row) * rows->scales()[0] + rows->factor(1, row) * rows->scales()[1];
    radius = std::max(radius, rows->square(n) + 1);
    margin = std::min(margin, (labels[n] == 1 ? z : -z) / std::sqrt(2.0));
  }
  EXPECT_EQ(passes.num_wrong(), 0u);
  EXPECT_EQ(passes.smallest_error(), 0);
  EXPECT_GT(margin, 0);
  EXPECT_LE(double(num_wrong), radius / (margin * margin));
}

TEST(PerceptronPasses, GoOnWithTheSameBits) {
  const Workers workers(2);
  for (const bool is_batch : {false, true}) {
    const Scene scene(9, 50, 4, 3, FeatureNumber::kCode);
    const PerceptronOptions options{.is_batch = is_batch, .decay = 0.9, .num_passes = 9};
    PerceptronPasses whole(*scene.rows, scene.labels, 3, scene.weights, options, 5);
    std::vector<double> state;
    while (!whole.has_ended()) {
      whole.pass(workers);
      PerceptronPasses part(*scene.rows, scene.labels, 3, scene.weights, options, 5);
      if (!state.empty()) {
        StateReader reader(state);
        part.take_back(reader);
        reader.finish();
      }
      part.pass(workers);
      StateWriter writer, expected;
      part.keep(writer);
      whole.keep(expected);
      state = writer.take();
      ASSERT_EQ(state, expected.take()) << whole.num_passes();
    }
  }
}

}  // namespace
}  // namespace mash
