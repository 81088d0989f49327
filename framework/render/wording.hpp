// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "framework/base/statistics.hpp"
#include "framework/dataset/dataset.hpp"

// Numbers as pages show them: with a true minus, which is as wide as a plus.
namespace mash {

std::string with_minus(double value, int num_decimals);  // "−0.31", "0.31"
std::string with_sign(double value, int num_decimals);   // "−0.31", "+0.31", "0.00"
// The meaning of the ± of an estimate, for the end of the text or table that has it.
inline constexpr std::string_view kHalfInterval = "±: half the width of the 95 % interval";
// "no", "one", "twelve"; digits beyond that.
std::string number_in_words(std::size_t number);
// "1 picture", "2 pictures".
std::string counted(std::size_t count, std::string_view noun);
// "1 family", "2 families".
std::string counted(std::size_t count, std::string_view one, std::string_view several);

// "Test error" of "test error": the first letter large, where it is one of ASCII.
std::string capitalized(std::string text);

// "19 of 210 wrong: 9.0 %, 95 % interval 5.5 to 13.8 % (Clopper–Pearson)" (share_interval). REQUIRES:
// num_wrong <= total.
std::string wrong_in_words(std::uint64_t num_wrong, std::uint64_t total);

// The number of files that are still shown a line each; more of them as one line, files_in_a_line.
inline constexpr std::size_t kMaxListedFiles = 8;
// "60000 files below data/letters, 47.2 MB".
std::string files_in_a_line(std::span<const SourceFile> files);

}  // namespace mash
