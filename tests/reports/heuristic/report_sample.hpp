// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "framework/reports/heuristic/report.hpp"
#include "tests/reports/heuristic/offer_sample.hpp"

namespace mash::sample {

// Grey images of size x size pixels in some classes in turn: a bar at the height of the class. The same on
// both sides.
inline Dataset striped_dataset(std::size_t num_classes, std::size_t num_test, std::uint32_t size) {
  Dataset data;
  data.name = "stripes";
  data.fingerprint = "f0";
  data.shape = {size, size, 1};
  for (std::size_t i = 0; i < num_classes; ++i) data.class_names.push_back(fmt::format("class {}", i));
  data.test.num_examples = num_test;
  for (std::size_t i = 0; i < num_test; ++i) {
    data.test.labels.push_back(std::uint16_t(i % num_classes));
    for (std::uint32_t y = 0; y < size; ++y)
      for (std::uint32_t x = 0; x < size; ++x)
        data.test.pixels.push_back(y * num_classes / size == i % num_classes ? 255
                                                                             : std::uint8_t(7 * x % 90));
  }
  data.train = data.test;
  return data;
}

// The value of the feature goes along with the top rows of the picture and against the bottom ones.
inline BestFeature best_feature(const Dataset& data, std::uint32_t place) {
  BestFeature made;
  made.family_idx = 2;
  made.feature = place;
  made.edge = 0.5 / (1 + place);
  made.threshold = -1.25f;
  made.num_wins = 7;
  for (std::size_t k = 0; k < data.num_classes(); ++k) {
    auto& histogram = made.histograms.emplace_back();
    for (std::size_t bin = 0; bin < kHistogramBins; ++bin)
      histogram.push_back(std::uint32_t(100 * std::exp(-0.05 * std::pow(double(bin) - 2.0 * double(k), 2))));
  }
  if (!data.is_table()) {
    made.pixels = cv::Mat(int(data.shape.height), int(data.shape.width), CV_32F);
    for (int y = 0; y < made.pixels.rows; ++y)
      made.pixels.row(y) = float(0.4 * std::cos(3.14159 * (y + 0.5) / made.pixels.rows));
  }
  return made;
}

// The change of the picture of that place: the first gains most, the last loses most.
inline PictureChange picture(const Dataset& data, std::size_t place) {
  const std::uint16_t label = data.train.labels[place],
                      other = std::uint16_t((label + 1) % data.num_classes());
  const double gain = .5 - double(place) / double(data.train.num_examples);
  return {std::uint32_t(place),
          label,
          {gain, .1, gain > .4 ? .01 : 1, .5 - gain / 2, .5 + gain / 2, gain > 0 ? other : label,
           gain > 0 ? label : other}};
}

inline PastOffer past_offer(std::string heuristic, std::string version, char sha, double gain) {
  PastOffer made;
  made.measured_at = "2026-01-02 10:00:00";
  made.offer.heuristic = std::move(heuristic);
  made.offer.version = std::move(version);
  made.offer.settings = "cells=4";
  made.offer.plugin_sha256 = std::string(64, sha);
  made.offer.num_seeds = 8;
  made.offer.gain = gain;
  made.offer.low = gain - .5;
  made.offer.high = gain + .5;
  made.offer.finding = gain > .5 ? "adds" : "undecided";
  made.offer.pool = {"hog", "lbp", "zernike"};
  return made;
}

// Every part has data. data: at least four classes. low, high: the interval of the gain.
inline HeuristicReport heuristic_report(const Dataset& data, double low = 1, double high = 2) {
  HeuristicReport report;
  report.offer = offer(low, high);
  report.offer.heuristic = "<b>&";
  report.offer.settings = "cells=4";
  report.offer.dataset = data.name;
  report.offer.experiment = "mnist";
  report.offer.pictures.class_names = data.class_names;
  report.offer.pictures.num_held_out = data.train.num_examples;
  report.offer.looks.insert(report.offer.looks.begin(),
                            {kLooks[1], 1.25, error_over_seeds(1.3, 8), {-.4, 2.9}});
  for (std::size_t label = 0; label < data.num_classes(); ++label)
    for (std::size_t rival = 0; rival < data.num_classes(); ++rival) {
      if (label == rival) continue;
      const double gain = label == 1 && rival == 0 ? .8 : label == 2 && rival == 3 ? -.4 : .01;
      report.rivals.push_back({label,
                               rival,
                               {label * data.num_classes() + rival, 4, gain, error_over_seeds(.4, 16),
                                std::abs(gain) > .1 ? .001 : 1}});
    }
  report.slices = {{"brightness", "lowest fifth", .1, .25, {0, 4, .1, error_over_seeds(.8, 16), 1}},
                   {"contrast", "lowest fifth", .1, .3, {5, 4, .9, error_over_seeds(.4, 16), .012}},
                   {"contrast", "highest fifth", .3, .5, {9, 4, -.4, error_over_seeds(.4, 16), .03}}};
  for (std::size_t n = 0; n < data.train.num_examples; ++n) report.pictures.push_back(picture(data, n));
  report.wins = std::vector<std::uint32_t>(40);
  for (std::size_t i = 0; i < 12; ++i) report.wins[3 * i] = std::uint32_t(20 - i);
  report.family_names = {"hog", "lbp", "<b>&"};
  report.own_families = {2};
  report.cka = (cv::Mat_<double>(3, 3) << 1, .5, .4, .5, 1, .82, .4, .82, 1);
  for (std::uint32_t i = 0; i < 3; ++i) report.best_features.push_back(best_feature(data, i));
  report.offer.history = {past_offer("<b>&", "1.1.0", 'd', .4), past_offer("<b>&", "1.2.0", 'e', 1.5)};
  report.others = {past_offer("lbp", "1.0.0", 'f', .1), past_offer("hog", "1.0.0", 'f', 6)};
  report.costs = {{"<b>&", 123, 1.5, true, false}, {"lbp", 20, .1, false, true}, {"hog", 80, 6, false, true}};
  report.plugin = "new.so";
  report.offer.plugin_sha256 = std::string(64, 'e');
  report.dataset_fingerprint = data.fingerprint;
  report.program_version = "0.1.0";
  report.machine = "A CPU, 2 cores";
  report.commands = {"mash heuristic build new", "mash report new --experiment mnist --html new.html"};
  return report;
}

}  // namespace mash::sample
