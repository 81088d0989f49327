// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/family_contribution.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace mash {
namespace {

constexpr double kSuspiciousAlone = 0.95, kSuspiciousRise = 5;
constexpr double kCopyCka = 0.99, kUseless = 0.05;

std::string shown(const Estimate& points) {
  return points.half_width ? fmt::format("{:.2f} ± {:.2f}", 100 * points.mean, 100 * *points.half_width)
                           : fmt::format("{:.2f}", 100 * points.mean);
}

}  // namespace

FamilyCost cost_of(const FeatureSet& features, std::span<const std::size_t> families) {
  FamilyCost cost;
  const std::vector<FamilyInfo> infos = features.families_with_faults();
  for (const std::size_t k : families) {
    const FamilyInfo& info = infos[k];
    cost.microseconds_per_image += info.microseconds_per_image;
    cost.dim += info.dim;
    cost.num_faults += info.num_faults;
    for (std::uint32_t j = 0; j < info.dim && !info.lazy; ++j)
      cost.num_constant += features.num_cuts(features.first_feature(k) + j) == 0;
  }
  const auto own = std::uint32_t(features.subset(families).num_distinct());
  const auto others = all_but(families, features.num_families());
  const std::uint64_t num_others = others.empty() ? 0 : features.subset(others).num_distinct();
  cost.num_own_copies = cost.dim - cost.num_constant - own;
  cost.num_pool_copies = std::uint32_t(num_others + own - features.num_distinct());
  return cost;
}

std::string_view to_string(DiagnosisKind kind) {
  switch (kind) {
    case DiagnosisKind::kSuspicious: return "suspicious";
    case DiagnosisKind::kRedundant: return "redundant";
    case DiagnosisKind::kUseless: return "useless";
  }
  return "";
}

std::vector<Diagnosis> diagnose(const FamilyContribution& family, double constant_error, double pool_error,
                                std::span<const std::string> names, std::size_t num_test) {
  std::vector<Diagnosis> found;
  const double pool_gain = constant_error - pool_error, alone_gain = constant_error - family.alone_error.mean;
  const double error_without = pool_error + family.added.gain.mean;
  if (!names.empty() && pool_gain > 0 && alone_gain >= kSuspiciousAlone * pool_gain &&
      family.added.is_better() &&
      error_without >= kSuspiciousRise * std::max(pool_error, 1 / double(num_test)))
    found.push_back({DiagnosisKind::kSuspicious,
                     fmt::format("alone it errs on {} %, and without it the pool's {:.2f} % become {:.2f} %: "
                                 "does it see the label?",
                                 shown(family.alone_error), 100 * pool_error, 100 * error_without)});
  const auto& half_width = family.added.gain.half_width;
  const double little = kUseless * std::max(0.0, pool_gain);
  const bool surely_adds_little = half_width && family.added.gain.mean + *half_width < little;
  if (!family.neighbours.empty() && family.neighbours[0].cka >= kCopyCka)
    found.push_back({DiagnosisKind::kRedundant, fmt::format("CKA {:.3f} with {}", family.neighbours[0].cka,
                                                            names[family.neighbours[0].family_idx])});
  if (surely_adds_little && alone_gain < little)
    found.push_back({DiagnosisKind::kUseless,
                     fmt::format("alone it errs on {} %, always answering the most frequent class errs on "
                                 "{:.2f} %, and it adds {} points",
                                 shown(family.alone_error), 100 * constant_error, shown(family.added.gain))});
  return found;
}

}  // namespace mash
