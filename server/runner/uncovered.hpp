// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "framework/analysis/mistake_clusters.hpp"
#include "framework/operations/experiment/experiment.hpp"
#include "framework/operations/training/workspace.hpp"
#include "framework/render/page.hpp"

namespace mash::server {

// Pictures that none of a board's heuristics covers: held-out training pictures that each of its families,
// trained alone, gets wrong.
struct Uncovered {
  std::vector<std::string> families, class_names;
  std::uint32_t rounds = 0;
  std::size_t num_seeds = 0;  // of each training; most of them have to get it wrong
  std::size_t num_held_out = 0;
  // example_idx: of the training side; predicted: by most of the families; shares: in a model of all.
  std::vector<Mistake> pictures;
  std::vector<MistakeCluster> clusters;
};

// space: of the experiment. Errors (kInput): too few pictures are held out, or families cannot be trained one
// by one (check_subsets); those of training; kStopped: the trainings are kept.
Result<Uncovered> find_uncovered(Experiment experiment, Workspace& space, const WorkContext& work);

// Errors: the encoder's of pictures.
Result<page::Piece> uncovered_page(const Uncovered& found, const Dataset& dataset, std::string_view board);
nlohmann::ordered_json to_json(const Uncovered& found);

}  // namespace mash::server
