// SPDX-License-Identifier: Apache-2.0
#include "framework/extractors/parameters.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "framework/base/random.hpp"

namespace mash {
namespace {

Result<double> read_value(const ParameterInfo& parameter, Settings& settings) {
  switch (parameter.type) {
    case ParameterInfo::Type::kReal:
      return settings.real(parameter.id, parameter.default_value, parameter.minimum, parameter.maximum);
    case ParameterInfo::Type::kInteger: {
      MASH_ASSIGN(const std::int64_t value,
                  settings.integer(parameter.id, std::int64_t(parameter.default_value),
                                   std::int64_t(parameter.minimum), std::int64_t(parameter.maximum)));
      return double(value);
    }
    case ParameterInfo::Type::kChoice: break;
  }
  const std::vector<std::string_view> choices(parameter.choices.begin(), parameter.choices.end());
  MASH_ASSIGN(
      const std::string value,
      settings.choice(parameter.id, parameter.choices[std::size_t(parameter.default_value)], choices));
  return double(std::find(choices.begin(), choices.end(), value) - choices.begin());
}

std::string describe_value(const ParameterInfo& parameter, double value) {
  switch (parameter.type) {
    case ParameterInfo::Type::kReal: return fmt::format("{}", value);
    case ParameterInfo::Type::kInteger: return fmt::format("{}", std::int64_t(value));
    case ParameterInfo::Type::kChoice: break;
  }
  return parameter.choices[std::size_t(value)];
}

}  // namespace

Result<std::vector<double>> parameter_values(const HeuristicInfo& info, Settings settings) {
  std::vector<double> values;
  for (const ParameterInfo& parameter : info.parameters) {
    MASH_ASSIGN(const double value, read_value(parameter, settings));
    values.push_back(value);
  }
  MASH_TRY(settings.finish(fmt::format("heuristic {}", info.id)));
  return values;
}

std::vector<Error> parameter_problems(const HeuristicInfo& info, const Settings& settings) {
  Settings checked = settings.for_checking();
  for (const ParameterInfo& parameter : info.parameters) (void)read_value(parameter, checked);
  (void)checked.finish(fmt::format("heuristic {}", info.id));
  return {checked.problems().begin(), checked.problems().end()};
}

void draw_seed(const HeuristicInfo& info, std::uint64_t experiment_seed, std::span<double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ParameterInfo& parameter = info.parameters[i];
    if (parameter.id != "seed" || parameter.type != ParameterInfo::Type::kInteger ||
        parameter.default_value != 0 || values[i] != 0 || parameter.maximum < 1)
      continue;
    RandomStream random(experiment_seed, "the seed of heuristic " + info.id);
    values[i] = 1 + double(random.below(std::uint64_t(parameter.maximum)));
  }
}

Settings parameter_settings(const HeuristicInfo& info, std::span<const double> values) {
  Settings settings;
  for (std::size_t i = 0; i < values.size(); ++i)
    settings.add(info.parameters[i].id, describe_value(info.parameters[i], values[i]), "");
  return settings;
}

std::string describe_values(const HeuristicInfo& info, std::span<const double> values) {
  std::vector<std::string> pairs;
  for (std::size_t i = 0; i < values.size(); ++i)
    pairs.push_back(
        fmt::format("{}={}", info.parameters[i].id, describe_value(info.parameters[i], values[i])));
  return fmt::format("{}", fmt::join(pairs, ","));
}

}  // namespace mash
