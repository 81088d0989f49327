// SPDX-License-Identifier: Apache-2.0
#include "framework/base/machine.hpp"
#include "tests/cli/end_to_end.hpp"

namespace mash {
namespace {

TEST(Memory, OfTheProgramThatStartsARunIsNotTheRuns) {
  constexpr std::size_t kBytes = std::size_t(512) << 20;
  const std::vector<char> ours(kBytes, 1);
  ASSERT_GE(peak_memory_bytes(), kBytes);
  const testing::Sandbox sandbox;
  testing::write_text(sandbox.work() / "e.yaml",
                      "dataset: {name: digits, train: 200, test: 100}\n"
                      "heuristics: [grayscale]\n"
                      "booster: {name: adaboost.mh, rounds: 2}\n");
  const auto peak =
      testing::run_json(sandbox, {"mash", "run", "e.yaml", "--json"})["peak_memory_bytes"].get<std::size_t>();
  EXPECT_GT(peak, std::size_t(1) << 20);
  EXPECT_LT(peak, kBytes) << "held here: " << ours.size();
}

}  // namespace
}  // namespace mash
