// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "framework/render/page.hpp"

namespace mash::server {

// The names and values of a JSON object as a table, the first 60 of them: {"train": {"num_examples": 5}} is a
// row "train: examples". Nothing where it is no object, or an empty one.
page::Piece facts_piece(std::string_view document, std::string_view caption);

// The lines of an experiment that say its data set; all of it where none begins with "dataset:".
std::string dataset_lines(std::string_view experiment);

}  // namespace mash::server
