// SPDX-License-Identifier: Apache-2.0
#include "classifiers/serving/cut_answers.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "framework/base/instruction_set.hpp"
#include "framework/base/require.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "classifiers/serving/cut_answers.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mash::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void flip_where_cut_holds(const std::uint8_t* HWY_RESTRICT codes, std::size_t num_examples,
                          std::uint8_t first_code, std::uint8_t bits, std::uint8_t* HWY_RESTRICT flags) {
  const hn::ScalableTag<std::uint8_t> d;
  const auto wanted = hn::Set(d, bits), from = hn::Set(d, first_code);
  std::size_t n = 0;
  for (; n + hn::Lanes(d) <= num_examples; n += hn::Lanes(d)) {
    const auto code = hn::LoadU(d, codes + n);
    const auto flips = hn::IfThenElseZero(hn::Eq(hn::Max(code, from), code), wanted);
    hn::StoreU(hn::Xor(hn::LoadU(d, flags + n), flips), d, flags + n);
  }
  for (; n < num_examples; ++n) flags[n] ^= code_holds(codes[n], first_code) ? bits : std::uint8_t(0);
}

}  // namespace mash::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mash {
namespace {

HWY_EXPORT(flip_where_cut_holds);

}  // namespace

void flip_where_cut_holds(std::span<const std::uint8_t> codes, std::uint8_t first_code, std::uint8_t bits,
                          std::span<std::uint8_t> flags) {
  require(codes.size() == flags.size(), "flip_where_cut_holds: as many flags as codes");
  if (uses_plain_loops()) {
    for (std::size_t n = 0; n < codes.size(); ++n)
      flags[n] ^= code_holds(codes[n], first_code) ? bits : std::uint8_t(0);
    return;
  }
  HWY_DYNAMIC_DISPATCH(flip_where_cut_holds)
  (codes.data(), codes.size(), first_code, bits, flags.data());
}

std::vector<std::uint8_t> answers_of_values(const Cut& cut, std::span<const float> values) {
  std::vector<std::uint8_t> answers(values.size());
  std::transform(values.begin(), values.end(), answers.begin(),
                 [&](float value) { return std::uint8_t(cut.holds(value)); });
  return answers;
}

std::vector<std::uint8_t> answers_of_codes(std::span<const std::uint8_t> codes, std::uint8_t first_code) {
  std::vector<std::uint8_t> answers(codes.size());
  flip_where_cut_holds(codes, first_code, 1, answers);
  return answers;
}

std::uint32_t feature_of(const Cut& cut, const FeatureSet& features) {
  return features.first_feature(cut.family_idx) + cut.feature_idx;
}

std::optional<std::uint8_t> first_code_of(const Cut& cut, const FeatureSet& features) {
  if (cut.always_holds()) return std::uint8_t(0);
  const std::uint32_t feature = feature_of(cut, features);
  for (std::uint32_t code = 1; code <= features.num_cuts(feature); ++code)
    if (features.threshold(feature, code) == cut.threshold) return std::uint8_t(code);
  return std::nullopt;
}

CutColumn::CutColumn(const Cut& cut, const FeatureSet& features, Side side)
    : num_examples_(side == Side::kTrain ? features.num_train() : features.num_test()) {
  if (cut.always_holds()) return;
  const std::uint32_t feature = feature_of(cut, features);
  if (const auto first_code = first_code_of(cut, features)) {
    codes_ = features.column(side, feature);
    first_code_ = *first_code;
    return;
  }
  std::vector<float> values(num_examples_);
  features.values(side, feature, values);
  const auto answers = std::make_shared<const std::vector<std::uint8_t>>(answers_of_values(cut, values));
  codes_ = {*answers, answers};
  first_code_ = 1;
}

std::vector<std::uint8_t> CutColumn::all() const {
  if (codes_.codes.empty()) return std::vector<std::uint8_t>(num_examples_, 1);
  return answers_of_codes(codes_.codes, first_code_);
}

Result<CutAnswers> CutAnswers::make(const StrongClassifier& model, const FeatureSet& features, Side side) {
  for (std::size_t k = 0; k < model.families.size(); ++k)
    MASH_TRY(check_dim(model.families[k], features.family_size(k)));
  CutAnswers answers;
  for (const Hypothesis& hypothesis : model.hypotheses) {
    std::vector<CutColumn>& columns = answers.columns_.emplace_back();
    for (const Cut& cut : hypothesis.cuts) columns.emplace_back(cut, features, side);
  }
  return answers;
}

std::vector<std::uint8_t> cells_of(const Hypothesis& hypothesis, const FeatureSet& features, Side side) {
  std::vector<CutColumn> columns;
  for (const Cut& cut : hypothesis.cuts) columns.emplace_back(cut, features, side);
  if (columns.size() == 1 && !hypothesis.is_tree()) return columns[0].all();  // a stump's answer is its cell
  std::vector<std::uint8_t> cells(side == Side::kTrain ? features.num_train() : features.num_test());
  for (std::size_t n = 0; n < cells.size(); ++n)
    cells[n] = std::uint8_t(cell_of(hypothesis, [&](std::size_t i) { return columns[i].holds(n); }));
  return cells;
}

void for_each_cells(
    std::span<const Hypothesis> hypotheses, const FeatureSet& features, Side side,
    const std::function<void(const Hypothesis& hypothesis, std::vector<std::uint8_t> cells)>& done) {
  while (!hypotheses.empty()) {
    std::set<std::uint32_t> asked;
    std::size_t together = 0;
    do {
      for (const Cut& cut : hypotheses[together].cuts)
        if (!cut.always_holds()) asked.insert(feature_of(cut, features));
      ++together;
    } while (together < hypotheses.size() &&
             asked.size() + hypotheses[together].cuts.size() <= FeatureSet::kComputedTogether);
    if (asked.size() <= FeatureSet::kComputedTogether)  // else a large tree: the first would be dropped again
      features.compute_together(side, std::vector(asked.begin(), asked.end()));
    for (const Hypothesis& hypothesis : hypotheses.first(together))
      done(hypothesis, cells_of(hypothesis, features, side));
    hypotheses = hypotheses.subspan(together);
  }
}

}  // namespace mash
#endif
