// SPDX-License-Identifier: Apache-2.0
#include "framework/render/dendrogram.hpp"

#include <algorithm>

namespace mash {
namespace {

constexpr double kTreeTop = 8, kTreeRowHeight = 20, kTreeBottom = 52;
struct TreeLayout {
  double width, left, names;  // names: how wide they may be
};
constexpr TreeLayout kTreeWide{900, 20, 240}, kTreeNarrow{400, 8, 140};
constexpr std::string_view kTitle = "Families by likeness";

// Where a leaf or a merge has its branch.
struct Node {
  double x = 0, y = 0;
};

// The places of the leaves, then of the merges, each of which is in the middle of its two branches.
std::vector<Node> place_nodes(std::span<const Merge> merges, std::size_t num_leaves, const svg::Axis& axis) {
  std::vector<Node> nodes(num_leaves);
  const std::vector<std::size_t> order = leaf_order(merges, num_leaves);
  for (std::size_t i = 0; i < order.size(); ++i)
    nodes[order[i]] = {axis.place(0), kTreeTop + kTreeRowHeight * (double(i) + 0.5)};
  for (const Merge& merge : merges)
    nodes.push_back({axis.place(merge.height), (nodes[merge.left].y + nodes[merge.right].y) / 2});
  return nodes;
}

// For each leaf, then for each merge, whether it is this leaf or above it.
std::vector<bool> branches_above(std::span<const Merge> merges, std::size_t num_leaves, std::size_t leaf) {
  std::vector<bool> is_above(num_leaves + merges.size());
  if (leaf < num_leaves) is_above[leaf] = true;
  for (std::size_t i = 0; i < merges.size(); ++i)
    is_above[num_leaves + i] = is_above[merges[i].left] || is_above[merges[i].right];
  return is_above;
}

Html branch(const Node& from, const Node& to, bool is_highlighted) {
  return markup("<polyline class=\"{}\" points=\"{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}\"/>\n",
                is_highlighted ? "branch own" : "branch", from.x, from.y, to.x, from.y, to.x, to.y);
}

Html leaf_name(const std::string& name, const Node& node, double width, bool is_highlighted) {
  return markup("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\"><title>{}</title>{}</text>\n",
                is_highlighted ? "strong own" : "strong", node.x + 10, node.y + 4.5, name,
                svg::shortened(name, width));
}

std::string description_of(std::span<const std::string> names, std::span<const Merge> merges,
                           std::size_t highlighted) {
  std::string text = fmt::format("{} families", names.size());
  if (!merges.empty()) text += fmt::format(", the last joined at {:.2f}", merges.back().height);
  for (const Merge& merge : merges) {
    if (highlighted >= names.size() || (merge.left != highlighted && merge.right != highlighted)) continue;
    const std::size_t other = merge.left == highlighted ? merge.right : merge.left;
    return fmt::format("{}. {} first joins {} at {:.2f}.", text, names[highlighted],
                       other < names.size() ? names[other] : "a group of families", merge.height);
  }
  return text + ".";
}

}  // namespace

std::vector<std::size_t> leaf_order(std::span<const Merge> merges, std::size_t num_leaves) {
  std::vector<std::size_t> order, waiting;  // waiting: the next place at the end
  if (num_leaves > 0) waiting.push_back(num_leaves + merges.size() - 1);
  while (!waiting.empty()) {
    const std::size_t place = waiting.back();
    waiting.pop_back();
    if (place < num_leaves) {
      order.push_back(place);
    } else {
      waiting.push_back(merges[place - num_leaves].right);
      waiting.push_back(merges[place - num_leaves].left);
    }
  }
  return order;
}

Html dendrogram_svg(std::string_view id, std::span<const std::string> names, std::span<const Merge> merges,
                    std::size_t highlighted, Room room) {
  const TreeLayout& layout = room == Room::kWide ? kTreeWide : kTreeNarrow;
  const double highest = merges.empty() ? 0 : merges.back().height;
  svg::Axis axis{Scale::kLinear, 0, highest > 0 ? highest : 1, layout.width - layout.names, layout.left};
  axis.widen_to_steps(6);
  const std::vector<Node> nodes = place_nodes(merges, names.size(), axis);
  const std::vector<bool> is_above = branches_above(merges, names.size(), highlighted);
  const double bottom = kTreeTop + kTreeRowHeight * double(names.size());
  Html out = svg::open(layout.width, bottom + kTreeBottom, svg::id_in(room, id), kTitle,
                       description_of(names, merges, highlighted));
  for (std::size_t i = 0; i < merges.size(); ++i) {
    for (const std::size_t child : {merges[i].left, merges[i].right})
      out += branch(nodes[child], nodes[names.size() + i], is_above[child]);
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    out += leaf_name(names[i], nodes[i], layout.names - 10, i == highlighted);
  out += svg::horizontal_axis(axis, bottom + 2, "1 − CKA (right: alike, left: unlike)", Format::kDecimal);
  out += markup("</svg>\n");
  return out;
}

Plot dendrogram(std::string_view id, std::span<const std::string> names, std::span<const Merge> merges,
                std::size_t highlighted) {
  Table numbers;
  numbers.columns = {{"join", "join", Format::kCount},
                     {"left", "of", Format::kText},
                     {"right", "and", Format::kText},
                     {"height", "at", Format::kDecimal}};
  const auto name = [&](std::size_t place) {
    return place < names.size() ? names[place] : fmt::format("join {}", place - names.size() + 1);
  };
  for (std::size_t i = 0; i < merges.size(); ++i)
    numbers.rows.push_back(
        {std::int64_t(i + 1), name(merges[i].left), name(merges[i].right), merges[i].height});
  return {std::string(id),
          std::string(kTitle),
          description_of(names, merges, highlighted),
          dendrogram_svg(id, names, merges, highlighted, Room::kWide),
          dendrogram_svg(id, names, merges, highlighted, Room::kNarrow),
          std::move(numbers)};
}

}  // namespace mash
