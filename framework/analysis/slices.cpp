// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/slices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <opencv2/imgproc.hpp>
#include <string_view>

#include "framework/base/paired_test.hpp"
#include "framework/base/require.hpp"
#include "framework/families/image_planes.hpp"

namespace mash {
namespace {

struct Trait {
  std::string_view name;
  double PictureTraits::*value;
};
constexpr std::array kTraits{
    Trait{"brightness", &PictureTraits::brightness}, Trait{"contrast", &PictureTraits::contrast},
    Trait{"sharpness", &PictureTraits::sharpness}, Trait{"edge density", &PictureTraits::edge_density}};
constexpr std::array<std::string_view, 5> kFifths{"lowest fifth", "second fifth", "third fifth",
                                                  "fourth fifth", "highest fifth"};

// The deviation of the values less their mean: cv::meanStdDev subtracts squares from squares, which leaves
// 1e-8 of a constant.
double deviation_of(const cv::Mat& values) {
  return cv::norm(values - cv::mean(values)[0]) / std::sqrt(double(values.total()));
}

// grey: doubles in [0, 1].
PictureTraits traits_of(const cv::Mat& grey) {
  cv::Mat laplacian, along_x, along_y, lengths;
  cv::Laplacian(grey, laplacian, CV_64F);
  cv::Sobel(grey, along_x, CV_64F, 1, 0);
  cv::Sobel(grey, along_y, CV_64F, 0, 1);
  cv::magnitude(along_x, along_y, lengths);
  double longest = 0;
  cv::minMaxLoc(lengths, nullptr, &longest);
  const double ripple = deviation_of(laplacian);
  return {cv::mean(grey)[0], deviation_of(grey), ripple * ripple,
          double(cv::countNonZero(lengths > longest / 2)) / double(lengths.total())};
}

// Some examples of the test side and what they have in common.
struct Slice {
  std::string trait, name;
  double low = 0, high = 0;
  std::vector<std::size_t> examples;
};

std::vector<Slice> slices_by_class(const Dataset& dataset) {
  std::vector<Slice> slices;
  for (const std::string& name : dataset.class_names) slices.push_back({"class", name, 0, 0, {}});
  for (std::size_t n = 0; n < dataset.test.labels.size(); ++n)
    slices[dataset.test.labels[n]].examples.push_back(n);
  return slices;
}

std::vector<Slice> fifths_by(const Trait& trait, std::span<const PictureTraits> pictures) {
  std::vector<std::size_t> order(pictures.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  const auto value = [&](std::size_t n) { return pictures[n].*trait.value; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return value(a) < value(b); });
  std::vector<Slice> slices;
  for (std::size_t i = 0; i < kFifths.size(); ++i) {
    const std::size_t begin = order.size() * i / kFifths.size(),
                      end = order.size() * (i + 1) / kFifths.size();
    if (begin == end) continue;
    slices.push_back({std::string(trait.name),
                      std::string(kFifths[i]),
                      value(order[begin]),
                      value(order[end - 1]),
                      {order.begin() + std::ptrdiff_t(begin), order.begin() + std::ptrdiff_t(end)}});
  }
  return slices;
}

// The share of mistakes among some examples, a mean over the runs.
double error_on(std::span<const std::size_t> examples, std::span<const TestRun> runs,
                std::span<const std::uint16_t> labels) {
  std::size_t num_wrong = 0;
  for (const TestRun& run : runs)
    for (const std::size_t n : examples) num_wrong += run.predicted[n] != labels[n];
  return double(num_wrong) / double(examples.size() * runs.size());
}

// How many of the examples are among the changed ones, which are increasing.
std::size_t num_among(std::span<const std::size_t> examples, std::span<const std::size_t> changed) {
  return std::size_t(std::count_if(examples.begin(), examples.end(), [&](std::size_t n) {
    return std::binary_search(changed.begin(), changed.end(), n);
  }));
}

}  // namespace

std::vector<PictureTraits> picture_traits(const Split& split, const ImageShape& shape,
                                          const Workers& workers) {
  require(shape.num_bytes() > 0, "picture_traits: a split with images");
  constexpr std::size_t kPictures = 64;  // that one thread takes at a time
  std::vector<PictureTraits> traits(split.num_examples);
  workers.for_blocks(traits.size(), kPictures, [&](std::size_t, std::size_t begin, std::size_t end) {
    ImagePlanes planes(shape);
    cv::Mat grey;
    for (std::size_t n = begin; n < end; ++n) {
      const mash_plane_t& plane = planes.show(split.image(n, shape)).gray;
      // OpenCV has no matrix over constant data; this one is only read.
      const cv::Mat bytes(int(shape.height), int(shape.width), CV_8U, const_cast<std::uint8_t*>(plane.origin),
                          std::size_t(plane.row_stride));
      bytes.convertTo(grey, CV_64F, 1.0 / 255);
      traits[n] = traits_of(grey);
    }
  });
  return traits;
}

std::vector<SliceGain> slice_gains(std::span<const TestRun> before, std::span<const TestRun> after,
                                   const Dataset& dataset, const Workers& workers) {
  const auto& labels = dataset.test.labels;
  std::vector<Slice> slices = slices_by_class(dataset);
  std::erase_if(slices, [](const Slice& slice) { return slice.examples.empty(); });
  if (!dataset.is_table()) {
    const auto pictures = picture_traits(dataset.test, dataset.shape, workers);
    for (const Trait& trait : kTraits)
      for (Slice& slice : fifths_by(trait, pictures)) slices.push_back(std::move(slice));
  }
  const Comparison comparison = compare(before, after, labels, dataset.num_classes());
  std::vector<SliceGain> gains;
  std::vector<double> p_values;
  for (const Slice& slice : slices) {
    SliceGain& gain = gains.emplace_back();
    gain.trait = slice.trait;
    gain.slice = slice.name;
    gain.low = slice.low;
    gain.high = slice.high;
    gain.num_examples = slice.examples.size();
    gain.error_before = error_on(slice.examples, before, labels);
    gain.error_after = error_on(slice.examples, after, labels);
    gain.num_fixed = num_among(slice.examples, comparison.fixed);
    gain.num_broken = num_among(slice.examples, comparison.broken);
    gain.p_mid = mcnemar(gain.num_fixed, gain.num_broken).p_mid;
    p_values.push_back(gain.p_mid);
  }
  const auto corrected = holm_corrected(p_values);
  for (std::size_t i = 0; i < gains.size(); ++i) gains[i].p_corrected = corrected[i];
  return gains;
}

}  // namespace mash
