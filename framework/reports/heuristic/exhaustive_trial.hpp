// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "framework/analysis/family_contribution.hpp"
#include "framework/analysis/gain_parts.hpp"
#include "framework/analysis/offer_verdict.hpp"

namespace mash {

// A heuristic beside a pool, by whole models trained with it and without it, as `mash heuristic try
// --exhaustive` shows it. Judged on held-out training pictures.
struct ExhaustiveTrial {
  std::string heuristic, version, settings;
  std::string experiment;  // that it was tried in
  std::string dataset;
  std::size_t num_train = 0, num_held_out = 0;
  std::vector<std::string> class_names;
  std::vector<std::string> pool;          // names of its families
  std::vector<double> pool_microseconds;  // per image, of each of them whose cost is known
  std::uint32_t rounds = 0;
  std::vector<std::uint64_t> seeds;
  std::string sampler;  // "laminating, budget 5, features 128"
  GainAtLook gain;      // of the pool with it, in per cent of the log-loss; its one look is at all seeds
  std::optional<GainAtLook> replaced;  // of it in the place of its nearest neighbour
  double relevant = 1;                 // a gain that is surely less is nothing
  std::vector<GainPart> classes;
  Estimate alone_error, error_before, error_after;  // over seeds: by itself, the pool without it, with it
  std::vector<Neighbour> neighbours;                // among the pool, nearest first
  FamilyCost cost;
  std::vector<std::string> warnings;           // of plugins and data that are not as expected
  double extract_seconds = 0;                  // 0 where the features were in the store
  double seconds = 0;                          // of everything
  std::size_t num_trained = 0, num_found = 0;  // trainings: now, and taken from the records
};

// As of an offer test (analysis/offer_verdict.hpp), without "adds much": a copy is what spans the same as a
// family of the pool and has no gain for certain.
OfferVerdict verdict_of(const ExhaustiveTrial& trial);
// The finding, in one sentence with its evidence; and what to do next.
std::string headline(const ExhaustiveTrial& trial);
std::string next_step(const ExhaustiveTrial& trial);

// One screen: what was found first, then the figures.
std::string render_text(const ExhaustiveTrial& trial);
// Every figure; errors are fractions, gains per cent of the log-loss.
nlohmann::ordered_json to_json(const ExhaustiveTrial& trial);

}  // namespace mash
