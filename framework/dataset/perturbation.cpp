// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/perturbation.hpp"

#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "framework/base/number.hpp"
#include "framework/base/random.hpp"
#include "framework/base/require.hpp"
#include "framework/base/suggestion.hpp"

namespace mash {
namespace {

constexpr std::array kPerturbations{
    PerturbationInfo{PerturbationKind::kShift, "shift", "pixels, in any direction", 1000, {{1, 2, 4}}},
    PerturbationInfo{PerturbationKind::kRotation, "rotation", "degrees, either way", 180, {{5, 15, 30}}},
    PerturbationInfo{
        PerturbationKind::kScale, "scale", "larger or smaller by this share", 0.9, {{0.1, 0.2, 0.4}}},
    PerturbationInfo{
        PerturbationKind::kNoise, "noise", "grey levels, standard deviation", 255, {{10, 25, 50}}},
    PerturbationInfo{PerturbationKind::kBlur, "blur", "pixels, standard deviation", 100, {{0.5, 1, 2}}},
    PerturbationInfo{
        PerturbationKind::kBrightness, "brightness", "grey levels, lighter or darker", 255, {{20, 50, 100}}},
};

double either_sign(RandomStream& stream) { return stream.below(2) == 0 ? -1 : 1; }

// Turns and stretches about the middle, then shifts.
void move(cv::Mat& image, double degrees, double factor, double dx, double dy) {
  const cv::Point2f middle(float(image.cols - 1) / 2, float(image.rows - 1) / 2);
  cv::Mat matrix = cv::getRotationMatrix2D(middle, degrees, factor);
  matrix.at<double>(0, 2) += dx;
  matrix.at<double>(1, 2) += dy;
  cv::warpAffine(image.clone(), image, matrix, image.size(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
}

// Adds to every sample what `next` gives.
template <class Next>
void add(cv::Mat& image, const Next& next) {
  const std::size_t size = image.total() * image.elemSize();
  for (std::size_t i = 0; i < size; ++i)
    image.data[i] = cv::saturate_cast<std::uint8_t>(double(image.data[i]) + next());
}

void perturb_image(cv::Mat& image, const Perturbation& perturbation, RandomStream& stream) {
  const double amount = perturbation.amount;
  switch (perturbation.kind) {
    case PerturbationKind::kShift: {
      const double angle = stream.uniform(0, 2 * std::numbers::pi);
      return move(image, 0, 1, amount * std::cos(angle), amount * std::sin(angle));
    }
    case PerturbationKind::kRotation: return move(image, amount * either_sign(stream), 1, 0, 0);
    case PerturbationKind::kScale: return move(image, 0, std::pow(1 + amount, either_sign(stream)), 0, 0);
    case PerturbationKind::kNoise: return add(image, [&] { return amount * stream.normal(); });
    case PerturbationKind::kBlur:
      return cv::GaussianBlur(image.clone(), image, {0, 0}, amount, amount, cv::BORDER_REPLICATE);
    case PerturbationKind::kBrightness:
      return add(image, [level = amount * either_sign(stream)] { return level; });
  }
}

}  // namespace

std::span<const PerturbationInfo> perturbations() { return kPerturbations; }

Result<Perturbation> parse_perturbation(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  std::vector<std::string_view> names;
  for (const PerturbationInfo& info : kPerturbations) {
    names.push_back(info.name);
    if (info.name != name) continue;
    const auto amount = number_in<double>(equals == std::string_view::npos ? "" : text.substr(equals + 1));
    if (!amount || !(*amount >= 0 && *amount <= info.maximum))
      return input_error("{}: found '{}', expected {}=AMOUNT with an amount from 0 to {} ({})", name, text,
                         name, info.maximum, info.unit);
    return Perturbation{info.kind, *amount};
  }
  const std::string question = did_you_mean(name, names);
  return input_error("perturbation: found '{}', expected one of {}{}{}", name, fmt::join(names, ", "),
                     question.empty() ? "" : "; ", question);
}

void perturb(Split& split, const ImageShape& shape, const Perturbation& perturbation, std::uint64_t seed) {
  require(shape.num_bytes() > 0, "perturb: a split with images");
  if (perturbation.amount == 0) return;
  for (std::size_t n = 0; n < split.num_examples; ++n) {
    RandomStream stream(seed, "perturbation", n);
    cv::Mat image(int(shape.height), int(shape.width), CV_8UC(int(shape.num_channels)),
                  &split.pixels[n * shape.num_bytes()]);
    perturb_image(image, perturbation, stream);
  }
}

}  // namespace mash
