// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "framework/extractors/catalogue.hpp"
#include "picture.hpp"

namespace mash {

// All heuristics of the folder under test.
inline Catalogue& builtin() {
  static Catalogue catalogue = [] {
    const std::filesystem::path folders[] = {std::filesystem::path(MASH_TESTED_HEURISTICS)};
    return Catalogue::scan(folders);
  }();
  return catalogue;
}

using Keys = std::initializer_list<std::pair<const char*, const char*>>;

inline Result<std::vector<double>> values_of(const HeuristicInfo& info, Keys keys) {
  Settings settings;
  for (const auto& [key, value] : keys) settings.add(key, value, "test");
  return parameter_values(info, std::move(settings));
}

// An instance of a heuristic; its functions fail the test instead of returning an error.
class Builtin {
 public:
  explicit Builtin(const std::string& id, Keys keys = {}) {
    const auto info = builtin().find(id);
    if (!info) {
      ADD_FAILURE() << info.error().message;
      return;
    }
    const auto values = values_of(**info, keys);
    if (values)
      open(**info, *values);
    else
      ADD_FAILURE() << values.error().message;
  }
  Builtin(const HeuristicInfo& info, std::span<const double> values) { open(info, values); }

  std::uint32_t dim(mash_size_t size) {
    const auto n = instance_->dim(size);
    EXPECT_TRUE(n) << n.error().message;
    return n ? *n : 0;
  }

  // All features in order.
  std::vector<float> features(const Picture& picture) {
    std::vector<float> out(dim(picture.size()), -12345.f);
    const Status status = instance_->extract(picture.abi(), picture.view(), {}, out);
    EXPECT_TRUE(status) << status.error().message;
    return out;
  }

  HeuristicInstance& instance() { return *instance_; }

 private:
  void open(const HeuristicInfo& info, std::span<const double> values) {
    auto instance = builtin().host().open(info, values);
    if (instance)
      instance_ = *std::move(instance);
    else
      ADD_FAILURE() << instance.error().message;
  }

  std::unique_ptr<HeuristicInstance> instance_;
};

}  // namespace mash
