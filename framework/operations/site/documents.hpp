// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "framework/base/result.hpp"
#include "framework/render/table.hpp"

// Texts of a server's documents, for people. A key that is missing, or whose value has another type than
// expected, counts as empty.
namespace mash {

std::string text_at(const nlohmann::ordered_json& document, const char* key);
std::optional<double> number_at(const nlohmann::ordered_json& document, const char* key);

// The table of a server's leaderboard.
Table leaderboard_table(const nlohmann::ordered_json& document);
// The rank of a submission on the leaderboard: "1" or "2–5".
std::optional<std::string> rank_of(const nlohmann::ordered_json& leaderboard, std::int64_t submission);

// The table of {"submissions": [...]}.
Table submissions_table(const nlohmann::ordered_json& document);

// Attempts and the end of the board of a submission that was handed in: "attempts used in 24 hours: 2 of 3;
// the board digits closes on 2026-12-15 22:59 UTC". Empty: the board bounds neither.
std::string describe_intake(const nlohmann::ordered_json& submission);
// The text of an event of a submission, such as "judging: 8 of 16 seeds".
std::string describe_event(const nlohmann::ordered_json& event);
// The contributor, source, state and judgement of a submission, in lines.
std::string describe_submission(const nlohmann::ordered_json& submission);
// Success where the submission was published. Errors (kFailure): it ended in another way, or has not ended.
Status how_it_ended(const nlohmann::ordered_json& submission);

}  // namespace mash
