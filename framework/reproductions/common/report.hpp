// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/render/table.hpp"

namespace mash {

// The result of a reproduction: a table for the terminal and for machines, and the contents of its files.
struct ReproductionReport {
  std::string name;  // of the files, without ending
  Table table;
  std::string caveat;                // how our data differ from the paper's; empty where they do not
  std::vector<std::string> remarks;  // what the figures say, a line each
  std::string markdown;
  std::string svg;  // empty: there is no picture
};

// Says in the caveat, and in Markdown that is there already, that these settings were given in place of those
// of the publication: its figures and ours are then not of the same thing.
void tell_changes(std::span<const std::string> settings, ReproductionReport& report);

// The beginning of a table in Markdown: title, caveat, the command that made it, and the training revision.
std::string markdown_head(std::string_view title, std::string_view caveat, std::string_view command);

// The usual Markdown of a report: its head, picture, table and remarks.
std::string usual_markdown(const ReproductionReport& report, std::string_view command);

}  // namespace mash
