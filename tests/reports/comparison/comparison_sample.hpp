// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "framework/reports/comparison/comparison.hpp"

namespace mash::sample {

// Thirty test examples of three classes in turn; each run gets that number of them wrong, the first ones.
inline ComparedSide side(const std::string& argument, const std::vector<std::size_t>& num_wrong) {
  ComparedSide made;
  made.argument = argument;
  made.kind = "experiment";
  made.name = "demo";
  made.dataset = "toy & <more>";
  made.fingerprint = "f0";
  made.class_names = {"zero", "one", "two"};
  for (std::size_t n = 0; n < 30; ++n) made.labels.push_back(std::uint16_t(n % 3));
  for (std::size_t run = 0; run < num_wrong.size(); ++run) {
    made.run_ids.push_back(std::int64_t(10 * std::stoi(argument) + int(run)));
    made.seeds.push_back(run + 1);
    auto& predicted = made.predicted.emplace_back(made.labels);
    for (std::size_t n = 0; n < num_wrong[run]; ++n) predicted[n] = std::uint16_t((predicted[n] + 1) % 3);
    made.figures["test_error"].push_back(double(num_wrong[run]) / 30);
    made.figures["cost"].push_back(1000);
    auto& curve = made.curves.emplace_back();
    for (const std::uint32_t round : {1u, 2u, 5u}) {
      CurvePoint point{};
      point.round = round;
      point.train_loss_log10 = -.1 * round;
      point.test_error = double(num_wrong[run]) / 30 / round;
      point.cost = 100 * round;
      curve.push_back(point);
    }
  }
  made.settings = {{"booster.name", "adaboost.mh"}, {"sampler.budget", argument}};
  made.families = {{"hog", .75, 6}, {"lbp", .25, 2}, {"never", 0, 0}};
  return made;
}

// Beside the same pool, on four examples; losses: of each seed.
inline ComparedOffer offer(const std::string& version, const std::vector<std::vector<float>>& losses) {
  ComparedOffer made;
  made.argument = "mine@" + version;
  made.offer.pool_key = "pool";
  OfferRow& row = made.offer.past.offer;
  row.heuristic = "mine";
  row.version = version;
  row.dataset = "digits";
  row.dataset_fingerprint = "f0";
  row.pool = {"one", "two"};
  row.experiment = "demo";
  row.gain = 1;
  row.low = .5;
  row.high = 1.5;
  row.num_seeds = losses.size();
  row.num_duels = 100;
  row.num_wins = 25;
  row.finding = "adds";
  made.details.class_names = {"zero", "one"};
  made.details.labels = {0, 0, 1, 1};
  for (std::size_t s = 0; s < losses.size(); ++s) made.details.seeds.push_back({s + 1, 1., losses[s]});
  made.settings = {{"heuristic", "mine"}, {"version", version}};
  return made;
}

}  // namespace mash::sample
