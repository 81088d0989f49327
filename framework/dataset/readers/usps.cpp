// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/readers/usps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "framework/base/elementary.hpp"
#include "framework/dataset/data_path.hpp"
#include "framework/dataset/readers/csv.hpp"
#include "framework/dataset/source.hpp"

namespace mash {
namespace {

constexpr int kUspsSide = 16;
constexpr std::size_t kNumPixels = std::size_t{kUspsSide} * kUspsSide;
constexpr double kBackground = -1;
constexpr double kMaxSmooth = 4;

using Image = std::array<double, kNumPixels>;

// The weights of a Gaussian of that standard deviation, in pixels, to four of them on either side.
std::vector<double> gaussian(double deviation) {
  const int radius = int(4 * deviation + 0.5);
  std::vector<double> weights;
  double sum = 0;
  for (int i = -radius; i <= radius; ++i) {
    weights.push_back(stable_exp(-0.5 * i * i / (deviation * deviation)));
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

// Along rows, the result transposed: twice gives the whole in the image's own order.
Image smooth_rows(const Image& image, const std::vector<double>& weights) {
  const int radius = int(weights.size()) / 2;
  Image result;
  for (int y = 0; y < kUspsSide; ++y)
    for (int x = 0; x < kUspsSide; ++x) {
      double sum = 0;
      for (int i = -radius; i <= radius; ++i) {
        const int from = x + i;
        const double value =
            from >= 0 && from < kUspsSide ? image[std::size_t(y * kUspsSide + from)] : kBackground;
        sum += weights[std::size_t(i + radius)] * value;
      }
      result[std::size_t(x * kUspsSide + y)] = sum;
    }
  return result;
}

void smooth(Split& split, double deviation) {
  const std::vector<double> weights = gaussian(deviation);
  for (std::size_t n = 0; n < split.num_examples; ++n) {
    const auto values = std::span(split.values).subspan(n * kNumPixels, kNumPixels);
    Image image;
    std::copy(values.begin(), values.end(), image.begin());
    image = smooth_rows(smooth_rows(image, weights), weights);
    for (std::size_t i = 0; i < image.size(); ++i) values[i] = float(image[i]);
  }
}

// The values as grey pixels, -1 black and 1 white.
void become_pictures(Dataset& dataset) {
  dataset.shape = {kUspsSide, kUspsSide, 1};
  dataset.column_names.clear();
  dataset.label_name.clear();
  for (Split* side : {&dataset.train, &dataset.test}) {
    for (const float value : side->values)
      side->pixels.push_back(std::uint8_t(std::clamp(127.5f * (value + 1) + 0.5f, 0.f, 255.f)));
    side->values.clear();
  }
}

}  // namespace

Result<Dataset> read_usps(Settings& settings, const ReadRequest& request) {
  MASH_ASSIGN(const auto folder, find_data_path(settings, request.name));
  MASH_ASSIGN(const double deviation, settings.real("smooth", 0, 0, kMaxSmooth));
  MASH_ASSIGN(const std::string form, settings.choice("form", "columns", kUspsForms));
  MASH_TRY(settings.finish("data set usps"));
  MASH_ASSIGN(const auto train, find_plain_or_gz(folder, "zip.train"));
  MASH_ASSIGN(const auto test, find_plain_or_gz(folder, "zip.test"));
  Settings table;
  for (const auto& [key, value] :
       {std::pair("path", train.string()), std::pair("test_path", test.string()),
        std::pair("delimiter", std::string("space")), std::pair("label", std::string("first")),
        std::pair("header", std::string("no"))})
    table.add(key, value, "data set usps");
  ReadRequest rows = request;
  rows.layout = nullptr;  // columns are known by their places
  MASH_ASSIGN(Dataset dataset, read_csv(table, rows));
  if (dataset.column_names.size() != kNumPixels)
    return input_error("{}: found {} values a row beside the label, expected {}", train.string(),
                       dataset.column_names.size(), kNumPixels);
  if (deviation > 0) {
    smooth(dataset.train, deviation);
    smooth(dataset.test, deviation);
  }
  if (form == kPictures) become_pictures(dataset);
  if (!settings.has("form"))
    dataset.warnings.emplace_back(
        "the digits are rows of 256 columns here; where an experiment asks for heuristics, they are pictures "
        "(form: pictures)");
  return dataset;
}

}  // namespace mash
