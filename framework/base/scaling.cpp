// SPDX-License-Identifier: Apache-2.0
#include "framework/base/scaling.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace mash {
namespace {

constexpr int kCoefficientBits = 11;  // of the whole numbers that cubic coefficients are rounded to
constexpr float kCoefficientOne = 1 << kCoefficientBits;
// Bytes of a row that OpenCV makes together in single precision; those behind the last eight are made in
// whole numbers, which round halves the other way.
constexpr std::size_t kTogether = 8;

// The whole number next to it, halves to the even one. REQUIRES: |x| < 2^22.
int to_nearest(float x) { return std::bit_cast<std::int32_t>(x + 12582912.f) - 0x4b400000; }

std::uint8_t byte_of(int x) { return std::uint8_t(std::clamp(x, 0, 255)); }

// How many samples one of the smaller or larger side stands for.
double scale_of(std::uint32_t from, std::uint32_t to) {
  const double inverse = double(to) / double(from);
  return 1. / inverse;
}

// A share of a sample in one that is made.
struct Share {
  std::size_t from = 0, to = 0;
  float weight = 0;
};

// The shares of all samples along a side that shrinks, by `to`, then by `from`.
std::vector<Share> shares_of(std::uint32_t from, std::uint32_t to, double scale) {
  constexpr double kNothing = 1e-3;  // of a sample
  std::vector<Share> shares;
  for (std::uint32_t i = 0; i < to; ++i) {
    const double begin = i * scale, end = begin + scale, size = std::min(scale, from - begin);
    const int last = std::min(int(std::floor(end)), int(from) - 1);
    const int first = std::min(int(std::ceil(begin)), last);
    if (first - begin > kNothing)
      shares.push_back({std::size_t(first - 1), i, float((first - begin) / size)});
    for (int k = first; k < last; ++k) shares.push_back({std::size_t(k), i, float(1. / size)});
    if (end - last > kNothing)
      shares.push_back({std::size_t(last), i, float(std::min(std::min(end - last, 1.), size) / size)});
  }
  return shares;
}

// The weighted sums of a row's pixels.
void add_columns(const std::uint8_t* row, const std::vector<Share>& columns, std::vector<float>& sums) {
  std::fill(sums.begin(), sums.end(), 0.f);
  for (const Share& share : columns) {
    const std::uint8_t* pixel = row + 3 * share.from;
    float* sum = sums.data() + 3 * share.to;
    for (int c = 0; c < 3; ++c) sum[c] += float(pixel[c]) * share.weight;
  }
}

void store(const std::vector<float>& sums, std::uint8_t* row) {
  for (std::size_t i = 0; i < sums.size(); ++i) row[i] = byte_of(to_nearest(sums[i]));
}

void shrink_by_shares(const RgbView& picture, RgbPicture& made) {
  const auto columns = shares_of(picture.width, made.width, scale_of(picture.width, made.width));
  const auto rows = shares_of(picture.height, made.height, scale_of(picture.height, made.height));
  std::vector<float> of_row(std::size_t(3) * made.width), sums(of_row.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    add_columns(picture.origin + std::ptrdiff_t(rows[i].from) * picture.row_stride, columns, of_row);
    const float weight = rows[i].weight;
    if (i == 0 || rows[i].to != rows[i - 1].to) {
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] = of_row[k] * weight;
    } else {
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += of_row[k] * weight;
    }
    if (i + 1 == rows.size() || rows[i + 1].to != rows[i].to)
      store(sums, made.pixels.data() + rows[i].to * sums.size());
  }
}

// Means of blocks of whole pixels.
void shrink_by_blocks(const RgbView& picture, std::uint32_t block_width, std::uint32_t block_height,
                      RgbPicture& made) {
  const float weight = 1.f / float(block_width * block_height);
  const std::ptrdiff_t row_of_blocks = std::ptrdiff_t(block_height) * picture.row_stride;
  std::uint8_t* out = made.pixels.data();
  for (std::uint32_t y = 0; y < made.height; ++y)
    for (std::uint32_t x = 0; x < made.width; ++x)
      for (std::size_t c = 0; c < 3; ++c) {
        const std::uint8_t* row = picture.origin + y * row_of_blocks + 3 * std::size_t(x) * block_width + c;
        std::int64_t sum = 0;
        for (std::uint32_t v = 0; v < block_height; ++v, row += picture.row_stride) {
          int of_row = 0;
          for (std::uint32_t u = 0; u < block_width; ++u) of_row += row[3 * u];
          sum += of_row;
        }
        *out++ = byte_of(int(std::lrint(float(sum) * weight)));
      }
}

// Means of four pixels, which OpenCV rounds up from a half on.
void halve(const RgbView& picture, RgbPicture& made) {
  std::uint8_t* out = made.pixels.data();
  for (std::uint32_t y = 0; y < made.height; ++y) {
    const std::uint8_t* above = picture.origin + std::ptrdiff_t(2) * y * picture.row_stride;
    const std::uint8_t* below = above + picture.row_stride;
    for (std::uint32_t x = 0; x < made.width; ++x, above += 6, below += 6)
      for (std::size_t c = 0; c < 3; ++c)
        *out++ = std::uint8_t((above[c] + above[3 + c] + below[c] + below[3 + c] + 2) >> 2);
  }
}

RgbPicture picture_of(std::uint32_t width, std::uint32_t height) {
  return {width, height, std::vector<std::uint8_t>(std::size_t(3) * width * height)};
}

// No side grows.
RgbPicture shrunk(const RgbView& picture, std::uint32_t width, std::uint32_t height) {
  RgbPicture made = picture_of(width, height);
  const double across = scale_of(picture.width, width), down = scale_of(picture.height, height);
  const auto block_width = std::uint32_t(std::lrint(across)), block_height = std::uint32_t(std::lrint(down));
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  const bool has_blocks =
      std::abs(across - block_width) < kEpsilon && std::abs(down - block_height) < kEpsilon;
  if (has_blocks && block_width == 2 && block_height == 2)
    halve(picture, made);
  else if (has_blocks)
    shrink_by_blocks(picture, block_width, block_height, made);
  else
    shrink_by_shares(picture, made);
  return made;
}

// A place between samples, and the coefficients of the four around it (Keys' cubic with a = -0.75).
struct Cubic {
  std::ptrdiff_t second = 0;  // of the four
  std::array<int, 4> coefficients{};
};

Cubic cubic_at(std::uint32_t i, double scale) {
  constexpr float A = -0.75f;
  auto x = float((i + 0.5) * scale - 0.5);
  const float whole = std::floor(x);
  x -= whole;
  std::array<float, 4> exact;
  exact[0] = ((A * (x + 1) - 5 * A) * (x + 1) + 8 * A) * (x + 1) - 4 * A;
  exact[1] = ((A + 2) * x - (A + 3)) * x * x + 1;
  exact[2] = ((A + 2) * (1 - x) - (A + 3)) * (1 - x) * (1 - x) + 1;
  exact[3] = 1.f - exact[0] - exact[1] - exact[2];
  Cubic cubic{std::ptrdiff_t(whole), {}};
  for (std::size_t k = 0; k < 4; ++k) cubic.coefficients[k] = to_nearest(exact[k] * kCoefficientOne);
  return cubic;
}

std::vector<Cubic> cubics_of(std::uint32_t from, std::uint32_t to) {
  const double scale = scale_of(from, to);
  std::vector<Cubic> cubics;
  for (std::uint32_t i = 0; i < to; ++i) cubics.push_back(cubic_at(i, scale));
  return cubics;
}

// A sample, that of the border where there is none.
std::size_t within(std::ptrdiff_t i, std::uint32_t size) {
  return std::size_t(std::clamp<std::ptrdiff_t>(i, 0, std::ptrdiff_t(size) - 1));
}

void grow_row(const std::uint8_t* row, std::uint32_t width, const std::vector<Cubic>& columns,
              std::vector<int>& out) {
  int* to = out.data();
  for (const Cubic& cubic : columns) {
    std::array<const std::uint8_t*, 4> pixels;
    for (std::size_t k = 0; k < 4; ++k)
      pixels[k] = row + 3 * within(cubic.second + std::ptrdiff_t(k) - 1, width);
    for (std::size_t c = 0; c < 3; ++c) {
      int sum = 0;
      for (std::size_t k = 0; k < 4; ++k) sum += pixels[k][c] * cubic.coefficients[k];
      *to++ = sum;
    }
  }
}

// The row between four rows.
void blend_rows(const std::array<const int*, 4>& rows, const std::array<int, 4>& coefficients,
                std::size_t size, std::uint8_t* out) {
  constexpr float kUnit = 1.f / (kCoefficientOne * kCoefficientOne);
  const auto weight = [&](std::size_t k) { return float(coefficients[k]) * kUnit; };
  const float a = weight(0), b = weight(1), c = weight(2), d = weight(3);
  const std::size_t num_together = size / kTogether * kTogether;
  for (std::size_t i = 0; i < num_together; ++i)
    out[i] = byte_of(to_nearest(float(rows[0][i]) * a +
                                (float(rows[1][i]) * b + (float(rows[2][i]) * c + float(rows[3][i]) * d))));
  constexpr int kShift = 2 * kCoefficientBits, kHalf = 1 << (kShift - 1);
  for (std::size_t i = num_together; i < size; ++i) {
    int sum = kHalf;
    for (std::size_t k = 0; k < 4; ++k) sum += rows[k][i] * coefficients[k];
    out[i] = byte_of(sum >> kShift);
  }
}

// No side shrinks.
RgbPicture grown(const RgbView& picture, std::uint32_t width, std::uint32_t height) {
  RgbPicture made = picture_of(width, height);
  const auto columns = cubics_of(picture.width, width), rows = cubics_of(picture.height, height);
  const std::size_t row_size = std::size_t(3) * width;
  // Four rows of the picture that follow each other, each with the right width, have different places here.
  std::array<std::vector<int>, 4> kept;
  std::array<std::ptrdiff_t, 4> kept_rows{-1, -1, -1, -1};
  for (auto& row : kept) row.resize(row_size);
  for (std::uint32_t y = 0; y < height; ++y) {
    std::array<const int*, 4> four;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t row = within(rows[y].second + std::ptrdiff_t(k) - 1, picture.height);
      if (kept_rows[row % 4] != std::ptrdiff_t(row)) {
        grow_row(picture.origin + std::ptrdiff_t(row) * picture.row_stride, picture.width, columns,
                 kept[row % 4]);
        kept_rows[row % 4] = std::ptrdiff_t(row);
      }
      four[k] = kept[row % 4].data();
    }
    blend_rows(four, rows[y].coefficients, row_size, made.pixels.data() + y * row_size);
  }
  return made;
}

RgbPicture copied(const RgbView& picture) {
  RgbPicture made = picture_of(picture.width, picture.height);
  const std::size_t row_size = std::size_t(3) * picture.width;
  for (std::uint32_t y = 0; y < picture.height; ++y)
    std::copy_n(picture.origin + std::ptrdiff_t(y) * picture.row_stride, row_size,
                made.pixels.data() + y * row_size);
  return made;
}

std::uint32_t scaled_side(std::uint32_t side, double scale) {
  return std::uint32_t(std::max(1L, std::lround(side * scale)));
}

}  // namespace

RgbPicture stretched(const RgbView& picture, std::uint32_t width, std::uint32_t height) {
  const std::uint32_t smaller_width = std::min(width, picture.width),
                      smaller_height = std::min(height, picture.height);
  const bool shrinks = smaller_width != picture.width || smaller_height != picture.height,
             grows = smaller_width != width || smaller_height != height;
  if (!shrinks) return grows ? grown(picture, width, height) : copied(picture);
  RgbPicture smaller = shrunk(picture, smaller_width, smaller_height);
  return grows ? grown(smaller.view(), width, height) : smaller;
}

RgbPicture fitted(const RgbView& picture, std::uint32_t width, std::uint32_t height) {
  const double scale = std::min(double(width) / picture.width, double(height) / picture.height);
  const RgbPicture inner = stretched(picture, std::min(width, scaled_side(picture.width, scale)),
                                     std::min(height, scaled_side(picture.height, scale)));
  RgbPicture whole = picture_of(width, height);
  const std::size_t left = (width - inner.width) / 2, top = (height - inner.height) / 2;
  const std::size_t row_size = std::size_t(3) * inner.width;
  for (std::size_t y = 0; y < inner.height; ++y)
    std::copy_n(inner.pixels.data() + y * row_size, row_size,
                whole.pixels.data() + 3 * ((top + y) * width + left));
  return whole;
}

RgbPicture cropped(const RgbView& picture, std::uint32_t width, std::uint32_t height) {
  const double scale = std::max(double(width) / picture.width, double(height) / picture.height);
  RgbView middle = picture;
  middle.width = std::min(picture.width, scaled_side(width, 1 / scale));
  middle.height = std::min(picture.height, scaled_side(height, 1 / scale));
  const std::uint32_t left = (picture.width - middle.width) / 2, top = (picture.height - middle.height) / 2;
  middle.origin += std::ptrdiff_t(top) * picture.row_stride + std::ptrdiff_t(3) * left;
  return stretched(middle, width, height);
}

}  // namespace mash
