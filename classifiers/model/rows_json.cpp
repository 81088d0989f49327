// SPDX-License-Identifier: Apache-2.0
#include "classifiers/model/rows_json.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "framework/base/base64.hpp"

namespace mash {
namespace {

constexpr const char* kRowKey = "numbers";

}  // namespace

bool has_rows_of_codes(const InputModel& model) {
  return std::all_of(model.inputs.begin(), model.inputs.end(),
                     [](const ModelInput& input) { return input.is_code(); });
}

std::string text_of_row(const NumberRows& rows, std::size_t n) {
  std::string bytes;
  for (std::size_t i = n * rows.num_columns; i < (n + 1) * rows.num_columns; ++i) {
    if (rows.are_codes()) {
      bytes.push_back(char(rows.codes[i]));
      continue;
    }
    const auto bits = std::bit_cast<std::uint32_t>(rows.values[i]);
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(char(bits >> shift & 0xff));
  }
  return base64(bytes);
}

void read_row(JsonReader& reader, const InputModel& model, NumberRows& rows) {
  const bool are_codes = has_rows_of_codes(model);
  const std::size_t width = model.inputs.size(), bytes_of_number = are_codes ? 1 : sizeof(float);
  const auto bytes = bytes_of_base64(reader.text(kRowKey));
  if (!reader.status().ok()) return;
  if (!bytes || bytes->size() != width * bytes_of_number) {
    reader.fail(kRowKey, fmt::format("{} bytes as base64, {} for each input", width * bytes_of_number,
                                     bytes_of_number));
    return;
  }
  for (std::size_t i = 0; i < width; ++i) {
    if (are_codes) {
      const auto code = std::uint8_t((*bytes)[i]);
      if (code > model.inputs[i].thresholds.size())
        reader.fail(kRowKey, "codes that are at most the number of thresholds of their inputs");
      rows.codes.push_back(code);
      continue;
    }
    std::uint32_t bits = 0;
    for (std::size_t b = 0; b < sizeof(float); ++b)
      bits |= std::uint32_t(std::uint8_t((*bytes)[i * sizeof(float) + b])) << (8 * b);
    rows.values.push_back(std::bit_cast<float>(bits));
    if (!std::isfinite(rows.values.back())) reader.fail(kRowKey, "finite numbers");
  }
}

}  // namespace mash
