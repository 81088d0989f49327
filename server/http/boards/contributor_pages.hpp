// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "framework/render/page.hpp"
#include "server/http/frame/board_cache.hpp"
#include "server/http/frame/visit.hpp"

namespace mash::server {

// A contributor, as others see them.
struct ContributorView {
  std::string name;
  std::vector<std::shared_ptr<const BoardStand>> stands;  // of the newest version of each board
  std::vector<Submission> submissions;                    // that the visitor may see
};

// How many of their heuristics stand on all boards.
std::size_t num_entries(const ContributorView& view);
std::vector<page::Section> contributor_sections(const ContributorView& view);

}  // namespace mash::server
