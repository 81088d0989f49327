// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "classifiers/learners/learner.hpp"
#include "framework/base/state_file.hpp"

namespace mash {

// The checkpoint of a learner in one step, whose state is numbers.
class KeptState {
 public:
  // format: the learner's name and the version of its state, such as "linear-svm 1".
  KeptState(std::string_view format, const TrainingContext& context)
      : path_(context.checkpoint), document_(std::string(format) + "\n" + context.run_key) {}

  // The state that was kept of this run; nothing where there is none.
  std::optional<std::vector<double>> load() const {
    if (path_.empty()) return std::nullopt;
    auto saved = load_state(path_);
    if (!saved || saved->document != document_) return std::nullopt;
    return std::move(saved->numbers);
  }

  Status save(std::span<const double> numbers) const {
    return path_.empty() ? Status(Done{}) : save_state(path_, document_, numbers);
  }

 private:
  std::filesystem::path path_;
  std::string document_;
};

}  // namespace mash
