// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "framework/records/submissions.hpp"
#include "framework/render/table.hpp"

// What the site shows, made of what the records hold.
namespace mash::server {

// Ranked by gain: the ranks that each may have, gain, cost, who wrote it.
Table board_table(const Board& board, const std::vector<BoardEntry>& entries);
std::string board_page(const Board& board, const std::vector<BoardEntry>& entries);

// Where a submission is, what was told meanwhile, and its source.
std::string submission_page(const Submission& submission, const std::vector<SubmissionEvent>& events);

// An error, in words that say what to do.
std::string message_page(std::string_view heading, std::string_view text);

}  // namespace mash::server
