// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "framework/analysis/tuning/race.hpp"
#include "framework/base/settings.hpp"
#include "framework/render/page.hpp"

namespace mash {

// A variant of a heuristic among others.
struct TunedVariant {
  Settings settings;
  std::string given;  // these settings: "levels=8, grid=3"
  std::string name;   // of its family
  std::uint32_t num_features = 0;
  double microseconds_per_image = 0;
  VariantStanding standing;
};

// The result of a comparison of variants, as `mash heuristic tune` shows it. Gains are in per cent of the
// log-loss.
struct HeuristicTuning {
  std::string heuristic, version, experiment, dataset;
  // Training pictures that judge and do not train: half of them chose the best, the other half measured it.
  std::size_t num_train = 0, num_choosing = 0, num_measuring = 0;
  std::vector<std::string> pool;
  std::vector<TunedVariant> variants;  // as they were given: the first is what the others are compared with
  std::size_t best = 0;                // among them
  std::size_t num_as_good = 0;         // others that may be as good
  GainAtLook measured;                 // of the best, with fresh seeds on pictures that did not choose it
  std::vector<std::string> left_out;   // variants without features here, each with the reason
  std::string undone;                  // what the time did not suffice for; empty: nothing
  std::string next_command;
  double extract_seconds = 0, seconds = 0;    // of the features, 0 where they were stored; of everything
  std::size_t num_played = 0, num_found = 0;  // offers of a variant in one seed: now, and kept from before
};

// "levels=8, grid=3 is the best of 12; three others may be as good", and what it gains.
std::string headline(const HeuristicTuning& tuning);
// "best", "may be as good" or "worse".
std::string_view finding_in_words(const HeuristicTuning& tuning, std::size_t variant);

// One screen.
std::string render_text(const HeuristicTuning& tuning);
nlohmann::ordered_json to_json(const HeuristicTuning& tuning);
// The same as a page, with gains against costs. program_version: for its foot.
page::Piece tuning_page(const HeuristicTuning& tuning, std::string_view program_version);

}  // namespace mash
