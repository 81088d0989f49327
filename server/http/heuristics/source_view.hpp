// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "framework/records/submissions.hpp"
#include "framework/render/page.hpp"

// Sources as pages show them. Long ones end after 5000 lines.
namespace mash::server {

// Where the source of a submission was that has none any more.
inline constexpr std::string_view kTakenBack =
    "It was taken back before it was judged, so its source is not kept.";

// The source with the numbers of its lines, and below each what the compiler and the checks say of it; what
// is of no line stands before it.
page::Piece source_piece(const Submission& submission, std::span<const SourceFinding> findings);

// Lines of a source that another one has too, both included, from 1.
struct MarkedLines {
  std::uint64_t first = 0, last = 0;
};
// Two sources side by side. The i-th part of either stands out and has the number i + 1 beside its lines,
// which leads to the same part on the other side.
struct Side {
  std::string_view name, source;
  std::vector<MarkedLines> parts;
};
page::Piece sides_piece(const Side& one, const Side& other);

// Changes from one source to another: added and removed lines with their neighbours.
page::Piece changes_piece(std::string_view before, std::string_view after);

}  // namespace mash::server
