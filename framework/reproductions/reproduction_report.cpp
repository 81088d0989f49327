// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/reproduction_report.hpp"

#include <fmt/format.h>

namespace mash {

std::string usual_markdown(const ReproductionReport& report, std::string_view command) {
  std::string text = fmt::format("# {}\n\n", report.table.title);
  if (!report.caveat.empty()) text += report.caveat + "\n\n";
  text += fmt::format("```\n{}\n```\n\n", command);
  if (!report.svg.empty()) text += fmt::format("![{}]({}.svg)\n\n", report.table.title, report.name);
  text += render_markdown(report.table);
  if (!report.remarks.empty()) text += "\n";
  for (const std::string& line : report.remarks) text += fmt::format("- {}\n", line);
  return text;
}

}  // namespace mash
