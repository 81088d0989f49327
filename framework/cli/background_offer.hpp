// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/child_process.hpp"

namespace mash {

// One thing that an offer test in the background has told.
struct OfferNews {
  nlohmann::ordered_json document;  // of `mash heuristic try --each-look`; null where the test failed
  std::string failure;              // why it did
};

// Offer tests of plugins, one after the other, in processes of their own that leave the processors to all
// others. The destructor ends them at once.
class BackgroundOffer {
 public:
  // arguments: further ones of `mash heuristic try`, for each plugin.
  BackgroundOffer(std::vector<std::string> plugins, std::vector<std::string> arguments)
      : plugins_(std::move(plugins)), arguments_(std::move(arguments)) {}

  // News since the last call. Errors: a process cannot be started.
  Result<std::vector<OfferNews>> news();
  // Whether all plugins are tested.
  bool has_ended() const { return !child_ && next_ == plugins_.size(); }
  // The last line of the test about its work, of extraction as well; may be empty.
  std::string now_doing() const;
  // The first answer of the test, in a sentence; empty where there is none, or none yet.
  std::string first_answer() const;

 private:
  Status start_next();

  std::vector<std::string> plugins_, arguments_;
  std::size_t next_ = 0;  // plugin to be tested
  std::optional<ChildProcess> child_;
  std::size_t num_read_ = 0;  // bytes of its output
};

// The sentence of a first answer (kFirstSight) among the lines of a test about its work; empty where there is
// none.
std::string first_answer_in(std::string_view lines);
// The document in a line of `mash heuristic try --each-look`; nothing where it is none, or a part of one.
std::optional<nlohmann::ordered_json> offer_in(std::string_view line);
// "+2.61 % of the log-loss (+2.20 to +3.02) after 16 seeds". offer: the document of an offer.
std::string describe_gain(const nlohmann::ordered_json& offer);
// "v1 +1.20 ± 0.90, v2 +2.61 ± 0.41 (±: half the width of the 95 % interval)": the builds that were tried, in
// the order in which they were tried first. Where there are many, the last.
std::string describe_history(const nlohmann::ordered_json& offer);

}  // namespace mash
