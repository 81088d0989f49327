// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "classifiers/reservoir/greedy_removal.hpp"
#include "framework/base/random.hpp"
#include "framework/base/settings.hpp"
#include "framework/base/work_context.hpp"

namespace mash {

// Examples that a reservoir chooses from in a round: n = r + q examples of a two-class problem.
struct Pool {
  std::span<const double> weights;     // of the loss, n, finite and >= 0
  std::span<const std::int8_t> signs;  // the labels, n, each -1 or +1
  std::uint32_t num_features = 0;
  // Writes the codes of these features (increasing) on all examples: features.size() rows of n bytes, each in
  // the order of the values, NaN the lowest.
  std::function<void(std::span<const std::uint32_t> features, std::uint8_t* codes)> codes;
};

// Which examples a reservoir keeps, and what they weigh when the weak learner is trained on them (Lefakis &
// Fleuret 2013, section 3). A strategy with its settings: any number of threads may use it at once.
class Retention {
 public:
  virtual ~Retention() = default;

  // Chooses num_kept of the examples; where there are no more, all stay with their weights. stream: of this
  // round and class alone; the choice depends on nothing else. remarks: hear of a choice that could not be
  // made as it should. REQUIRES: as many signs as weights.
  Kept keep(const Pool& pool, std::size_t num_kept, RandomStream stream, Remarks& remarks) const;

  // Whether examples that are kept may weigh something else than they did.
  virtual bool changes_weights() const { return false; }

 private:
  // num_kept < n.
  virtual Kept choose(const Pool& pool, std::size_t num_kept, RandomStream& stream,
                      Remarks& remarks) const = 0;
};

// The choice of "geem" once the covariance of the edges is known. Where it cannot be inverted with lambda up
// to 1, the examples with the smallest tie numbers stay with their weights, a random choice, and `remarks`
// are warned.
Kept keep_by_covariance(const SymmetricMatrix& covariance, double lambda, const RemovalInput& examples,
                        std::size_t num_kept, Remarks& remarks);

// A row of the table of strategies.
struct RetentionRow {
  std::string_view name;
  std::string_view summary;   // one line, with the citation
  std::string_view settings;  // its keys, none of another row, defaults first: "key: default|other"
  Result<std::unique_ptr<const Retention>> (*make)(Settings& settings);  // the caller refuses other keys
};

// In the order of the names.
std::span<const RetentionRow> retention_strategies();

}  // namespace mash
