// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "framework/base/result.hpp"
#include "framework/render/table.hpp"

// Texts of a server's documents, for people. A key that is missing, or has another kind than expected, is
// taken for one that says nothing.
namespace mash {

std::string text_at(const nlohmann::ordered_json& document, const char* key);
std::optional<double> number_at(const nlohmann::ordered_json& document, const char* key);

// The table of a server's leaderboard.
Table leaderboard_table(const nlohmann::ordered_json& document);
// The rank of a submission on it: "1" or "2–5".
std::optional<std::string> rank_of(const nlohmann::ordered_json& leaderboard, std::int64_t submission);

// The table of {"submissions": [...]}.
Table submissions_table(const nlohmann::ordered_json& document);

// "judging: 8 of 16 seeds", of an event of a submission.
std::string describe_event(const nlohmann::ordered_json& event);
// The contributor of a submission, its source, its state and what the judges found, in lines.
std::string describe_submission(const nlohmann::ordered_json& submission);
// Success: it was published. Errors (kFailure): how it ended otherwise, or that it has not.
Status how_it_ended(const nlohmann::ordered_json& submission);

}  // namespace mash
