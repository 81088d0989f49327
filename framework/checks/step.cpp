// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/step.hpp"

#include <cmath>

#include "framework/base/raw_values.hpp"
#include "framework/base/utf8.hpp"

namespace mash::checks {
namespace {

using Json = nlohmann::json;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

Json json_of(const Picture& picture) {
  const Layout& layout = picture.layout();
  return {picture.size().width,
          picture.size().height,
          picture.pixels().num_channels,
          layout.left,
          layout.top,
          layout.right,
          layout.bottom,
          layout.column_stride,
          layout.row_padding,
          layout.misalignment,
          int(picture.fence()),
          int(picture.is_read_only())};
}

// Cuts its samples off `bytes`.
Picture picture_in(const Json& json, std::string_view& bytes) {
  Pixels pixels{{json.at(0), json.at(1)}, json.at(2), {}};
  const std::size_t num_samples = std::size_t(pixels.size.width) * pixels.size.height * pixels.num_channels;
  const std::string_view samples = bytes.substr(0, num_samples);
  pixels.samples.assign(samples.begin(), samples.end());
  bytes.remove_prefix(samples.size());
  Picture picture(std::move(pixels),
                  {.left = json.at(3),
                   .top = json.at(4),
                   .right = json.at(5),
                   .bottom = json.at(6),
                   .column_stride = json.at(7),
                   .row_padding = json.at(8),
                   .misalignment = json.at(9)},
                  Fence(json.at(10).get<int>()));
  if (json.at(11).get<int>() != 0) picture.forbid_writing();
  return picture;
}

template <class T>
std::optional<T> optional_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() ? std::nullopt : std::optional(T(found->get<int>()));
}

Error no_answer(std::string_view why) { return input_error("answered what is no answer: {}", why); }

}  // namespace

StepMessage message_of(const Step& step) {
  Json json{{"step", kStepNames[std::size_t(step.kind)]},
            {"instance", step.instance},
            {"name", step.name},
            {"values", step.values},
            {"size", {step.size.width, step.size.height}},
            {"frame", {step.frame.num_before, step.frame.camera, step.frame.is_last}},
            {"num_values", step.num_values},
            {"fill", step.fill},
            {"num_cycles", step.num_cycles},
            {"seconds", step.seconds},
            {"num_indices", step.indices.size()},
            {"pictures", Json::array()}};
  if (step.stack_fill) json["stack_fill"] = *step.stack_fill;
  if (step.out_placement) json["out_placement"] = int(*step.out_placement);
  if (step.index_placement) json["index_placement"] = int(*step.index_placement);
  StepMessage message;
  message.bytes = bytes_of(step.indices);
  for (const Picture& picture : step.pictures) {
    json["pictures"].push_back(json_of(picture));
    message.bytes += bytes_of(picture.pixels().samples);
  }
  json["bytes"] = message.bytes.size();
  message.line = json.dump();
  return message;
}

std::size_t num_bytes_after(std::string_view line) {
  return parse_object(line, kOurOwnJson).at("bytes").get<std::size_t>();
}

Step step_in(std::string_view line, std::string_view bytes) {
  const Json json = parse_object(line, kOurOwnJson);
  const auto name = std::find(kStepNames.begin(), kStepNames.end(), json.at("step").get<std::string>());
  Step step{StepKind(name - kStepNames.begin())};
  step.instance = json.at("instance");
  step.name = json.at("name");
  step.values = json.at("values").get<std::vector<double>>();
  step.size = {json.at("size").at(0), json.at("size").at(1)};
  step.frame = {json.at("frame").at(0), json.at("frame").at(1), json.at("frame").at(2)};
  step.num_values = json.at("num_values");
  step.fill = json.at("fill");
  step.num_cycles = json.at("num_cycles");
  step.seconds = json.at("seconds");
  step.stack_fill = optional_in<std::uint8_t>(json, "stack_fill");
  step.out_placement = optional_in<Placement>(json, "out_placement");
  step.index_placement = optional_in<Placement>(json, "index_placement");
  const std::size_t index_bytes = json.at("num_indices").get<std::size_t>() * sizeof(std::uint32_t);
  step.indices = values_from_bytes<std::uint32_t>(bytes.data(), std::min(index_bytes, bytes.size()));
  bytes.remove_prefix(index_bytes);
  for (const Json& picture : json.at("pictures")) step.add(picture_in(picture, bytes));
  return step;
}

Result<std::uint64_t> StepAnswer::number(std::size_t i) const {
  constexpr double kMost = 9007199254740992.0;  // 2^53
  if (i >= numbers.size() || !(numbers[i] >= 0 && numbers[i] <= kMost) ||
      numbers[i] != std::trunc(numbers[i]))
    return no_answer("a whole number is missing");
  return std::uint64_t(numbers[i]);
}

StepMessage message_of(const StepAnswer& answer) {
  StepMessage message{"", bytes_of(answer.values)};
  Json json{{"arithmetic", answer.arithmetic}, {"bytes", message.bytes.size()}};
  if (answer.error) json["error"] = *answer.error;
  if (answer.is_refused) json["refused"] = true;
  if (!answer.numbers.empty()) json["numbers"] = answer.numbers;
  if (!answer.texts.empty()) json["texts"] = answer.texts;
  message.line = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return message;
}

Result<AnswerLine> read_answer_line(std::string_view line) {
  const auto json = parse_json(line, kBoundsOfAnswer);
  if (!json.ok() || !json->is_object()) return no_answer(printable(line, 80));
  AnswerLine read;
  for (const auto& [key, value] : json->items()) {
    if (key == "arithmetic" && value.is_number_unsigned()) {
      read.answer.arithmetic = value.get<std::uint32_t>();
    } else if (key == "bytes" && value.is_number_unsigned()) {
      read.num_bytes = value.get<std::size_t>();
    } else if (key == "error" && value.is_string()) {
      read.answer.error = printable(value.get_ref<const std::string&>());
    } else if (key == "refused" && value.is_boolean()) {
      read.answer.is_refused = value.get<bool>();
    } else if (key == "numbers" && value.is_array()) {
      for (const Json& number : value) {
        if (!number.is_number()) return no_answer("'numbers' has something else");
        read.answer.numbers.push_back(number.get<double>());
      }
    } else if (key == "texts" && value.is_array()) {
      for (const Json& text : value) {
        if (!text.is_string()) return no_answer("'texts' has something else");
        read.answer.texts.push_back(text.get<std::string>());
      }
    } else {
      return no_answer(fmt::format("it has a '{}'", printable(key, 40)));
    }
  }
  return read;
}

}  // namespace mash::checks
