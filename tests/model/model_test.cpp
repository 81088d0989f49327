// SPDX-License-Identifier: Apache-2.0
#include <rapidcheck/gtest.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "classifiers/model/strong_classifier.hpp"
#include "framework/base/random.hpp"

namespace mash {
namespace {

StrongClassifier random_model(std::uint64_t seed) {
  RandomStream stream(seed, "test.model");
  StrongClassifier model;
  const std::size_t num_classes = 1 + stream.below(5);
  for (std::size_t l = 0; l < num_classes; ++l) model.class_names.push_back(fmt::format("class \"{}\" é", l));
  model.shape = {28, 14, 3};
  model.families.push_back({"hog(cell=4)", "hog", "1.0.0", {4, 0.1, 1e-300}, 100});
  model.families.push_back({"you/edges", "you/edges", "2.1.0", {}, 7});
  for (std::size_t t = stream.below(20); t > 0; --t) {
    Stump stump;
    stump.family_idx = std::uint32_t(stream.below(2));
    stump.feature_idx = std::uint32_t(stream.below(model.families[stump.family_idx].dim));
    stump.threshold =
        stream.below(5) == 0 ? -std::numeric_limits<float>::infinity() : float(stream.normal()) * 1e-20f;
    stump.alpha = stream.uniform() * 1e-5;
    for (std::size_t l = 0; l < num_classes; ++l) stump.votes.push_back(stream.below(2) ? 1 : -1);
    model.stumps.push_back(std::move(stump));
  }
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

RC_GTEST_PROP(ModelFile, NeverCrashesOnDamage, (std::uint64_t seed)) {
  std::string text = serialise(random_model(seed));
  RandomStream stream(seed, "test.damage");
  for (int i = 0; i < 3; ++i) text[stream.below(text.size())] = char(stream.below(256));
  if (stream.below(2)) text.resize(stream.below(text.size()));
  const auto parsed = parse_model(text);
  RC_ASSERT(parsed.ok() || !parsed.error().message.empty());
}

struct Damage {
  const char* pointer;   // JSON pointer of what is replaced
  const char* value;     // by this JSON; "" removes it
  const char* expected;  // in the error
};

class DamagedModel : public ::testing::TestWithParam<Damage> {};

TEST_P(DamagedModel, IsRefusedByKey) {
  StrongClassifier model = random_model(3);
  model.stumps.resize(2, {0, 5, 1.5f, 0.25, std::vector<std::int8_t>(model.num_classes(), 1)});
  nlohmann::json document = nlohmann::json::parse(serialise(model));
  const nlohmann::json::json_pointer pointer(GetParam().pointer);
  if (*GetParam().value == 0)
    document[pointer.parent_pointer()].erase(pointer.back());
  else
    document[pointer] = nlohmann::json::parse(GetParam().value);
  const auto parsed = parse_model(document.dump());
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().kind, ErrorKind::kInput);
  EXPECT_NE(parsed.error().message.find(GetParam().expected), std::string::npos) << parsed.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Keys, DamagedModel,
    ::testing::Values(
        Damage{"/format", "", "/format"}, Damage{"/format", "\"xgboost\"", "expected 'mash-model'"},
        Damage{"/version", "2", "/version: found 2, expected 1"}, Damage{"/version", "-1", "/version"},
        Damage{"/classes", "[]", "/classes"}, Damage{"/classes", "[1]", "/classes"},
        Damage{"/image", "", "/image"}, Damage{"/image/width", "\"wide\"", "/image/width"},
        Damage{"/families", "[]", "/families"}, Damage{"/families/0/dim", "", "/families/0/dim"},
        Damage{"/families/1/values", "[\"a\"]", "/families/1/values"},
        Damage{"/stumps/1/family", "2", "/stumps/1/family"},
        Damage{"/stumps/1/feature", "100000", "/stumps/1/feature"},
        Damage{"/stumps/0/threshold", "\"high\"", "/stumps/0/threshold"},
        Damage{"/stumps/0/threshold", "1e300", "/stumps/0/threshold"},
        Damage{"/stumps/0/alpha", "null", "/stumps/0/alpha"},
        Damage{"/stumps/0/votes", "\"+-?\"", "/stumps/0/votes"}, Damage{"/stumps/0", "7", "/stumps/0"}));

TEST(ModelFile, TextThatIsNotJsonSaysWhere) {
  const auto parsed = parse_model("{\"format\": \n oops}");
  ASSERT_FALSE(parsed.ok());
  EXPECT_NE(parsed.error().message.find("line 2"), std::string::npos) << parsed.error().message;
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
