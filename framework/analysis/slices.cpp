// SPDX-License-Identifier: Apache-2.0
#include "framework/analysis/slices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <opencv2/imgproc.hpp>
#include <string_view>

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

}  // namespace

std::vector<PictureTraits> picture_traits(const Split& split, std::span<const std::uint32_t> examples,
                                          const ImageShape& shape, const Workers& workers) {
  require(shape.num_bytes() > 0, "picture_traits: a split with images");
  constexpr std::size_t kPictures = 64;  // that one thread takes at a time
  std::vector<PictureTraits> traits(examples.size());
  workers.for_blocks(traits.size(), kPictures, [&](std::size_t, std::size_t begin, std::size_t end) {
    ImagePlanes planes(shape);
    cv::Mat grey;
    for (std::size_t i = begin; i < end; ++i) {
      const mash_plane_t& plane = planes.show(split.image(examples[i], shape)).gray;
      // OpenCV has no matrix over constant data; this one is only read.
      const cv::Mat bytes(int(shape.height), int(shape.width), CV_8U, const_cast<std::uint8_t*>(plane.origin),
                          std::size_t(plane.row_stride));
      bytes.convertTo(grey, CV_64F, 1.0 / 255);
      traits[i] = traits_of(grey);
    }
  });
  return traits;
}

std::vector<Slice> slices_of(std::span<const PictureTraits> pictures) {
  std::vector<Slice> slices;
  for (const Trait& trait : kTraits)
    for (Slice& slice : fifths_by(trait, pictures)) slices.push_back(std::move(slice));
  return slices;
}

std::vector<SliceGain> slice_gains(std::span<const Slice> slices, std::span<const GainPart> parts) {
  std::vector<SliceGain> gains;
  for (const GainPart& part : parts) {
    const Slice& slice = slices[part.group_idx];
    gains.push_back({slice.trait, slice.name, slice.low, slice.high, part});
  }
  return gains;
}

}  // namespace mash
