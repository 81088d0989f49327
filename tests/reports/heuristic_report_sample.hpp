// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "framework/reports/heuristic_report.hpp"
#include "tests/reports/heuristic_offer_sample.hpp"

namespace mash::sample {

// Grey images of size x size pixels in some classes in turn: a bar at the height of the class.
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
  return data;
}

inline Comparison comparison(std::vector<double> gains, std::vector<std::size_t> fixed,
                             std::vector<std::size_t> broken) {
  Comparison made;
  made.gain = estimate(gains);
  made.gains = std::move(gains);
  made.examples = mcnemar(fixed.size(), broken.size());
  made.fixed = std::move(fixed);
  made.broken = std::move(broken);
  return made;
}

inline HeuristicTrial trial(const Dataset& data) {
  HeuristicTrial made;
  made.heuristic = "<b>&";
  made.version = "1.2.0";
  made.settings = "cells=4";
  made.experiment = "mnist";
  made.dataset = data.name;
  made.num_train = 600;
  made.num_test = data.test.num_examples;
  made.class_names = data.class_names;
  made.rounds = 100;
  made.seeds = {1, 2, 3};
  made.sampler = "laminating";
  NewcomerContribution& contribution = made.contribution;
  contribution.names = {"hog", "lbp", "zernike"};
  contribution.constant_error = 0.75;
  contribution.pool_error = {0.10, 0.01};
  contribution.with_error = {0.08, 0.01};
  contribution.replaced = comparison({0.004, -0.002, 0.001}, {}, {});
  contribution.left = {{0, 1, 4.0}, {1, 2, 2.5}};
  FamilyContribution& family = contribution.family;
  family.name = "new";
  family.cost = {123, 40, 3, 2, 1, 0};
  family.alone_error = {0.30, 0.02};
  family.added = comparison({0.02, 0.03, 0.01}, {0, 3, 5, 6, 9, 11}, {4});
  family.neighbours = {{1, 0.82, 0.71, 0.33}, {0, 0.4, 0.2, 0.1}, {2, 0.1, 0.05, 0.02}};
  family.margin_share = {0.21, 0.03};
  family.importance = {0.015, 0.002};
  family.shapley = ShapleyValue{0.025, 0.004};
  return made;
}

inline std::vector<Mistake> mistakes(const Dataset& data) {
  std::vector<Mistake> made;
  for (std::size_t i = 0; i < 14; ++i) {
    const std::size_t label = data.test.labels[i];
    made.push_back({i,
                    label,
                    (label + 1) % data.num_classes(),
                    -0.5 + 0.03 * double(i),
                    {-0.4 + 0.03 * double(i), -0.11, 0.02, -0.01}});
  }
  return made;
}

// The value of the feature goes along with the top rows of the picture and against the bottom ones.
inline BestFeature best_feature(const Dataset& data, std::uint32_t place) {
  BestFeature made;
  made.family_idx = 3;
  made.feature = place;
  made.edge = 0.5 / (1 + place);
  made.threshold = -1.25f;
  made.num_cuts = 7;
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

inline void add_course(HeuristicReport& report) {
  for (const std::uint32_t round : {1u, 2u, 5u, 10u, 20u, 30u, 50u, 75u, 100u}) {
    const double error = 0.08 + 0.5 / round;
    report.with.push_back({round, {error, 0.1 * error}});
    report.without.push_back({round, {error + 0.02, 0.1 * error}});
  }
  report.use = {1000, 64000, 60, {}};
  for (std::uint32_t i = 0; i < 10; ++i)
    report.use.rounds.push_back({10 * i + 1, 10 * i + 10, 0.3 - 0.02 * i, 0.25 - 0.015 * i});
}

// Every part has data. data: at least 14 test examples, three classes.
inline HeuristicReport heuristic_report(const Dataset& data) {
  HeuristicReport report;
  report.trial = trial(data);
  report.offer = offer(1, 2);
  report.offer->looks.insert(report.offer->looks.begin(), {kLooks[1], 1.25, {.2, .01}, {-.4, 2.9}});
  report.family_names = {"hog", "lbp", "zernike", "<b>&"};
  report.own_families = {3};
  add_course(report);
  report.confused_without = {{0, 1, 6.0}, {1, 2, 2.0}};
  report.confused_with = {{0, 1, 4.0}, {1, 2, 2.5}};
  report.mistakes = mistakes(data);
  report.clusters = {{{0, 2, 4, 6, 8, 10, 12, 13}, 0, 0, 1, 5, {-0.3, -0.1, 0.01, 0}},
                     {{1, 3, 5}, 3, 1, 2, 2, {0.1, 0, -0.2, 0}}};
  report.cka = (cv::Mat_<double>(4, 4) << 1, .5, .1, .4, .5, 1, .2, .82, .1, .2, 1, .1, .4, .82, .1, 1);
  report.slices = {{"class", "class 0", 0, 0, 5, 0.2, 0.0, 9, 1, 0.001, 0.012},
                   {"brightness", "lowest fifth", 0.1, 0.25, 4, 0.1, 0.1, 1, 1, 1, 1},
                   {"contrast", "highest fifth", 0.3, 0.5, 4, 0.05, 0.2, 0, 9, 0.002, 0.03}};
  for (std::uint32_t i = 0; i < 3; ++i) report.best_features.push_back(best_feature(data, i));
  report.feature_use = {40, 12, {20, 9, 8, 7, 5, 4, 2, 1, 1, 1, 1, 1}};
  report.robustness = {{"rotation", "degrees", {{0, 0.1, 0.08}, {10, 0.15, 0.1}, {20, 0.3, 0.2}}},
                       {"noise", "standard deviation", {{0, 0.1, 0.08}, {0.1, 0.2, 0.25}}}};
  report.costs = {{"hog", 80, 0.4, false, true},
                  {"lbp", 20, 0.1, false, true},
                  {"zernike", 900, 0.29, false, false},
                  {"<b>&", 123, 0.21, true, false}};
  report.history = {{"2026-01-02 10:00:00",
                     "1.1.0",
                     "cells=4",
                     std::string(64, 'd'),
                     100,
                     3,
                     3,
                     {0.01, 0.02},
                     {0.35, 0.02}},
                    {"2026-01-03 10:00:00",
                     "1.2.0",
                     "cells=4",
                     std::string(64, 'e'),
                     100,
                     3,
                     3,
                     {0.02, 0.025},
                     {0.30, 0.02}}};
  report.plugin = "new.so";
  report.plugin_sha256 = std::string(64, 'e');
  report.dataset_fingerprint = data.fingerprint;
  report.program_version = "0.1.0";
  report.machine = "A CPU, 2 cores";
  report.commands = {"mash heuristic build new", "mash report new --experiment mnist --html new.html"};
  return report;
}

}  // namespace mash::sample
