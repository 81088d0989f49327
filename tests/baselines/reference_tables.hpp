// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "classifiers/model/linear_model.hpp"
#include "framework/base/file.hpp"
#include "tests/support/places.hpp"
#include "tests/support/world.hpp"

namespace mash::testing {

// Solutions of scikit-learn on three tables: see reference.py.
inline const nlohmann::json& reference() {
  static const nlohmann::json found = nlohmann::json::parse(
      *read_file(std::filesystem::path(source_folder()) / "tests/baselines/reference.json"));
  return found;
}

// A table of the reference with its values kept.
inline World world_of(const nlohmann::json& reference_table) {
  std::vector<float> values;
  for (const auto& row : reference_table["values"])
    for (const auto& value : row) values.push_back(value.get<float>());
  return World(
      table(values, reference_table["labels"].get<std::vector<std::uint16_t>>(), reference_table["classes"]),
      2, true);
}

// expected: intercepts, and coefficients by class.
inline void expect_model(const LinearModel& model, const nlohmann::json& expected, double tolerance) {
  const auto is_near = [&](double found, double wanted) {
    return std::abs(found - wanted) <= tolerance * std::max(1.0, std::abs(wanted));
  };
  const std::size_t num_classes = model.num_classes();
  for (std::size_t l = 0; l < num_classes; ++l) {
    EXPECT_PRED2(is_near, model.intercepts[l], expected["intercepts"][l].get<double>()) << "class " << l;
    for (std::size_t i = 0; i < model.inputs.size(); ++i)
      EXPECT_PRED2(is_near, model.coefficients[i * num_classes + l],
                   expected["coefficients"][l][i].get<double>())
          << "input " << i << ", class " << l;
  }
}

}  // namespace mash::testing
