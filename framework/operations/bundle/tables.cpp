// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/bundle/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace mash {
namespace {

using NeededFeatures = std::vector<std::vector<std::uint32_t>>;

constexpr std::size_t kNumbersInALine = 8;

// Every bit of a number, as C++ reads it.
std::string exact(double x) { return std::isnan(x) ? "NAN" : fmt::format("{:a}", x); }
std::string exact(float x) { return std::isnan(x) ? "NAN" : fmt::format("{:a}f", x); }
std::string exact(std::uint32_t x) { return fmt::format("{}", x); }
std::string exact(std::uint16_t x) { return fmt::format("{}", x); }

// "const double kName[] = {...};"; C++ has no arrays of nothing.
std::string array(std::string_view type, std::string_view name, std::span<const std::string> entries) {
  std::string text = fmt::format("const {} {}[] = {{", type, name);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    text += i % kNumbersInALine == 0 ? "\n    " : " ";
    text += entries[i];
    text += ',';
  }
  return text + (entries.empty() ? "{}};\n" : "\n};\n");
}

template <class T>
std::string array_of(std::string_view type, std::string_view name, const std::vector<T>& numbers) {
  std::vector<std::string> entries;
  for (const T number : numbers) entries.push_back(exact(number));
  return array(type, name, entries);
}

std::string constant(std::string_view name, std::size_t value) {
  return fmt::format("constexpr std::size_t {} = {};\n", name, value);
}

// Where the values of each family's features begin, when those of all stand side by side; and their number.
std::vector<std::size_t> first_values(const NeededFeatures& needed) {
  std::vector<std::size_t> first{0};
  for (const auto& features : needed) first.push_back(first.back() + features.size());
  return first;
}

std::size_t place_of(std::uint32_t family, std::uint32_t feature, const NeededFeatures& needed) {
  const auto& features = needed[family];
  const auto found = std::lower_bound(features.begin(), features.end(), feature);
  return first_values(needed)[family] + std::size_t(found - features.begin());
}

std::string_view scaling_of(ResizeMode mode) {
  if (mode == ResizeMode::kFit) return "mash::fitted";
  return mode == ResizeMode::kCrop ? "mash::cropped" : "mash::stretched";
}

constexpr std::string_view kFamilyStruct = R"(struct FamilyTable {
  const char* name;
  const mash_heuristic_t* (*heuristic)();
  const double* values;  // of its parameters
  std::uint32_t num_values;
  const std::uint32_t* features;  // that the model uses
  std::uint32_t num_features;
  std::size_t first_value;  // where theirs begin among the values of all families
  std::uint32_t dim;        // features of the family in all
};
)";

constexpr std::string_view kSumStructs = R"(constexpr std::uint32_t kAlways = 0xffffffff;
struct CutTable {
  std::uint32_t value;  // kAlways: it holds for all pictures
  float threshold;
};
struct BranchTable {
  std::int32_t below, above;  // another cut of the tree or, below 0, leaf -1 - x
};
struct HypothesisTable {
  std::uint32_t first_cut, num_cuts, first_branch, first_gain;
  bool is_tree;
};
)";

constexpr std::string_view kInputStruct = R"(struct InputTable {
  std::uint32_t first_threshold, num_thresholds;  // without thresholds it is the value itself
  float missing;                                  // taken in place of a value that is none
};
)";

constexpr std::string_view kStepStruct = R"(struct StepTable {
  std::uint32_t input;
  float threshold;
  std::uint32_t below, above;  // where its answers lead to; 0: it is a leaf
};
)";

// Rows of a sum's tables.
struct SumRows {
  std::vector<std::string> hypotheses, cuts, branches;
  std::vector<double> gains;
};

void add_rows(const Hypothesis& hypothesis, const NeededFeatures& needed, SumRows& rows) {
  rows.hypotheses.push_back(fmt::format("{{{}, {}, {}, {}, {}}}", rows.cuts.size(), hypothesis.cuts.size(),
                                        rows.branches.size(), rows.gains.size(), hypothesis.is_tree()));
  for (const Cut& cut : hypothesis.cuts)
    rows.cuts.push_back(cut.always_holds()
                            ? std::string("{kAlways, 0.f}")
                            : fmt::format("{{{}, {}}}", place_of(cut.family_idx, cut.feature_idx, needed),
                                          exact(cut.threshold)));
  for (const Branches& branches : hypothesis.branches)
    rows.branches.push_back(fmt::format("{{{}, {}}}", branches.below, branches.above));
  for (const double vote : hypothesis.votes) rows.gains.push_back(hypothesis.alpha * vote);
}

std::string text_of(const StrongClassifier& model) {
  const NeededFeatures needed = needed_features(model);
  SumRows rows;
  for (const Hypothesis& hypothesis : model.hypotheses) add_rows(hypothesis, needed, rows);
  return std::string(kSumStructs) + constant("kNumHypotheses", model.hypotheses.size()) +
         constant("kNumCuts", rows.cuts.size()) + array("CutTable", "kCuts", rows.cuts) +
         array("BranchTable", "kBranches", rows.branches) + array_of("double", "kGains", rows.gains) +
         array("HypothesisTable", "kHypotheses", rows.hypotheses);
}

std::string text_of_inputs(const InputModel& model) {
  std::vector<std::string> inputs;
  std::vector<float> thresholds;
  for (const ModelInput& input : model.inputs) {
    inputs.push_back(
        fmt::format("{{{}, {}, {}}}", thresholds.size(), input.thresholds.size(), exact(input.missing)));
    thresholds.insert(thresholds.end(), input.thresholds.begin(), input.thresholds.end());
  }
  return std::string(kInputStruct) + array_of("float", "kThresholds", thresholds) +
         array("InputTable", "kInputs", inputs);
}

std::string text_of(const LinearModel& model) {
  return text_of_inputs(model) + array_of("double", "kIntercepts", model.intercepts) +
         array_of("double", "kCoefficients", model.coefficients);
}

std::string text_of(const GaussianModel& model) {
  const GaussianTerms terms = terms_of(model);
  std::vector<std::string> was_seen;
  for (const double prior : model.priors) was_seen.push_back(prior > 0 ? "true" : "false");
  return text_of_inputs(model) +
         fmt::format("constexpr double kNeverSeen = {};\n", exact(GaussianModel::kNeverSeen)) +
         array("bool", "kWasSeen", was_seen) + array_of("double", "kConstants", terms.constants) +
         array_of("double", "kMeans", model.means) + array_of("double", "kFactors", terms.factors);
}

std::string text_of(const TreeModel& model) {
  std::vector<std::string> steps;
  for (const TreeStep& step : model.steps)
    steps.push_back(
        fmt::format("{{{}, {}, {}, {}}}", step.input, exact(step.threshold), step.below, step.above));
  return text_of_inputs(model) + std::string(kStepStruct) + array("StepTable", "kSteps", steps) +
         array_of("double", "kShares", model.shares);
}

// No bundle has it: see check_kind.
std::string text_of(const InputModel&) { return {}; }

}  // namespace

std::string as_literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    // Octal numbers end after three digits. "??=" is another character in old C++.
    if (byte < 0x20 || byte == 0x7f || c == '"' || c == '\\' || c == '?')
      result += fmt::format("\\{:03o}", byte);
    else
      result += c;
  }
  return result + "\"";
}

std::string common_tables(const Model& model, std::span<const std::string> heuristics) {
  const NeededFeatures needed = model.needed_features();
  const auto first = first_values(needed);
  std::vector<std::string> classes, families;
  for (const std::string& name : model.class_names()) classes.push_back(as_literal(name));
  std::string text = array("char* const", "kClassNames", classes);
  text += fmt::format("constexpr std::uint32_t kNumCameras = {};\nconstexpr auto* kScaled = {};\n",
                      model.shape().num_cameras, scaling_of(model.shape().resize));
  text += constant("kNumValues", first.back());
  text += kFamilyStruct;
  for (std::size_t k = 0; k < needed.size(); ++k) {
    if (needed[k].empty()) continue;
    const ModelFamily& family = model.families()[k];
    text += array_of("double", fmt::format("kParameters{}", k), family.values);
    text += array_of("std::uint32_t", fmt::format("kFeatures{}", k), needed[k]);
    families.push_back(
        fmt::format("{{{}, []() -> const mash_heuristic_t* {{ return {}; }}, kParameters{}, {}, "
                    "kFeatures{}, {}, {}, {}}}",
                    as_literal(family.name), heuristics[k], k, family.values.size(), k, needed[k].size(),
                    first[k], family.dim));
  }
  return text + constant("kNumFamilies", families.size()) + array("FamilyTable", "kFamilies", families);
}

std::string tables_of_kind(const Model& model) {
  return model.visit([](const auto& of_kind) { return text_of(of_kind); });
}

std::string plan_tables(const StrongClassifier& planned, const BudgetPlan& plan, double rounding) {
  std::vector<std::string> values, stretches;
  std::size_t family_place = 0;  // among those with features
  for (const auto& features : needed_features(planned)) {
    for (const std::uint32_t feature : features)
      values.push_back(fmt::format("{{{}, {}}}", family_place, feature));
    family_place += features.empty() ? 0 : 1;
  }
  for (const BudgetPlan::Stretch& stretch : plan.stretches)
    stretches.push_back(fmt::format("{{{}, {}}}", stretch.end, stretch.can_decide));
  return "struct ValueTable {\n  std::uint32_t family, feature;\n};\n" +
         array("ValueTable", "kValues", values) +
         "struct StretchTable {\n  std::uint32_t end;  // of its hypotheses\n  bool can_decide;\n};\n" +
         constant("kNumStretches", stretches.size()) + array("StretchTable", "kStretches", stretches) +
         fmt::format("constexpr double kRounding = {};\n", exact(rounding));
}

std::string expected_tables(const ExpectedAnswers& expected) {
  return array_of("float", "kExpectedValues", expected.values) +
         fmt::format("constexpr bool kHasScores = {};\n", !expected.scores.empty()) +
         array_of("double", "kExpectedScores", expected.scores) +
         array_of("int", "kExpectedClasses", expected.classes);
}

}  // namespace mash
