// SPDX-License-Identifier: Apache-2.0
#include "framework/families/feature_set.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "framework/base/hash.hpp"
#include "framework/base/part_of_progress.hpp"
#include "framework/base/require.hpp"
#include "framework/families/computed_again.hpp"
#include "framework/families/extraction_plan.hpp"
#include "framework/families/lazy_family.hpp"
#include "framework/families/rows_family.hpp"
#include "framework/families/stored_family.hpp"

namespace mash {
namespace {

// ", 20 s of it the set-up of slow at its first picture": of what takes longest to set up; empty where none
// takes long.
std::string set_up_in_words(const ExtractionPlan& plan, std::span<const FamilySpec> specs) {
  constexpr double kLongSetUp = 2;  // seconds
  std::size_t longest = 0;
  for (std::size_t i = 1; i < specs.size(); ++i)
    if (plan.setup_seconds(i) > plan.setup_seconds(longest)) longest = i;
  if (plan.setup_seconds(longest) < kLongSetUp) return "";
  return fmt::format(", {} of it the set-up of {} at its first picture",
                     rough_duration(plan.setup_seconds(longest)), specs[longest].name);
}

// One bar over all that is to be extracted; and what to expect, where that takes long.
void announce(const ExtractionPlan& plan, std::span<const FamilySpec> specs, const WorkContext& work) {
  constexpr double kWorthTelling = 5;  // seconds
  if (plan.num_missing() == 0) return;
  if (plan.seconds().value_or(0) >= kWorthTelling)
    work.remarks.tell(fmt::format(
        "extracting the features of {} of {} families, once: about {}{}; later trainings on these data start "
        "at once",
        plan.num_missing(), specs.size(), rough_duration(*plan.seconds()), set_up_in_words(plan, specs)));
  work.progress.start("extracting", plan.total_steps(), std::string(kShares));
}

// The error with the family's name before it, unless the heuristic's own is there and says as much.
Error named_after(const FamilySpec& spec, const Error& error) {
  const std::string& id = spec.heuristic.id;
  if (spec.name == id && error.message.starts_with(fmt::format("heuristic '{}': ", id))) return error;
  const std::string name = fmt::format("heuristic {}", spec.name);
  return error.message.starts_with(name + ": ") ? error : error.at(name);
}

}  // namespace

Status check_strict(const FamilyInfo& info) {
  if (info.num_faults == 0) return Done{};
  return input_error("heuristic {}: {} values are not finite (the first: {}); refused under --strict",
                     info.spec.name, info.num_faults,
                     info.first_faults.empty() ? "unknown" : info.first_faults[0].message);
}

Status check_strict(const FeatureSet& features) {
  for (const FamilyInfo& family : features.families_with_faults()) MASH_TRY(check_strict(family));
  return Done{};
}

bool must_be_there(const FamilySpec& spec, const Error& error, bool is_strict) {
  return spec.named && (is_strict || is_refusal(error));
}

Result<FeatureSet> FeatureSet::open(std::span<const FamilySpec> specs, const StoreSettings& settings,
                                    const ExtractionContext& context) {
  FeatureSet set;
  set.num_train_ = context.dataset.train.num_examples;
  set.num_test_ = context.dataset.test.num_examples;
  std::uint64_t left = settings.limit;
  std::optional<PictureKeys> keys;
  if (keeps_by_content(settings, context.dataset)) keys.emplace(context.dataset, context.work.workers);
  const ExtractionPlan plan(specs, settings,
                            {context.host, context.dataset, context.work, keys ? &*keys : nullptr});
  announce(plan, specs, context.work);
  const WorkContext& work = context.work;
  // Room for the largest family; memory is taken as it is written to.
  auto room = MappedFile::in_memory(2 * kMostBytesWithoutFile);
  MappedFile spare = room.ok() ? *std::move(room) : MappedFile();
  std::size_t num_extracted = 0;
  set.incidents_ = context.host.take_incidents();  // of plugins that could not even be loaded
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const FamilySpec& spec = specs[i];
    if (plan.steps(i) > 0)
      work.progress.note(fmt::format("{} ({} of {})", spec.name, ++num_extracted, plan.num_missing()));
    PartOfProgress part(work.progress, plan.steps(i));
    const ExtractionContext here{context.host,
                                 context.dataset,
                                 {work.workers, part, work.remarks, work.stop},
                                 keys ? &*keys : nullptr,
                                 &spare};
    const auto dim = family_dim(spec, here);
    const Status added = dim.ok() ? set.add(spec, *dim, settings, here, left) : Status(dim.error());
    part.finish();
    const std::vector<Incident> incidents = context.host.take_incidents();
    set.incidents_.insert(set.incidents_.end(), incidents.begin(), incidents.end());
    if (added.ok()) continue;
    const Error error = named_after(spec, added.error());
    if (must_be_there(spec, error, settings.strict) || error.kind != ErrorKind::kInput) return error;
    set.left_out_.push_back({spec.heuristic.id, error.message + "; left out"});
  }
  if (plan.num_missing() > 0) work.progress.finish();
  context.host.rest();
  if (set.families_.empty()) {
    std::string reasons;
    for (const LeftOut& left_out : set.left_out_)
      reasons += (reasons.empty() ? ": " : "; ") + left_out.reason;
    return input_error("no heuristic is left{}", reasons);
  }
  return set;
}

Status FeatureSet::add(const FamilySpec& spec, std::uint32_t dim, const StoreSettings& settings,
                       const ExtractionContext& context, std::uint64_t& left) {
  FamilyInfo info;
  info.spec = spec;
  info.dim = dim;
  if (info.dim > std::numeric_limits<std::uint32_t>::max() - num_features())
    return input_error("more than 2^32 features");
  const std::uint64_t size = store_bytes(info.dim, settings, context.dataset);
  info.lazy = is_on_demand(spec, size, left, context.dataset);
  if (info.lazy) {
    info.microseconds_per_image = measure_cost(spec, info.dim, context).microseconds;
    if (!context.host.is_shipped(spec.heuristic)) MASH_TRY(compare_computed_twice(spec, info.dim, context));
    auto family = std::make_shared<const LazyFamily>(info, context);
    append(std::move(info), std::move(family));
    return Done{};
  }
  MASH_ASSIGN(auto family, StoredFamily::obtain(info, settings, context));
  left -= std::min(left, size);
  extract_seconds_ += family->seconds();
  append(std::move(info), std::move(family));
  return Done{};
}

void FeatureSet::append(FamilyInfo info, std::shared_ptr<const FamilyData> data) {
  info.num_distinct = data->count_distinct(seen_);
  first_feature_.push_back(first_feature_.back() + info.dim);
  family_keys_.push_back(keyed_hash(0, info.spec.name));
  families_.push_back(std::move(info));
  data_.push_back(std::move(data));
}

FeatureSet FeatureSet::of(FamilyInfo info, std::shared_ptr<const FamilyData> data, std::size_t num_train,
                          std::size_t num_test) {
  FeatureSet set;
  set.num_train_ = num_train;
  set.num_test_ = num_test;
  set.append(std::move(info), std::move(data));
  return set;
}

FeatureSet FeatureSet::subset(std::span<const std::size_t> family_idxs) const {
  FeatureSet set;
  set.num_train_ = num_train_;
  set.num_test_ = num_test_;
  for (const std::size_t k : family_idxs) set.append(families_[k], data_[k]);
  return set;
}

FeatureSet FeatureSet::of_rows(std::vector<std::uint32_t> rows, std::vector<std::uint8_t> codes) const {
  require(codes.empty() || codes.size() == num_features() * rows.size(),
          "of_rows: a column for each feature");
  FeatureSet set;  // without what is known for counting distinct features, which is as large as the families
  set.families_ = families_;
  set.first_feature_ = first_feature_;
  set.family_keys_ = family_keys_;
  set.num_train_ = rows.size();
  set.num_test_ = num_test_;
  const auto shared_rows = std::make_shared<const std::vector<std::uint32_t>>(std::move(rows));
  const auto shared_codes =
      codes.empty() ? nullptr : std::make_shared<const std::vector<std::uint8_t>>(std::move(codes));
  for (std::size_t k = 0; k < data_.size(); ++k)
    set.data_.push_back(std::make_shared<const RowsFamily>(data_[k], shared_rows, shared_codes,
                                                           first_feature_[k] * set.num_train_));
  return set;
}

FeatureSet FeatureSet::with(FamilyInfo info, std::shared_ptr<const FamilyData> data) const {
  FeatureSet set = *this;
  set.append(std::move(info), std::move(data));
  return set;
}

bool FeatureSet::any_lazy() const {
  return std::any_of(families_.begin(), families_.end(), [](const FamilyInfo& info) { return info.lazy; });
}

std::vector<FamilyInfo> FeatureSet::families_with_faults() const {
  std::vector<FamilyInfo> families = families_;
  for (std::size_t k = 0; k < families.size(); ++k) data_[k]->add_faults(families[k]);
  return families;
}

std::uint32_t FeatureSet::family_of(std::uint32_t feature) const {
  return std::uint32_t(std::upper_bound(first_feature_.begin(), first_feature_.end(), feature) -
                       first_feature_.begin() - 1);
}

ColumnBlock FeatureSet::columns(Side side, std::uint32_t first, std::uint32_t count) const {
  const std::uint32_t k = family_of(first);
  return data_[k]->columns(side, first - first_feature_[k], count);
}

void FeatureSet::compute_together(Side side, std::span<const std::uint32_t> features) const {
  std::vector<std::vector<std::uint32_t>> by_family(families_.size());
  for (const std::uint32_t feature : features.first(std::min(features.size(), kComputedTogether))) {
    const std::uint32_t k = family_of(feature);
    by_family[k].push_back(feature - first_feature_[k]);
  }
  for (std::size_t k = 0; k < by_family.size(); ++k)
    if (!by_family[k].empty()) data_[k]->compute_together(side, by_family[k]);
}

std::uint32_t FeatureSet::num_cuts(std::uint32_t feature) const {
  const std::uint32_t k = family_of(feature);
  return data_[k]->num_cuts(feature - first_feature_[k]);
}

float FeatureSet::threshold(std::uint32_t feature, std::uint32_t cut) const {
  const std::uint32_t k = family_of(feature);
  return data_[k]->threshold(feature - first_feature_[k], cut);
}

std::uint32_t FeatureSet::skip_code(std::uint32_t feature, double share) const {
  const std::uint32_t k = family_of(feature);
  const auto [code, mode_share] = data_[k]->mode(feature - first_feature_[k]);
  return mode_share > share ? code : kNoSkip;
}

template <class Ask>
void FeatureSet::for_each_family(std::span<const std::uint32_t> features, const Ask& ask) const {
  std::vector<std::uint32_t> indices;
  for (std::size_t begin = 0; begin < features.size();) {
    const std::uint32_t k = family_of(features[begin]);
    indices.clear();
    std::size_t end = begin;
    for (; end < features.size() && features[end] < first_feature_[k + 1]; ++end)
      indices.push_back(features[end] - first_feature_[k]);
    ask(*data_[k], indices, begin);
    begin = end;
  }
}

void FeatureSet::gather(std::span<const std::uint32_t> features, std::span<const std::uint32_t> rows,
                        std::uint8_t* out, std::size_t stride) const {
  for_each_family(features,
                  [&](const FamilyData& family, std::span<const std::uint32_t> indices, std::size_t first) {
                    family.gather(indices, rows, out + first * stride, stride);
                  });
}

void FeatureSet::values(Side side, std::span<const std::uint32_t> features,
                        std::span<const std::uint32_t> rows, float* out, std::size_t stride) const {
  for_each_family(features,
                  [&](const FamilyData& family, std::span<const std::uint32_t> indices, std::size_t first) {
                    family.values(side, indices, rows, out + first * stride, stride);
                  });
}

void FeatureSet::values(Side side, std::uint32_t feature, std::span<float> out) const {
  std::vector<std::uint32_t> rows(out.size());
  std::iota(rows.begin(), rows.end(), 0u);
  values(side, {&feature, 1}, rows, out.data(), out.size());
}

std::uint64_t FeatureSet::num_distinct() const {
  return std::accumulate(families_.begin(), families_.end(), std::uint64_t(0),
                         [](std::uint64_t sum, const FamilyInfo& info) { return sum + info.num_distinct; });
}

}  // namespace mash
