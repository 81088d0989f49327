// SPDX-License-Identifier: Apache-2.0
#include "framework/reports/reproduction_section.hpp"

#include "framework/base/shell_word.hpp"
#include "framework/render/wording.hpp"

namespace mash::sections {
namespace {

Html subheading(std::string_view text) { return markup("<h3>{}</h3>\n", text); }

Html command(const RunRecord& record) {
  // Data that are generated or split at random are those of the experiment's first seed, in all of its runs.
  Html out = markup(
      "<p>Save the settings below as <code>{}.yaml</code>; the same program, data and plugins then give the "
      "same model, bit for bit, on any number of threads: the run of seed {}.</p>\n",
      record.name, record.seed);
  out += html_code("Command", fmt::format("mash run {}", shell_word(record.name + ".yaml")));
  return out;
}

Html data_table(const RunRecord& record) {
  const std::string caption =
      fmt::format("{}: {} training and {} test examples, {} classes, fingerprint {}", record.dataset_name,
                  record.num_train, record.num_test, record.class_names.size(), record.dataset_fingerprint);
  if (record.files.empty()) return markup("<p>{}; generated, no file was read.</p>\n", caption);
  if (record.files.size() > kMaxListedFiles)
    return markup(
        "<p>{}; {}.</p>\n<p>Each file and its SHA-256 is a row of the table <code>dataset_files</code> in the "
        "records; <code>mash dataset show</code> with <code>--files</code> lists the files as they are "
        "now.</p>\n",
        caption, files_in_a_line(record.files));
  Table table;
  table.columns = {{"path", "file", Format::kText},
                   {"num_bytes", "bytes", Format::kCount},
                   {"sha256", "SHA-256", Format::kText}};
  for (const auto& file : record.files)
    table.rows.push_back({file.path.string(), std::int64_t(file.num_bytes), file.sha256});
  return html_table(table, caption);
}

Html heuristics_table(const RunRecord& record) {
  Table table;
  table.columns = {
      {"family", "family", Format::kText},      {"heuristic", "heuristic", Format::kText},
      {"version", "version", Format::kText},    {"settings", "settings", Format::kText},
      {"distinct", "distinct", Format::kCount}, {"sha256", "SHA-256 of the plugin", Format::kText}};
  for (const auto& family : record.families) {
    table.rows.push_back({family.name, family.heuristic.name, family.heuristic.version, family.settings,
                          family.num_distinct, family.heuristic.plugin_sha256.substr(0, 16)});
  }
  return html_table(table,
                    "Distinct: features that are neither constant nor an exact copy of another. Of the "
                    "hashes, the first 16 "
                    "digits.");
}

}  // namespace

Html reproduction(const RunRecord& record) {
  Html out = command(record);
  out += subheading("Settings");
  out += html_code("Settings", record.configuration);
  out += subheading("Data");
  out += data_table(record);
  out += subheading("Heuristics");
  out += heuristics_table(record);
  out += subheading("Program and machine");
  out += markup("<p>mash {}; {}, {} cores, {:.1f} GiB of memory, {}; {}. Run {}, begun {}.</p>\n",
                record.program_version, record.cpu, record.num_cores,
                double(record.memory_bytes) / double(1 << 30), record.instruction_set, record.os, record.id,
                record.started_at);
  return out;
}

}  // namespace mash::sections
