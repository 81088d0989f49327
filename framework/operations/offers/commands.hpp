// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "framework/operations/offers/trial.hpp"
#include "framework/operations/training/workspace.hpp"
#include "framework/records/offers.hpp"

namespace mash {

// Commands of `mash` that repeat what was done, for reports to show. A reader who pastes one uses the same
// records, store and plugins: their places are written as they were given.

// The options that name the places of a workspace, with a space before each.
std::string options_of(const WorkspaceSettings& settings);
// Those of them that name its plugins: for commands that take no other places.
std::string options_of_plugins(const WorkspaceSettings& settings);

// They check a heuristic, try it and report on it. dataset: the one that it was tried on, which is named with
// its settings because the default depends on which data sets are on the machine.
std::vector<std::string> commands_of_trial(const OfferTrySettings& settings, const NamedSettings& dataset);

// It tries the heuristic by an offer test. dataset: as above.
std::string command_of_try(const TrySettings& settings, const NamedSettings& dataset);

// It asks whether the heuristic could replace a family of the pool. dataset: as above.
std::string command_of_replacing(const OfferTrySettings& settings, const NamedSettings& dataset,
                                 std::string_view replaced);

// It tries the variant of a comparison that was the best, on the same data and with seeds that did not choose
// it. settings: of the comparison. dataset: as above.
std::string command_of_best(TrySettings settings, const Settings& best, const NamedSettings& dataset,
                            std::uint64_t first_seed);

// The command that offers the heuristic in FILE in a way that can be compared with this test. database: empty
// for the default.
std::string command_of_offer(const OfferRow& offer, const std::filesystem::path& database);

}  // namespace mash
