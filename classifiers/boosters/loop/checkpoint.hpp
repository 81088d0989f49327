// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "classifiers/boosters/loop/round_log.hpp"
#include "classifiers/events/training.hpp"
#include "classifiers/model/strong_classifier.hpp"
#include "classifiers/scan/ledger.hpp"

namespace mash {

// The state of a run after some round. State that follows from the settings and the model is not in it.
struct RunState {
  StrongClassifier model;          // so far
  TrainingResult result;           // rounds, curve, use of families so far; its model is set at the end
  std::vector<FamilyLooks> looks;  // per family
  std::vector<double> training;    // RoundTraining::state
  std::vector<RoundEvent> events;  // of all rounds so far: a resumed run tells them again
  RoundLog log;                    // of all rounds so far, or as far as it was kept
  double train_loss_log10 = 0;
  std::uint32_t num_idle = 0;  // idle rounds since the last that found something
};

// Writes state and weights, to the last bit, into a file that is replaced as a whole.
Status save_checkpoint(const std::filesystem::path& path, std::string_view run_key, const RunState& state,
                       std::span<const double> weights);

// Fills in state and weights from the file. Returns false and changes nothing where the file is missing, is
// damaged, is of another run or has another number of weights.
bool load_checkpoint(const std::filesystem::path& path, std::string_view run_key, RunState& state,
                     std::span<double> weights);

}  // namespace mash
