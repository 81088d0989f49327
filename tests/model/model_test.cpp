// SPDX-License-Identifier: Apache-2.0
#include <rapidcheck/gtest.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "classifiers/model/model_file.hpp"
#include "framework/base/file.hpp"
#include "framework/base/random.hpp"
#include "framework/base/utf8.hpp"
#include "tests/support/places.hpp"

namespace mash {
namespace {

Cut random_cut(const StrongClassifier& model, RandomStream& stream) {
  Cut cut;
  cut.family_idx = std::uint32_t(stream.below(2));
  cut.feature_idx = std::uint32_t(stream.below(model.families[cut.family_idx].dim));
  cut.threshold =
      stream.below(5) == 0 ? -std::numeric_limits<float>::infinity() : float(stream.normal()) * 1e-20f;
  return cut;
}

// A stump, a product or a tree.
Hypothesis random_hypothesis(const StrongClassifier& model, RandomStream& stream) {
  Hypothesis hypothesis;
  hypothesis.alpha = stream.uniform() * 1e-5;
  const bool is_tree = stream.below(2) == 1;
  for (std::size_t i = 0, num_cuts = 1 + stream.below(6); i < num_cuts; ++i) {
    hypothesis.cuts.push_back(random_cut(model, stream));
    if (!is_tree) continue;
    // Splits a leaf of the tree so far, or starts it.
    const auto cut = std::int32_t(i), leaf = std::int32_t(stream.below(i + 1));
    for (Branches& branches : hypothesis.branches)
      for (std::int32_t* next : {&branches.below, &branches.above})
        if (*next == -1 - leaf) *next = cut;
    hypothesis.branches.push_back({-1 - leaf, -2 - cut});
  }
  const std::size_t num_votes = model.num_classes() * (is_tree ? hypothesis.num_cells() : 1);
  const bool has_signs = stream.below(3) > 0;
  for (std::size_t i = 0; i < num_votes; ++i)
    hypothesis.votes.push_back(has_signs ? (stream.below(2) ? 1 : -1) : stream.normal());
  return hypothesis;
}

// Costs of the features that it needs.
ModelCosts random_costs(const StrongClassifier& model, RandomStream& stream) {
  ModelCosts costs{stream.below(2) == 0 ? "microseconds" : "", {}};
  for (const std::vector<std::uint32_t>& features : needed_features(model)) {
    costs.families.push_back({stream.uniform(0, 10), features, {}});
    for (std::size_t i = 0; i < features.size(); ++i) costs.families.back().costs.push_back(stream.uniform());
  }
  return costs;
}

// Values of these features, or nothing.
ModelProbe random_probe(const std::vector<std::vector<std::uint32_t>>& needed, RandomStream& stream) {
  ModelProbe probe{stream.below(1000), {}};
  for (const auto& features : needed) {
    auto& values = probe.values.emplace_back();
    if (stream.below(4) == 0) continue;
    values.emplace();
    for (std::size_t i = 0; i < kNumProbePictures * features.size(); ++i)
      values->push_back(stream.below(5) == 0 ? std::numeric_limits<float>::quiet_NaN()
                                             : float(stream.normal()) * 1e20f);
  }
  return probe;
}

StrongClassifier random_model(std::uint64_t seed) {
  RandomStream stream(seed, "test.model");
  StrongClassifier model;
  const std::size_t num_classes = 1 + stream.below(5);
  for (std::size_t l = 0; l < num_classes; ++l) model.class_names.push_back(fmt::format("class \"{}\" é", l));
  model.shape = {28, 14, 3, 1, ResizeMode(seed % 4)};
  model.families.push_back({"hog(cell=4)", "hog", "1.0.0", {4, 0.1, 1e-300}, 100});
  model.families.push_back({"you/edges", "you/edges", "2.1.0", {}, 7});
  for (std::size_t t = stream.below(20); t > 0; --t)
    model.hypotheses.push_back(random_hypothesis(model, stream));
  if (stream.below(2) == 0) model.costs = random_costs(model, stream);
  if (stream.below(2) == 0) model.pixel_range = {std::uint8_t(stream.below(9)), std::uint8_t(9 + seed % 200)};
  if (stream.below(2) == 0) model.probe = random_probe(needed_features(model), stream);
  if (stream.below(2) == 0) model.trained_on = {40, {0, 7 + stream.below(99), (std::uint64_t(1) << 48) - 1}};
  return model;
}

RC_GTEST_PROP(ModelFile, ReadsBackWhatItWrote, (std::uint64_t seed)) {
  const StrongClassifier model = random_model(seed);
  const std::string text = serialise(model);
  const auto parsed = parse_model(text);
  RC_ASSERT(parsed.ok());
  RC_ASSERT(*parsed == model);
  RC_ASSERT(serialise(*parsed) == text);
}

std::string stored(std::string_view name) {
  return *read_file(std::filesystem::path(testing::source_folder()) / "tests/model/files" / name);
}

ModelHead head_of_stored() {
  return {{"cat", "dog"},
          {28, 14, 3, 1, ResizeMode::kFit},
          {},
          {{"hog(cell=4)", "hog", "1.0.0", {4, 0.1}, 100}, {"you/edges", "you/edges", "2.1.0", {}, 7}}};
}

ModelHead head_of_stored_table() {
  ModelHead head{{"no", "yes"}, {}, {"x", "colour"}, {{"columns", "columns", "", {}, 2}}};
  head.category_names = {{}, {"blue", "dark \"red\""}};
  head.label_name = "label";
  return head;
}

// The codes of a table are not invented where the file does not have them.
TEST(ModelFile, ATableThatDoesNotKnowItsCategoriesStaysOne) {
  const auto read = parse_model(stored("table_version_4.json"));
  ASSERT_TRUE(read.ok());
  EXPECT_FALSE(read->head().category_names);
  EXPECT_EQ(*parse_model(serialise(*read)), *read);
}

TEST(ModelFile, ATableKeepsTheFieldsThatStandForNoValue) {
  const auto read = parse_model(stored("table_version_5.json"));
  ASSERT_TRUE(read.ok());
  EXPECT_TRUE(read->head().missing.empty());
  std::string text = serialise(*read);
  const std::string_view columns = "\"columns\"";
  text.insert(text.find(columns), "\"missing\": [\"9999\", \"-\"], ");
  const auto with_missing = parse_model(text);
  ASSERT_TRUE(with_missing.ok()) << with_missing.error().message;
  EXPECT_THAT(with_missing->head().layout().missing, ::testing::ElementsAre("9999", "-"));
  EXPECT_EQ(*parse_model(serialise(*with_missing)), *with_missing);
}

TEST(ModelFile, CategoriesAreOfColumnsAndDiffer) {
  const std::string good = stored("table_version_5.json");
  const auto replaced = [&](std::string_view from, std::string_view to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return parse_model(text);
  };
  for (const auto& [from, to, expected] :
       {std::tuple(R"("column":"colour")", R"("column":"y")",
                   "/categories/0/column: found 'y', expected one of x, colour"),
        std::tuple(R"(["blue",)", R"(["dark \"red\"",)",
                   "/categories/0/names: found 2 names, expected different ones"),
        std::tuple(R"(["blue",)", R"([7,)", "/categories/0/names"),
        std::tuple(R"("categories": [)", R"("categories": [{"column":"colour","names":["a"]},)",
                   "/categories/1/column: found 'colour' a second time"),
        std::tuple(R"(["x","colour"])", R"(["colour","colour"])", "/columns: found 'colour' twice"),
        std::tuple(R"("label": "label")", R"("label": 3)", "/label")}) {
    const auto bad = replaced(from, to);
    ASSERT_FALSE(bad.ok()) << to;
    EXPECT_NE(bad.error().message.find(expected), std::string::npos) << bad.error().message;
  }
}

// A new version adds a file here, and reads those that are there.
TEST(ModelFile, EveryVersionIsReadFromAStoredFile) {
  constexpr float kAlways = -std::numeric_limits<float>::infinity();
  StrongClassifier sum{head_of_stored(), {}, {}};
  sum.hypotheses = {{0.5, {{0, 5, 1.5f}}, {1, -1}, {}},
                    {0.25, {{0, 5, 1.5f}, {1, 6, kAlways}}, {0.5, 2}, {}}};
  StrongClassifier signs = sum;
  signs.hypotheses[1].votes = {-1, 1};
  const LinearModel linear{head_of_stored(),
                           {{0, 5, {}, 1.5f}, {1, 0, {-1, 0.5f}, 0}},
                           {0.25, -0.25},
                           {2, -2, 0.125, -0.125},
                           3.5};
  StrongClassifier probed = sum;
  probed.probe = {1, {{{1.5f, -0.25f, std::numeric_limits<float>::quiet_NaN()}}, std::nullopt}};
  probed.pixel_range = {3, 250};
  StrongClassifier table{head_of_stored_table(), {}, {}};
  table.hypotheses = {{0.5, {{0, 1, 2.5f}}, {1, -1}, {}}};
  StrongClassifier table_of_version_4 = table;
  table_of_version_4.category_names.reset();
  table_of_version_4.label_name.clear();
  const std::pair<const char*, Model> files[] = {{"sum_version_2.json", signs},
                                                 {"sum_version_3.json", sum},
                                                 {"sum_version_4.json", sum},
                                                 {"linear_version_4.json", linear},
                                                 {"sum_version_5.json", probed},
                                                 {"linear_version_5.json", linear},
                                                 {"table_version_4.json", table_of_version_4},
                                                 {"table_version_5.json", table}};
  for (const auto& [name, expected] : files) {
    const auto parsed = parse_model(stored(name));
    ASSERT_TRUE(parsed.ok()) << name << ": " << parsed.error().message;
    EXPECT_EQ(*parsed, expected) << name;
  }
  EXPECT_EQ(serialise(Model(probed)), stored("sum_version_5.json")) << "equal models give equal bytes";
  EXPECT_EQ(serialise(Model(linear)), stored("linear_version_5.json"));
  EXPECT_EQ(serialise(Model(table)), stored("table_version_5.json"));
}

LinearModel random_linear(std::uint64_t seed) {
  RandomStream stream(seed, "test.linear");
  LinearModel model{random_model(seed), {}, {}, {}, stream.uniform(0, 9)};
  const std::size_t num_classes = model.num_classes();
  for (std::uint32_t k = 0; k < 2; ++k)
    for (std::uint32_t j = 0; j < model.families[k].dim; ++j) {
      if (stream.below(3) > 0) continue;
      LinearInput& input = model.inputs.emplace_back();
      input.family_idx = k;
      input.feature_idx = j;
      if (stream.below(2) == 0)
        input.missing = float(stream.normal()) * 1e-20f;
      else
        for (std::uint64_t i = 0, count = 1 + stream.below(255); i < count; ++i)
          input.thresholds.push_back(float(i) * 0.1f - 3);
      for (std::size_t l = 0; l < num_classes; ++l) model.coefficients.push_back(stream.normal() * 1e-7);
    }
  for (std::size_t l = 0; l < num_classes; ++l) model.intercepts.push_back(stream.normal());
  model.has_softmax = stream.below(2) == 1;
  if (model.probe) model.probe = random_probe(needed_features(model), stream);
  return model;
}

RC_GTEST_PROP(ModelFile, ReadsBackLinearModels, (std::uint64_t seed)) {
  const LinearModel model = random_linear(seed);
  const std::string text = serialise(Model(model));
  const auto parsed = parse_model(text);
  RC_ASSERT(parsed.ok());
  RC_ASSERT(*parsed == Model(model));
  RC_ASSERT(serialise(*parsed) == text);
}

RC_GTEST_PROP(ModelFile, NeverCrashesOnDamage, (std::uint64_t seed)) {
  std::string text = seed % 2 ? serialise(Model(random_linear(seed))) : serialise(Model(random_model(seed)));
  RandomStream stream(seed, "test.damage");
  for (int i = 0; i < 3; ++i) text[stream.below(text.size())] = char(stream.below(256));
  if (stream.below(2)) text.resize(stream.below(text.size()));
  const auto parsed = parse_model(text);
  const bool says_what_is_wrong = parsed.ok() || !parsed.error().message.empty();
  RC_ASSERT(says_what_is_wrong);
}

TEST(ModelFile, WritesSignsAsTextAndOtherVotesAsNumbers) {
  StrongClassifier model;
  model.class_names = {"a", "b"};
  model.column_names = {"x"};
  model.families = {{"columns", "columns", "1.0.0", {}, 1}};
  model.hypotheses = {{1, {{0, 0, 2.5f}}, {1, -1}, {}}, {1, {{0, 0, 2.5f}}, {0, 1, 1, 0}, {{-1, -2}}}};
  const std::string text = serialise(model);
  EXPECT_THAT(text, ::testing::HasSubstr("\"votes\":\"+-\""));
  EXPECT_THAT(text, ::testing::HasSubstr("\"votes\":[[0.0,1.0],[1.0,0.0]]"));
}

struct Damage {
  const char* pointer;   // JSON pointer of what is replaced
  const char* value;     // by this JSON; "" removes it
  const char* expected;  // in the error
};

class DamagedModel : public ::testing::TestWithParam<Damage> {};

// The reader's error for the model with that damage.
std::string error_of(const Model& model, const Damage& damage) {
  nlohmann::json document = nlohmann::json::parse(serialise(model));
  const nlohmann::json::json_pointer pointer(damage.pointer);
  if (*damage.value == 0)
    document[pointer.parent_pointer()].erase(pointer.back());
  else
    document[pointer] = nlohmann::json::parse(damage.value);
  const auto parsed = parse_model(document.dump());
  if (parsed.ok()) return "no error";
  EXPECT_EQ(parsed.error().kind, ErrorKind::kInput);
  return parsed.error().message;
}

TEST_P(DamagedModel, IsRefusedByKey) {
  StrongClassifier model = random_model(3);
  const std::size_t num_classes = model.num_classes();
  model.hypotheses = {
      {0.5, {{0, 5, 1.5f}}, std::vector<double>(num_classes, 1), {}},
      {0.25, {{0, 5, 1.5f}, {1, 6, 0.f}}, std::vector<double>(3 * num_classes, 1), {{-1, 1}, {-2, -3}}}};
  model.costs = ModelCosts{"", {{0.5, {4, 5}, {1, 2}}, {0, {6}, {3}}}};
  model.probe = {1, {{{1, 2, 3}}, {{4, 5, 6}}}};
  model.pixel_range = {3, 250};
  model.trained_on = {3, {5, 6, 9}};
  ASSERT_TRUE(parse_model(serialise(model)).ok());
  EXPECT_THAT(error_of(model, GetParam()), ::testing::HasSubstr(GetParam().expected));
}

class DamagedLinearModel : public ::testing::TestWithParam<Damage> {};

TEST_P(DamagedLinearModel, IsRefusedByKey) {
  const auto model = parse_model(stored("linear_version_4.json"));
  ASSERT_TRUE(model.ok());
  EXPECT_THAT(error_of(*model, GetParam()), ::testing::HasSubstr(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(
    Keys, DamagedLinearModel,
    ::testing::Values(
        Damage{"/intercepts", "", "/intercepts"}, Damage{"/intercepts", "[1]", "expected 2 numbers"},
        Damage{"/intercepts", "[1, null]", "/intercepts"},
        Damage{"/probabilities", "\"shares\"", "/probabilities: found \"shares\", expected \"softmax\""},
        Damage{"/largest_score", "-1", "/largest_score: found -1"},
        Damage{"/largest_score", "1e308", "/largest_score: found 1e+308"},
        Damage{"/intercepts", "[1e308, 0]", "/inputs: found intercepts and coefficients"},
        Damage{"/inputs/0/coefficients/0", "1e290", "expected at most 1e+300"},
        Damage{"/largest_score", "", "/largest_score"}, Damage{"/inputs", "{}", "/inputs"},
        Damage{"/families", "[]", "/families: found none"}, Damage{"/inputs/0", "7", "/inputs/0"},
        Damage{"/inputs/0/family", "2", "/inputs/0/family"},
        Damage{"/inputs/0/feature", "100", "/inputs/0/feature"},
        Damage{"/inputs/0/missing", "", "/inputs/0/missing"},
        Damage{"/inputs/0/missing", "\"mean\"", "/inputs/0/missing"},
        Damage{"/inputs/0/coefficients", "[1]", "/inputs/0/coefficients: found [1], expected 2 numbers"},
        Damage{"/inputs/1/thresholds", "[]", "1 to 255 numbers that increase"},
        Damage{"/inputs/1/thresholds", "[1, 1]", "1 to 255 numbers that increase"},
        Damage{"/inputs/1/thresholds", "[1e300]", "1 to 255 numbers that increase"},
        Damage{"/inputs/1/thresholds", "7", "/inputs/1/thresholds"},
        Damage{"/inputs/1/family", "0", "/inputs/1: found a feature that is not behind the one before"}));

INSTANTIATE_TEST_SUITE_P(
    Keys, DamagedModel,
    ::testing::Values(
        Damage{"/format", "", "/format"}, Damage{"/format", "\"xgboost\"", "expected 'mash-model'"},
        Damage{"/version", "1", "/version: found 1, expected 2 to 5"}, Damage{"/version", "-1", "/version"},
        Damage{"/kind", "\"forest\"", "/kind: unknown kind of model 'forest'"}, Damage{"/kind", "", "/kind"},
        Damage{"/classes", "[]", "/classes"}, Damage{"/classes", "[1]", "/classes"},
        Damage{"/classes/1", R"("class \"0\" é")", "/classes: found 'class \"0\" é' twice"},
        Damage{"/probe", "[]", "/probe"}, Damage{"/probe/seed", "-1", "/probe/seed"},
        Damage{"/probe/families", "[[1, 2, 3]]", "expected 2, one for each family"},
        Damage{"/probe/families/1", "[1, 2]", "/probe/families/1: expected 3 numbers or nulls"},
        Damage{"/probe/families/1/0", "1e99", "/probe/families/1"},
        Damage{"/trained_on", "[]", "/trained_on"},
        Damage{"/trained_on/examples", "-1", "/trained_on/examples"},
        Damage{"/trained_on/examples", "2", "found 3, expected no more than examples (2)"},
        Damage{"/trained_on/digests", "[5, 5]", "/trained_on/digests/1: expected whole numbers"},
        Damage{"/trained_on/digests/0", "281474976710656", "/trained_on/digests/0"},
        Damage{"/trained_on/digests/0", "0.5", "/trained_on/digests/0"},
        Damage{"/image/darkest", "256", "/image/darkest"}, Damage{"/image/brightest", "", "/image/brightest"},
        Damage{"/image/brightest", "2", "not below 'darkest'"}, Damage{"/image", "", "/image"},
        Damage{"/image/width", "\"wide\"", "/image/width"},
        Damage{"/image/resize", "\"zoom\"", "/image/resize: found 'zoom', expected stretch, fit or crop"},
        Damage{"/image/resize", "64", "/image/resize"}, Damage{"/families", "[]", "/families"},
        Damage{"/families/0/dim", "", "/families/0/dim"},
        Damage{"/families/1/values", "[\"a\"]", "/families/1/values"},
        Damage{"/hypotheses/1/cuts/0/family", "2", "/hypotheses/1/cuts/0/family"},
        Damage{"/hypotheses/1/cuts/1/feature", "100000", "/hypotheses/1/cuts/1/feature"},
        Damage{"/hypotheses/0/cuts/0/threshold", "\"high\"", "/hypotheses/0/cuts/0/threshold"},
        Damage{"/hypotheses/0/cuts/0/threshold", "1e300", "/hypotheses/0/cuts/0/threshold"},
        Damage{"/hypotheses/0/cuts", "[]", "/hypotheses/0/cuts"},
        Damage{"/hypotheses/0/alpha", "null", "/hypotheses/0/alpha"},
        Damage{"/hypotheses/0/alpha", "1e308", "/hypotheses: found weights (alpha) and votes"},
        Damage{"/hypotheses/1/alpha", "-1e301", "scores reach 1e+301, expected at most 1e+300"},
        Damage{"/hypotheses/0/votes", "[1e308]", "/hypotheses: found weights (alpha) and votes"},
        Damage{"/hypotheses/0/votes", "\"+-?\"", "/hypotheses/0/votes"},
        Damage{"/hypotheses/0/votes", "", "/hypotheses/0/votes"},
        Damage{"/hypotheses/1/votes", "[\"+\"]", "/hypotheses/1/votes"},
        Damage{"/hypotheses/1/votes/2", "3", "/hypotheses/1/votes"},
        Damage{"/hypotheses/1/votes/2", "[1, null, 1]", "/hypotheses/1/votes"},
        Damage{"/hypotheses/0/votes", "[1, 2, 3, 4, 5, 6, 7]", "/hypotheses/0/votes"},
        Damage{"/hypotheses/0/votes", "[0, \"+\", 0]", "/hypotheses/0/votes"},
        Damage{"/hypotheses/1/cuts/0/above", "\"up\"", "/hypotheses/1/cuts/0/above"},
        Damage{"/hypotheses/1/cuts/0/above", "0", "cuts that make one tree"},
        Damage{"/hypotheses/1/cuts/0/above", "2", "cuts that make one tree"},
        Damage{"/hypotheses/1/cuts/1/above", "-1", "cuts that make one tree"},
        Damage{"/hypotheses/1/cuts/1/above", "-4", "cuts that make one tree"},
        Damage{"/hypotheses/1/cuts/1/above", "1", "cuts that make one tree"},
        Damage{"/hypotheses/1/cuts/1/below", "", "/hypotheses/1/cuts/1/below"},
        Damage{"/hypotheses/0", "7", "/hypotheses/0"}, Damage{"/costs", "[]", "/costs: found [], expected"},
        Damage{"/costs/unit", "3", "/costs/unit"},
        Damage{"/costs/unit", "\"hours\"", "/costs/unit: found \"hours\""},
        Damage{"/families/0/dim", "4294967295", "/families/0/dim"},
        Damage{"/costs/families", "[]", "/costs/families"},
        Damage{"/costs/families/0/setup", "-1", "/costs/families/0/setup: found -1"},
        Damage{"/costs/families/0/features", "[5, 4]", "expected numbers below 100 that increase"},
        Damage{"/costs/families/0/features", "[5, 100]", "expected numbers below 100 that increase"},
        Damage{"/costs/families/0/features", "[3, 4]", "all features that the hypotheses ask for"},
        Damage{"/costs/families/0/features", "[4, -5]", "/costs/families/0/features"},
        Damage{"/costs/families/1/costs", "[1, 2]", "expected 1 numbers that are 0 or more"},
        Damage{"/costs/families/1/costs", "[-3]", "expected 1 numbers that are 0 or more"}));

TEST(LinearInputs, AreValuesOrTheirCodes) {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(),
                  kInfinity = std::numeric_limits<float>::infinity();
  const LinearInput value{0, 0, {}, 2.5f}, code{0, 0, {-1, 0.5f, 3}, 0};
  EXPECT_EQ(value.of(-7), -7);
  EXPECT_EQ(value.of(kNaN), 2.5f);
  EXPECT_EQ(value.of(kInfinity), 2.5f);
  for (const auto& [x, expected] : {std::pair(-2.f, 0.f),
                                    {-1.f, 1.f},
                                    {0.5f, 2.f},
                                    {2.9f, 2.f},
                                    {3.f, 3.f},
                                    {kNaN, 0.f},
                                    {kInfinity, 3.f},
                                    {-kInfinity, 0.f}})
    EXPECT_EQ(code.of(x), expected) << x;
}

// 0.25 + 2 * 1.5 + 0.125 * 1, and the same of the other class with the other sign.
TEST(LinearModels, ScoresAreInterceptsPlusCoefficientsTimesNumbers) {
  const auto model = parse_model(stored("linear_version_4.json"));
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->kind(), "linear");
  EXPECT_FALSE(model->is_sum());
  EXPECT_THROW(model->sum(), std::logic_error);
  EXPECT_EQ(model->score_bound(), 3.5);
  const auto scorer = model->scorer();
  EXPECT_EQ(scorer->features(), (std::vector<std::vector<std::uint32_t>>{{5}, {0}}));
  std::vector<double> scores(2);
  const std::vector<float> values{std::numeric_limits<float>::quiet_NaN(), 0};
  scorer->scores(values, scores);
  EXPECT_EQ(scores, (std::vector<double>{3.375, -3.375}));
}

TEST(NeededFeatures, AreThoseThatCutsAskFor) {
  StrongClassifier model = random_model(1);
  constexpr float kAlways = -std::numeric_limits<float>::infinity();
  model.hypotheses = {
      {1, {{0, 9, 0.f}, {0, 2, 0.f}}, {1}, {}}, {1, {{0, 9, 1.f}}, {1}, {}}, {1, {{1, 3, kAlways}}, {1}, {}}};
  EXPECT_EQ(needed_features(model), (std::vector<std::vector<std::uint32_t>>{{2, 9}, {}}));
}

TEST(CellOf, StumpIsOneWhereItsCutHolds) {
  const Hypothesis stump{1, {Cut()}, {1, -1}, {}};
  EXPECT_EQ(cell_of(stump, [](std::size_t) { return true; }), 1u);
  EXPECT_EQ(cell_of(stump, [](std::size_t) { return false; }), 0u);
  EXPECT_THAT(cell_votes(stump), ::testing::ElementsAre(-1, 1, 1, -1));
}

TEST(CellOf, ProductIsOneWhereAnEvenNumberOfCutsDoesNotHold) {
  const Hypothesis product{1, std::vector<Cut>(3), {1}, {}};
  for (unsigned bits = 0; bits < 8; ++bits) {
    int sign = 1;
    for (unsigned i = 0; i < 3; ++i) sign *= bits >> i & 1 ? 1 : -1;
    EXPECT_EQ(cell_of(product, [&](std::size_t i) { return (bits >> i & 1) != 0; }), sign > 0 ? 1u : 0u);
  }
}

TEST(CellOf, TreeFollowsItsBranches) {
  // Cut 0: below leaf 0, above cut 1; cut 1: below leaf 2, above leaf 1.
  const Hypothesis tree{1, std::vector<Cut>(2), {1, -1, 1}, {{-1, 1}, {-3, -2}}};
  const auto leaf = [&](bool first, bool second) {
    return cell_of(tree, [&](std::size_t i) { return i == 0 ? first : second; });
  };
  EXPECT_EQ(leaf(false, false), 0u);
  EXPECT_EQ(leaf(false, true), 0u);
  EXPECT_EQ(leaf(true, false), 2u);
  EXPECT_EQ(leaf(true, true), 1u);
  EXPECT_THAT(cell_votes(tree), ::testing::ElementsAre(1, -1, 1));
}

TEST(ModelFile, TextThatIsNotJsonSaysWhere) {
  const auto parsed = parse_model("{\"format\": \n oops}");
  ASSERT_FALSE(parsed.ok());
  EXPECT_NE(parsed.error().message.find("line 2"), std::string::npos) << parsed.error().message;
}

TEST(ModelFile, ErrorsAreUtf8WhateverTheFileIs) {
  const std::string umlauts = "{\"format\": [" + [] {
    std::string text = "\"";
    for (int i = 0; i < 50; ++i) text += "ü";
    return text + "\"]}";
  }();
  for (const std::string& text : {umlauts, "x" + umlauts, std::string("{\"format\": \"\xe9\"}"),
                                  std::string("[1,2]\xc3\xbc"), std::string("{\"a\":tr\xc3\xbc}")}) {
    const auto parsed = parse_model(text);
    ASSERT_FALSE(parsed.ok());
    EXPECT_TRUE(is_utf8(parsed.error().message)) << text;
  }
}

TEST(ModelFile, ListsInListsAreRefusedBeforeTheyUseUpTheStack) {
  const std::string deep(1'000'000, '[');
  for (const std::string& text : {deep, "{\"format\":" + deep + std::string(deep.size(), ']') + "}"}) {
    const auto parsed = parse_model(text);
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().kind, ErrorKind::kInput);
  }
}

TEST(PredictedClass, IsTheFirstOfTheLargest) {
  EXPECT_EQ(predicted_class(std::array{0.5, 2.0, 2.0}), 1u);
  EXPECT_EQ(predicted_class(std::array{-1.0}), 0u);
}

TEST(Margin, IsHalfTheLeadOverTheSecondInUnitsOfAllVotes) {
  EXPECT_DOUBLE_EQ(margin(std::array{3.0, 1.0, -4.0}, 0, 4), 0.25);
  EXPECT_DOUBLE_EQ(margin(std::array{3.0, 1.0, -4.0}, 2, 4), -0.875);
  EXPECT_DOUBLE_EQ(margin(std::array{2.0}, 0, 4), 0.5);
  EXPECT_DOUBLE_EQ(margin(std::array{0.0, 0.0}, 1, 0), 0) << "a model without votes";
}

}  // namespace
}  // namespace mash
