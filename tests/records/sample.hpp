// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "framework/records/internal/connection.hpp"
#include "framework/records/records.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash::sample {

using Folder = testing::ScratchFolder;

// The connection behind records that are open to write.
inline SQLite::Database& database(const Records& records) { return Connection::of(records).writable(); }

// num_test grey images of 4 x 4 pixels in three classes in turn; image i is all of grey level i mod 256.
inline Dataset dataset(std::size_t num_test = 6, std::string fingerprint = "f0") {
  Dataset data;
  data.name = "toy";
  data.class_names = {"zero", "one", "two & <more>"};
  data.shape = {4, 4, 1};
  data.train = {10, {}, {}, {}};
  data.test.num_examples = num_test;
  for (std::size_t i = 0; i < num_test; ++i) {
    data.test.labels.push_back(std::uint16_t(i % 3));
    data.test.pixels.insert(data.test.pixels.end(), 16, std::uint8_t(i));
  }
  data.sources = {{"toy/train.idx", std::string(64, 'a'), 170}, {"toy/test.idx", std::string(64, 'b'), 96}};
  name_rows(1, data.test);
  data.fingerprint = std::move(fingerprint);
  return data;
}

inline FamilyRow family(std::string heuristic, std::string author = "Ada", std::uint32_t dim = 16) {
  FamilyRow row;
  row.name = heuristic;
  row.heuristic = {heuristic,    "1.0.0",           std::move(author),   "what it sees",
                   "Apache-2.0", heuristic + ".so", std::string(64, 'c')};
  row.dim = dim;
  row.num_distinct = dim;
  row.extract_seconds = 0.5;
  row.microseconds_per_image = 20;
  return row;
}

inline RunStart start(std::string name = "demo", std::uint64_t seed = 1) {
  RunStart begin;
  begin.name = name;
  begin.configuration = "booster: {name: adaboost.mh}\nseed: " + std::to_string(seed) + "\nruns: 3\n";
  begin.run_key = name + "-" + std::to_string(seed);
  begin.seed = seed;
  begin.learner = "adaboost.mh";
  begin.booster = {{"adaboost.mh", "stump", "laminating", 10}};
  begin.num_threads = 2;
  begin.program_version = "0.1.0";
  begin.machine = {"A CPU", "Linux", "AVX2", 2, 1u << 30};
  return begin;
}

inline RoundEvent round(std::uint32_t number, std::uint32_t family_idx = 0) {
  RoundEvent event;
  event.round = number;
  event.cuts = {{family_idx, number % 16, 0.5f}};
  event.edge = 0.25;
  event.alpha = 0.5;
  event.train_loss_log10 = -0.01 * number;
  event.cost = 100u * number;
  return event;
}

// A result of `uses.size()` families on `data`: the first `num_wrong` test examples are taken for the next
// class with a margin of -(i + 1) / 8, all others are right with a margin of +1/2.
inline TrainingResult result(const Dataset& data, std::vector<FamilyUse> uses, std::size_t num_wrong) {
  TrainingResult training;
  training.status = TrainingStatus::kComplete;
  training.num_rounds = 10;
  training.meters = {1000, 2000, 300, 4, 1.5, {}};
  for (const std::uint32_t at : {1u, 2u, 5u, 10u}) {
    training.curve.push_back({at, -0.1 * at, 0.3, 0.4, 100u * at, 0.15 * at});
  }
  training.families = std::move(uses);
  StrongClassifier model;
  model.hypotheses = {{2, {Cut()}, {1}, {}}};
  training.model = model;
  const std::size_t num_classes = data.num_classes();
  training.test_scores.assign(data.test.num_examples * num_classes, 0);
  for (std::size_t i = 0; i < data.test.num_examples; ++i) {
    double* scores = training.test_scores.data() + i * num_classes;
    const std::size_t label = data.test.labels[i];
    if (i < num_wrong) {
      scores[(label + 1) % num_classes] = 0.5 * double(i + 1);
    } else {
      scores[label] = 2;
    }
  }
  return training;
}

// Chosen 3 of 1000 offered, alpha 1.5, 0.5 of log10 loss removed.
inline FamilyUse use(double alpha_sum = 1.5, std::uint64_t chosen = 3) {
  return {1000, 64000, chosen, alpha_sum, 0.5};
}

// Records a whole run and returns its id.
inline Result<std::int64_t> record(Records& records, const RunStart& begin, const Dataset& data,
                                   const std::vector<FamilyRow>& families, const std::vector<FamilyUse>& uses,
                                   std::size_t num_wrong) {
  MASH_ASSIGN(const std::int64_t id, records.begin(begin, data, families));
  const auto recorder = records.recorder(id);
  for (std::uint32_t i = 1; i <= 10; ++i) recorder->on_round(round(i, i % std::uint32_t(families.size())));
  MASH_TRY(records.finish(id, result(data, uses, num_wrong), {2.5, 3.5, 1u << 20}, data));
  return id;
}

}  // namespace mash::sample
