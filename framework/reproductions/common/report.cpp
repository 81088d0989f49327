// SPDX-License-Identifier: Apache-2.0
#include "framework/reproductions/common/report.hpp"

#include <fmt/ranges.h>

#include "classifiers/boosters/loop/training_revision.hpp"
#include "framework/render/wording.hpp"

namespace mash {

void tell_changes(std::span<const std::string> settings, ReproductionReport& report) {
  if (settings.empty()) return;
  const std::string changes = fmt::format(
      "Not as published: {} set here. The published figures are of other settings, and stand beside ours for "
      "orientation alone.",
      fmt::join(settings, ", "));
  report.caveat += (report.caveat.empty() ? "" : " ") + changes;
  const std::size_t of_command = report.markdown.find("```\n");
  if (of_command != std::string::npos) report.markdown.insert(of_command, changes + "\n\n");
}

std::string markdown_head(std::string_view title, std::string_view caveat, std::string_view command) {
  std::string text = fmt::format("# {}\n\n", title);
  if (!caveat.empty()) text += fmt::format("{}\n\n", caveat);
  return text + fmt::format("```\n{}\n```\n\nTraining revision {}.\n\n", command, kTrainingRevision);
}

std::string usual_markdown(const ReproductionReport& report, std::string_view command) {
  std::string text = markdown_head(report.table.title, report.caveat, command);
  if (!report.svg.empty()) text += fmt::format("![{}]({}.svg)\n\n", report.table.title, report.name);
  text += render_markdown(report.table);
  if (has_intervals(report.table)) text += fmt::format("\n{}\n", kHalfInterval);
  if (!report.remarks.empty()) text += "\n";
  for (const std::string& line : report.remarks) text += fmt::format("- {}\n", line);
  return text;
}

}  // namespace mash
