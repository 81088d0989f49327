// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/upkeep/store.hpp"

#include <numeric>

#include "framework/base/shell_word.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/options.hpp"
#include "framework/operations/common/places.hpp"
#include "framework/render/table.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

struct StoreOptions {
  OutputOptions output;
  std::string store, dataset, older_than, max_size, assignment;
  bool all = false, unfinished = false, dry_run = false;
};

std::string family_in_words(const StoredEntry& entry) {
  const StoreLabel& label = entry.label;
  std::string text = label.heuristic;
  if (!label.version.empty()) text += " " + label.version;
  if (!label.settings.empty()) text = fmt::format("{} ({})", text, label.settings);
  return entry.is_by_content ? text + ", values of pictures" : text;
}

// With the time since it was used instead of a state where nothing uses it.
Table store_table(const std::vector<StoredEntry>& entries) {
  Table table{"",
              {{"dataset", "data set"},
               {"family", "family"},
               {"bytes", "size"},
               {"age", "age"},
               {"used", "last use"}},
              {},
              ""};
  const SystemTime now = std::chrono::system_clock::now();
  const auto since = [&](SystemTime time) {
    return age_in_words(std::chrono::duration_cast<std::chrono::seconds>(now - time));
  };
  for (const StoredEntry& entry : entries) {
    std::string used = entry.is_in_use ? "now" : since(entry.used) + " ago";
    if (!entry.is_whole) used += ", unfinished";
    table.rows.push_back({entry.label.dataset.empty() ? Cell() : Cell(entry.label.dataset),
                          family_in_words(entry), bytes_in_words(entry.num_bytes), since(entry.made),
                          std::move(used)});
  }
  return table;
}

std::uint64_t sum_of_bytes(const std::vector<StoredEntry>& entries) {
  return std::accumulate(entries.begin(), entries.end(), std::uint64_t(0),
                         [](std::uint64_t sum, const StoredEntry& entry) { return sum + entry.num_bytes; });
}

Status list_families(const StoreOptions& options) {
  MASH_ASSIGN(const StoreList list, list_store(options.store));
  if (options.output.json) {
    print_json(to_json(list));
    return Done{};
  }
  const StoreContent& content = list.content;
  if (!content.families.empty()) fmt::print("{}\n", render_text(store_table(content.families)));
  for (const StoredOther& other : content.others)
    fmt::print("{}: {}, {}\n", harmless(other.name), counted(other.num_files, "file"),
               bytes_in_words(other.num_bytes));
  if (const std::vector<StoredEntry> unfinished = content.unfinished(); !unfinished.empty())
    fmt::print(
        "{} of extractions that were stopped: {}; the same run goes on with them, and mash store prune "
        "--unfinished{} removes them\n",
        counted(unfinished.size(), "family", "families"), bytes_in_words(sum_of_bytes(unfinished)),
        options.store.empty() ? "" : " --store " + shell_word(options.store));
  fmt::print("{}: {}, {} in all", list.store.string(), counted(content.families.size(), "family", "families"),
             bytes_in_words(content.total_bytes()));
  if (list.keeps_values) fmt::print("; values are kept by the content of pictures");
  if (list.disk)
    fmt::print("; of the disk's {}, {} are free", bytes_in_words(list.disk->capacity),
               bytes_in_words(list.disk->available));
  fmt::print("\n");
  return Done{};
}

Result<PruneRequest> request_of(const StoreOptions& options) {
  PruneRequest request;
  request.dry_run = options.dry_run;
  if (!options.dataset.empty()) request.dataset = options.dataset;
  if (!options.older_than.empty()) {
    const auto age = parse_age(options.older_than);
    if (!age.ok()) return age.error().at("--older-than");
    request.older_than = *age;
  }
  if (!options.max_size.empty()) {
    const auto size = parse_size(options.max_size);
    if (!size.ok()) return size.error().at("--max-size");
    request.most_bytes = *size;
  }
  request.only_unfinished = options.unfinished;
  const bool has_condition =
      request.dataset || request.older_than || request.most_bytes || request.only_unfinished;
  if (options.all == has_condition)
    return input_error(
        "expected --all alone, or one or more of --older-than, --max-size, --dataset and --unfinished; found "
        "{}",
        has_condition ? "--all with others" : "none of them");
  return request;
}

Status prune_families(const StoreOptions& options) {
  MASH_ASSIGN(const PruneRequest request, request_of(options));
  MASH_ASSIGN(const PruneOutcome outcome, prune_features(options.store, request));
  if (options.output.json) {
    print_json(to_json(outcome, request));
    return Done{};
  }
  if (!outcome.removed.empty()) fmt::print("{}\n", render_text(store_table(outcome.removed)));
  for (const StoredEntry& entry : outcome.in_use)
    fmt::print("stays, as a process uses it: {} of {}\n", harmless(family_in_words(entry)),
               harmless(entry.is_by_content ? "any data set" : entry.label.dataset));
  fmt::print("{}, {}; {} are left\n",
             counted(outcome.removed.size(), "family", "families") +
                 (options.dry_run ? " would be removed" : " removed"),
             bytes_in_words(outcome.removed_bytes()), bytes_in_words(outcome.left_bytes));
  return Done{};
}

Status set_setting(const StoreOptions& options) {
  MASH_ASSIGN(const Assignment assignment, parse_assignment("SETTING", options.assignment));
  MASH_TRY(set_store(options.store, assignment));
  if (options.output.json) {
    print_json({{assignment.key, assignment.value}});
    return Done{};
  }
  fmt::print("{}: {}\n", assignment.key, assignment.value);
  if (assignment.value == "drop")
    fmt::print(
        "what is kept already stays, and is not read; mash store list shows it, mash store prune removes "
        "it\n");
  return Done{};
}

void add_store_option(CLI::App& command, std::string& store) {
  command.add_option("--store", store, "Folder of the store [" + default_store().string() + "]")
      ->type_name("DIR");
}

}  // namespace

std::vector<Subcommand> add_store(CLI::App& program) {
  CLI::App* parent = program.add_subcommand("store", "What the feature store keeps, and how to make room");
  parent->require_subcommand(1);
  parent->footer("Example:\n  mash store list");
  const auto options = std::make_shared<StoreOptions>();
  CLI::App* list_app =
      parent->add_subcommand("list", "The families in the store: data set, size, age and last use");
  add_store_option(*list_app, options->store);
  options->output.add_to(*list_app);
  list_app->footer("Example:\n  mash store list");
  CLI::App* prune_app = parent->add_subcommand(
      "prune", "Remove families that no process uses; they are computed again when they are needed");
  add_store_option(*prune_app, options->store);
  prune_app
      ->add_option("--older-than", options->older_than,
                   "Those that were not used for this long, such as 12h, 30d or 2w")
      ->type_name("AGE");
  prune_app
      ->add_option("--max-size", options->max_size,
                   "Those that were used longest ago, until the others take at most this much, such as 4G")
      ->type_name("SIZE");
  prune_app->add_option("--dataset", options->dataset, "Those of this data set")->type_name("DATASET");
  prune_app->add_flag("--unfinished", options->unfinished,
                      "Those whose extraction was stopped, with the values computed until then");
  prune_app->add_flag("--all", options->all, "All of them");
  prune_app->add_flag("--dry-run,-n", options->dry_run, "Say what would go, and remove nothing");
  options->output.add_to(*prune_app);
  prune_app->footer(
      "With several conditions, only what meets all of them is removed.\n"
      "Examples:\n  mash store prune --unfinished\n  mash store prune --older-than 30d\n  mash store prune "
      "--max-size 4G --dry-run");
  CLI::App* set_app = parent->add_subcommand(
      "set",
      "Set what the store keeps: values=keep, so that another split of the same pictures computes nothing "
      "again, or values=drop");
  set_app->add_option("SETTING", options->assignment, "values=keep or values=drop [drop]")
      ->type_name("KEY=VALUE")
      ->required();
  add_store_option(*set_app, options->store);
  options->output.add_to(*set_app);
  set_app->footer(
      "With values=keep, the values of the features are kept by the content of the pictures, 4 bytes each, "
      "beside\n"
      "the codes of each data set. A new split, seed or validation: of the same pictures then takes them "
      "from there.\n"
      "Example:\n  mash store set values=keep");
  return {{set_app, [options] { return set_setting(*options); }},
          {list_app, [options] { return list_families(*options); }},
          {prune_app, [options] { return prune_families(*options); }}};
}

}  // namespace mash
