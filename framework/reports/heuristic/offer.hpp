// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/analysis/family_contribution.hpp"
#include "framework/analysis/gain_parts.hpp"
#include "framework/analysis/offer_verdict.hpp"
#include "framework/records/offers.hpp"
#include "framework/reports/heuristic/replacement_offer.hpp"

namespace mash {

// The result of an offer test of a heuristic, as `mash heuristic try` shows it.
struct HeuristicOffer {
  std::string heuristic, version, settings, plugin_sha256;
  std::string name = {};   // as families are named, where settings were given: "hog(cell=4)"; empty: the id
  std::string experiment;  // whose heuristics are the pool
  std::string dataset;
  // Pictures that it was tested on.
  struct Pictures {
    std::size_t num_train = 0;
    std::size_t num_held_out = 0;  // judge: training pictures that do not train, or test pictures
    // "held-out"; else "test" or "validation", the name of the side that judges (Dataset::judging_side).
    std::string judges = "held-out";
    std::vector<std::string> class_names;
  } pictures;
  std::vector<std::string> pool;  // names of its families
  OfferFigures figures;
  std::vector<GainAtLook> looks;              // all; the last decides
  std::uint32_t base_rounds = 0, rounds = 0;  // before the newcomer is offered, and in which it is
  std::vector<GainPart> classes;
  double error_before = 0, error_after = 0;  // of the held-out examples, by majority of the seeds; fractions
  std::vector<Neighbour> neighbours;         // nearest first; family_idx is a place in the pool
  FamilyCost cost;
  std::vector<double> pool_microseconds;  // per image, of each family of the pool whose cost is known
  std::vector<std::string> warnings;      // of plugins and data that are not as expected
  std::optional<double> alpha_share;      // of trainings with it and the pool, mean over seeds; a fraction
  // Time and seeds of the test.
  struct Work {
    double extract_seconds = 0, seconds = 0;    // of the features, 0 where they were stored; of everything
    double test_seconds = 0;                    // of the offer test
    std::size_t num_played = 0, num_found = 0;  // seeds: now, and kept from before
    // The families of a run are tested together: seeds and time are those of all.
    bool is_one_of_many = false;
  } work;
  // The builds that were tried with this pool, data set and side, as past_offers gives it, this offer among
  // them.
  std::vector<PastOffer> history;
  // Where the test was to go on until half the interval is at most `wanted` per cent of the log-loss: its
  // end.
  struct Precision {
    enum class End { kReached, kMostSeeds, kTimeOut };
    double wanted = 0;
    End end = End::kReached;
  };
  std::optional<Precision> precision = {};
  std::string replace_command;  // asks whether it could replace the nearest family; empty: there is none
  std::optional<ReplacementOffer> replacement;  // where that was asked
};

// The heuristic in words: its name, or its id.
const std::string& name_in_words(const HeuristicOffer& offer);
// The verdict in one sentence, with the gain, its interval and what it means.
std::string headline(const HeuristicOffer& offer);
// The one thing to do next.
std::string next_step(const HeuristicOffer& offer);

// As it goes into the records; plugin, data, side, the newcomer's families and what trained are for the
// caller to fill in.
OfferRow offer_row(const HeuristicOffer& offer);

// Whether the pool of one of them was trained with the heuristic first (kSharedBase), and what that means
// beside the others: what is shown of them together has to say it.
bool any_on_shared_base(std::span<const PastOffer> offers);
inline constexpr std::string_view kBasesMeaning =
    "Base own: the pool was trained without the heuristic; shared: with it, and then freed of it, as mash "
    "report of a run does for all at once.";

// Each with its gain and finding, in their order.
nlohmann::ordered_json offers_json(std::span<const PastOffer> offers);

// One screen.
std::string render_text(const HeuristicOffer& offer);
// Every figure; gains are in per cent of the log-loss, errors are fractions.
nlohmann::ordered_json to_json(const HeuristicOffer& offer);

}  // namespace mash
