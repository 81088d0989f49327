// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "framework/dataset/dataset.hpp"

namespace mash {

// The order in which pictures are shown to heuristics. Data sets often come class after class, or with their
// classes in turn: a heuristic that counted the pictures would know the labels. A shuffle that is keyed by a
// secret tells nothing of classes, sides and places. Nobody without the secret can tell which picture comes
// next, not even from the order of all before it. It never leaves this process, except into our own files.

// The places 0 ... count - 1 in secret order. Those of which `follows` says that they go on with the sequence
// of the place before them stay behind it.
std::vector<std::uint32_t> secret_order(std::size_t count, const std::function<bool(std::size_t)>& follows,
                                        std::uint64_t secret);

// All examples of a data set in secret order, sequences whole. Test examples are counted behind those of the
// training side.
std::vector<std::uint32_t> secret_order(const Dataset& dataset, std::uint64_t secret);

// Some examples of a split, in secret order: runs of examples that follow each other in a sequence stay
// whole. The result has places in `rows`.
std::vector<std::uint32_t> secret_order(const Split& split, std::span<const std::uint32_t> rows,
                                        std::uint64_t secret);

}  // namespace mash
