// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/reports/run/pool_report.hpp"
#include "tests/reports/heuristic/offer_sample.hpp"
#include "tests/reports/heuristic/report_sample.hpp"

namespace mash::sample {

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

inline FamilyContribution family_contribution(std::string name, std::vector<double> losses, Neighbour twin) {
  FamilyContribution made;
  made.name = std::move(name);
  made.cost = {20, 40, 3, 2, 1, 0};
  made.alone_error = {0.30, 0.02};
  made.added = comparison(std::move(losses), {0, 3, 5}, {4});
  made.neighbours = {twin};
  made.margin_share = Estimate{0.21, 0.03};
  made.alpha_share = {0.24, 0.02};
  made.importance = {0.015, 0.002};
  made.shapley = ShapleyValue{0.025, 0.004};
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

// Four families: a copy, one that adds, one that adds nothing and one that harms. Every part has data.
// data: at least 14 test examples, three classes.
inline PoolReport pool_report(const Dataset& data) {
  PoolReport report;
  report.pool.rounds = 100;
  report.pool.seeds = {1, 2, 3};
  report.pool.constant_error = 0.75;
  report.pool.pool_error = {0.10, 0.01};
  report.pool.mean_margin = 0.125;
  report.pool.families = {family_contribution("lbp", {0.001, -0.002, 0.001}, {2, 0.995, 0.9, 0.8}),
                          family_contribution("hog", {0.05, 0.06, 0.04}, {0, 0.4, 0.2, 0.1}),
                          family_contribution("<b>&", {0.0, 0.0, 0.0}, {0, 0.995, 0.8, 0.9}),
                          family_contribution("zernike", {-0.02, -0.021, -0.019}, {1, 0.1, 0.05, 0.02})};
  report.pool.shapley =
      ShapleyCredit{{{0.1, 0.01}, {0.4, 0.02}, {0.1, 0.01}, {0.05, 0.01}}, {}, 0.65, 12, 14};
  for (std::size_t k = 0; k < 4; ++k) report.pool.families[k].shapley = report.pool.shapley->families[k];
  for (const FamilyContribution& family : report.pool.families) {
    HeuristicOffer made = offer(-.3, .4);
    made.heuristic = family.name;
    made.pool = {"lbp", "hog", "<b>&", "zernike"};
    std::erase(made.pool, family.name);
    report.offers.push_back(std::move(made));
  }
  report.offers[0].neighbours[0] = {1, .995, .9, .8};
  report.offers[0].figures.nearest_cka = .995;
  report.offers[1].figures = offer(1, 3).figures;
  report.offers[3].figures = offer(-4, -2).figures;
  report.sampler = "laminating, budget 5";
  report.class_names = data.class_names;
  report.num_test = data.test.num_examples;
  report.cka = (cv::Mat_<double>(4, 4) << 1, .4, .995, .05, .4, 1, .3, .1, .995, .3, 1, .02, .05, .1, .02, 1);
  report.mistakes = mistakes(data);
  report.clusters = {{{0, 2, 4, 6, 8, 10, 12, 13}, 0, 0, 1, 5, {-0.3, -0.1, 0.01, 0}},
                     {{1, 3, 5}, 3, 1, 2, 2, {0.1, 0, -0.2, 0}}};
  report.costs = {{"lbp", 20, 0.1, false, true},
                  {"hog", 80, 0.4, false, true},
                  {"<b>&", 123, 0.1, false, false},
                  {"zernike", 900, 0.29, false, false}};
  report.uncovered = {2, 7};
  report.num_trained = 36;
  report.num_found = 3;
  report.seconds = 12.5;
  report.command = "mash report 3 --rounds 100 --seeds 3";
  return report;
}

}  // namespace mash::sample
