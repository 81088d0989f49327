// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"

namespace mash {

// Changes to pictures that show whether a classifier minds. Signs and directions are drawn for each picture.
enum class PerturbationKind { kShift, kRotation, kScale, kNoise, kBlur, kBrightness };

struct PerturbationInfo {
  PerturbationKind kind;
  std::string_view name;
  std::string_view unit;        // of the amount
  double maximum;               // of the amount, which is at least 0: then the picture stays as it is
  std::array<double, 3> steps;  // amounts to try, from what nobody minds to what people notice
};
// In the order of the kinds.
std::span<const PerturbationInfo> perturbations();

struct Perturbation {
  PerturbationKind kind = PerturbationKind::kShift;
  double amount = 0;
};

// "rotation=10". Errors (kInput): another name, no number, an amount out of range.
Result<Perturbation> parse_perturbation(std::string_view text);

// Changes every picture of the split. What moves in from outside repeats the outermost samples. The same seed
// gives the same pictures. REQUIRES: images.
void perturb(Split& split, const ImageShape& shape, const Perturbation& perturbation, std::uint64_t seed);

}  // namespace mash
