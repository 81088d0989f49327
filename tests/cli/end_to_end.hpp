// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program.hpp"

namespace mash::testing {

// The output of the program, which must end well and print one JSON document.
inline nlohmann::json run_json(const Sandbox& sandbox, const std::vector<std::string>& arguments) {
  const ProgramResult result = sandbox.run(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  nlohmann::json json = nlohmann::json::parse(result.out, nullptr, false);
  EXPECT_TRUE(json.is_object()) << result.out;
  return json.is_object() ? json : nlohmann::json::object();
}

inline void run_well(const Sandbox& sandbox, const std::vector<std::string>& arguments) {
  const ProgramResult result = sandbox.run(arguments);
  EXPECT_EQ(result.exit_code, 0) << arguments[0] << ": " << result.out << result.err;
}

inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace mash::testing
