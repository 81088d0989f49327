// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/base/result.hpp"
#include "framework/base/settings.hpp"
#include "mash/abi/image.h"

namespace mash {

// A heuristic's parameter as its descriptor declares it, copied out of the plugin.
struct ParameterInfo {
  enum class Type { kInteger, kReal, kChoice };
  std::string id, summary;
  Type type = Type::kInteger;
  double default_value = 0, minimum = 0, maximum = 0;
  std::vector<std::string> choices;
};

// What a heuristic says about itself, copied out of the plugin: valid after it is unloaded.
struct HeuristicInfo {
  std::string id, version, author, summary, license;
  std::vector<ParameterInfo> parameters;
  bool serial = false;           // MASH_SERIAL
  std::filesystem::path plugin;  // the file it came from
  std::string plugin_sha256;
};

// How a heuristic misbehaved: "feature 3 is infinity".
struct Fault {
  std::string heuristic;
  std::string call;  // "compute"
  std::string message;
};

// A heuristic with its parameters, looked after: every call is checked against the life cycle of
// sdk/include/mash/abi/heuristic.h, and what the plugin gives back is checked before anybody sees it.
// One thread at a time; open several instances for several threads.
class HeuristicInstance {
 public:
  virtual ~HeuristicInstance() = default;

  // The number of features for this view size. Errors: the heuristic's own, 0, more than kMaxDim, or not the
  // same as last time.
  virtual Result<std::uint32_t> dim(mash_size_t view_size) = 0;

  // out[i] = feature indices[i] of the view (all features in order where indices is empty; out.size() = dim
  // then). A NaN or infinite value is recorded as a fault and becomes NaN. Errors: the heuristic's own, a
  // broken contract; the instance remains usable.
  virtual Status extract(const mash_image_t& image, const mash_view_t& view,
                         std::span<const std::uint32_t> indices, std::span<float> out) = 0;

  // Non-finite values since the instance was opened, and the first few of them in words.
  virtual std::uint64_t num_faults() const = 0;
  virtual std::span<const Fault> first_faults() const = 0;
};

// Where heuristics run: in this process, or (a later host) in workers that may crash. Extraction talks to a
// host and cannot tell which.
class HeuristicHost {
 public:
  virtual ~HeuristicHost() = default;

  // Makes an instance. values: one per parameter of `info`, in order, already within range. [any thread]
  virtual Result<std::unique_ptr<HeuristicInstance>> open(const HeuristicInfo& info,
                                                          std::span<const double> values) = 0;
};

inline constexpr std::uint32_t kMaxDim = 1u << 24;  // more features than any honest heuristic has

// Turns what the user wrote ("{id: hog, cell: 4}" less the id) into one value per parameter, defaults filled
// in. Errors: unknown key, wrong type, out of range; each names the place.
Result<std::vector<double>> parameter_values(const HeuristicInfo& info, Settings settings);

// "cell=4,bins=9": all parameters with their values, in declared order; "" where there are none.
std::string describe_values(const HeuristicInfo& info, std::span<const double> values);

}  // namespace mash
