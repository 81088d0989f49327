// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "framework/render/page.hpp"
#include "server/http/heuristics/compare.hpp"

namespace mash::server {

// Submissions beside each other: whether their gains differ by more than chance, the gains, what differs in
// general and for each class, and what is the same.
std::vector<page::Section> compare_sections(std::span<const Compared> compared);

}  // namespace mash::server
