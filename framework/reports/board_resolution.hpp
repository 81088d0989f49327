// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace mash {

// Differences that a board can tell apart, before anything is judged on it: from families of its own base
// that were offered beside the other ones (of fewer than four once more beside all), with a few seeds. Per cent
// of the log-loss.
struct BoardResolution {
  std::size_t num_pictures = 0;  // that judge
  double wrong = 0;              // of these, by the base alone, mean over seeds
  std::size_t num_offered = 0, num_seeds = 0;
  double gain = 0;  // of these, their median: errors are larger where more is gained
  // The figures with another number of seeds, about.
  struct At {
    std::size_t num_seeds = 0;
    double half_width = 0;  // of the interval of a gain, the median of those that were offered
    double difference = 0;  // of two entries of kResolutionEntries that are told apart, the median of pairs
  };
  std::vector<At> at;
  double of_pictures = 0;  // the same difference with any number of seeds

  // Whether the base leaves something to be learned.
  bool leaves_enough() const;
};
// Entries for which differences are told.
inline constexpr std::size_t kResolutionEntries = 20;

// In a few sentences: "The base gets 246 of 1,186 ..."
std::string in_words(const BoardResolution& resolution);
nlohmann::ordered_json to_json(const BoardResolution& resolution);

}  // namespace mash
