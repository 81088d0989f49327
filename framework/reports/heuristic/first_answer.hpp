// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "framework/reports/heuristic/offer.hpp"

namespace mash {

// An answer on a heuristic before that of the full offer test: an offer test on a part of the training
// pictures, beside the families of the pool that are computed in a few seconds. Beside another pool and on
// other pictures a gain is another quantity, so it is told with both and stands in no record.
struct FirstAnswer {
  // A family of the pool that it was not offered beside.
  struct LeftOut {
    std::string family;
    std::string reason;  // "takes 12 s on these pictures"
  };
  HeuristicOffer offer;           // with the part's pictures and pool
  std::size_t num_all_train = 0;  // training pictures of the data set
  std::vector<LeftOut> left_out;
  double seconds = 0;        // of all of it, without loading the pictures
  std::string full_command;  // the full test; empty where that goes on by itself
};

// "adds", "harmful", "no gain seen", "undecided", "copy", "suspicious" or "nothing to learn". What adds
// nothing here may add something on all pictures, so that it is never told that it adds nothing.
std::string_view first_finding(const FirstAnswer& answer);

// In one sentence, which begins with kFirstSight, with what it is founded on.
inline constexpr std::string_view kFirstSight = "At first sight, ";
std::string headline(const FirstAnswer& answer);
// The sentence, what was left out, and what comes next.
std::string render_text(const FirstAnswer& answer);
// Gains are in per cent of the log-loss.
nlohmann::ordered_json to_json(const FirstAnswer& answer);

}  // namespace mash
