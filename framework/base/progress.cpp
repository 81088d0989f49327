// SPDX-License-Identifier: Apache-2.0
#include "framework/base/progress.hpp"

namespace mash {
namespace {

class NoProgress final : public Progress {
 public:
  void start(std::string, std::size_t, std::string) override {}
  void advance(std::size_t) override {}
  void note(std::string) override {}
  void finish() override {}
};

}  // namespace

Progress& no_progress() {
  static NoProgress instance;
  return instance;
}

std::unique_ptr<Progress> silent_progress() { return std::make_unique<NoProgress>(); }

}  // namespace mash
