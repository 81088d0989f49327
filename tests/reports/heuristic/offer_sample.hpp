// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "framework/reports/heuristic/offer.hpp"

namespace mash::sample {

// An offer test whose last look has this interval.
inline HeuristicOffer offer(double low, double high, std::uint64_t num_wins = 200) {
  HeuristicOffer made;
  made.heuristic = "mine";
  made.version = "1.2.0";
  made.dataset = "digits";
  made.pictures.num_train = 6000;
  made.pictures.num_held_out = 1000;
  made.pictures.class_names = {"0", "1", "2"};
  made.pool = {"hog", "lbp"};
  OfferFigures& figures = made.figures;
  const GainAtLook look{kLooks[2], (low + high) / 2, {{640, 160, 0}, 16, 1000}, {low, high}};
  figures.last = look;
  figures.progress = 5;
  figures.num_wins = num_wins;
  figures.num_duels = 960;
  figures.num_candidates = 128;
  figures.num_offered = 32;
  figures.pool_features = 1000;
  figures.own_features = 50;
  made.looks = {look};
  made.base_rounds = 300;
  made.rounds = 60;
  made.classes = {{0, 400, .9, error_over_seeds(.4, 16), 1e-6, .2},
                  {1, 300, -.8, error_over_seeds(.4, 16), 1e-5, .2},
                  {2, 300, .7, error_over_seeds(2, 16), .4, 1}};
  made.neighbours = {{1, .8, .5, .4}, {0, .3, .1, .1}};
  figures.nearest_cka = .8;
  made.cost.dim = 50;
  made.pool_microseconds = {1, 2};
  made.work.num_played = 16;
  made.work.test_seconds = 8;
  return made;
}

}  // namespace mash::sample
