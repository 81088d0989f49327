// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/heuristic_json.hpp"

#include <string>

#include "framework/extractors/descriptor.hpp"
#include "mash/abi/entry.h"

namespace mash {
namespace {

using Json = nlohmann::json;

// Throws nlohmann::json::exception where it is no whole number from 0: a conversion would take 1e300 for one.
std::uint64_t whole_number(const Json& json) { return json.get_ref<const Json::number_unsigned_t&>(); }

Json json_of(const ParameterInfo& parameter) {
  return {{"id", parameter.id},
          {"summary", parameter.summary},
          {"type", unsigned(parameter.type)},
          {"default", parameter.default_value},
          {"minimum", parameter.minimum},
          {"maximum", parameter.maximum},
          {"choices", parameter.choices}};
}

// A descriptor of the ABI made of JSON, with the memory that it points to: what a plugin's own descriptor is
// checked by (read_descriptor) checks this one too.
class Descriptor {
 public:
  // Throws nlohmann::json::exception where a member is missing or of another type.
  explicit Descriptor(const Json& json)
      : id_(json.at("id").get<std::string>()),
        version_(json.at("version").get<std::string>()),
        author_(json.at("author").get<std::string>()),
        summary_(json.at("summary").get<std::string>()),
        license_(json.at("license").get<std::string>()),
        parameters_(json.at("parameters").begin(), json.at("parameters").end()) {
    for (const Json& parameter : parameters_) add(parameter);
    heuristic_.struct_size = sizeof heuristic_;
    heuristic_.flags = json.at("serial").get<bool>() ? std::uint32_t(MASH_SERIAL) : 0;
    heuristic_.id = id_.c_str();
    heuristic_.version = version_.c_str();
    heuristic_.author = author_.c_str();
    heuristic_.summary = summary_.c_str();
    heuristic_.license = license_.c_str();
    heuristic_.num_parameters = std::uint32_t(rows_.size());
    heuristic_.parameters = rows_.data();
    // Never called: read_descriptor wants to see that there are functions.
    heuristic_.create = [](const mash_host_t*, const double*, std::uint32_t, mash_instance_t**) {
      return std::int32_t(MASH_ERROR);
    };
    heuristic_.dim = [](mash_instance_t*, mash_size_t, std::uint32_t*) { return std::int32_t(MASH_ERROR); };
    heuristic_.prepare = [](mash_instance_t*, const mash_image_t*, const mash_view_t*, mash_state_t**) {
      return std::int32_t(MASH_ERROR);
    };
    heuristic_.compute = [](mash_state_t*, const std::uint32_t*, std::uint32_t, float*) {
      return std::int32_t(MASH_ERROR);
    };
    heuristic_.release = [](mash_state_t*) {};
    heuristic_.destroy = [](mash_instance_t*) {};
  }

  const mash_heuristic_t& heuristic() const { return heuristic_; }

 private:
  void add(const Json& json) {
    mash_parameter_t row{};
    row.id = json.at("id").get_ref<const std::string&>().c_str();
    row.summary = json.at("summary").get_ref<const std::string&>().c_str();
    constexpr std::int32_t kTypes[] = {MASH_PARAMETER_INTEGER, MASH_PARAMETER_REAL, MASH_PARAMETER_CHOICE};
    const std::uint64_t type = whole_number(json.at("type"));
    row.type = type < std::size(kTypes) ? std::uint32_t(kTypes[type]) : 0;
    row.default_value = json.at("default").get<double>();
    row.minimum = json.at("minimum").get<double>();
    row.maximum = json.at("maximum").get<double>();
    std::vector<const char*>& choices = choices_.emplace_back();
    for (const Json& choice : json.at("choices"))
      choices.push_back(choice.get_ref<const std::string&>().c_str());
    row.choices = choices.data();
    row.num_choices = std::uint32_t(choices.size());
    rows_.push_back(row);
  }

  std::string id_, version_, author_, summary_, license_;
  std::vector<Json> parameters_;
  std::vector<std::vector<const char*>> choices_;
  std::vector<mash_parameter_t> rows_;
  mash_heuristic_t heuristic_{};
};

}  // namespace

Json json_of(const std::vector<HeuristicInfo>& heuristics) {
  Json array = Json::array();
  for (const HeuristicInfo& info : heuristics) {
    Json parameters = Json::array();
    for (const ParameterInfo& parameter : info.parameters) parameters.push_back(json_of(parameter));
    array.push_back({{"id", info.id},
                     {"version", info.version},
                     {"author", info.author},
                     {"summary", info.summary},
                     {"license", info.license},
                     {"serial", info.serial},
                     {"looks_back", info.looks_back},
                     {"parameters", parameters}});
  }
  return array;
}

Result<std::vector<HeuristicInfo>> heuristics_in(const Json& json) {
  if (!json.is_array() || json.empty()) return input_error("a worker named no heuristic");
  std::vector<HeuristicInfo> heuristics;
  try {
    for (const Json& element : json) {
      MASH_ASSIGN(HeuristicInfo info, read_descriptor(Descriptor(element).heuristic()));
      const std::uint64_t looks_back = whole_number(element.at("looks_back"));
      MASH_TRY(check_looks_back(looks_back));
      info.looks_back = std::uint32_t(looks_back);
      heuristics.push_back(std::move(info));
    }
  } catch (const Json::exception&) {
    return input_error(
        "what mash-worker says of its heuristics cannot be read; it may be of another version of mash: "
        "expected both of one installation");
  }
  return heuristics;
}

}  // namespace mash
