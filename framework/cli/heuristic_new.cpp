// SPDX-License-Identifier: Apache-2.0
#include "framework/base/shell_word.hpp"
#include "framework/cli/heuristic.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/operations/workshop/new_project.hpp"

namespace mash {
namespace {

struct NewOptions {
  OutputOptions output;
  std::string name, kind = "blank", parent = ".", author;
};

Status make(const NewOptions& options) {
  const CommandWork work(options.output, 0, true);
  MASH_ASSIGN(const NewProject project,
              make_project({options.name, options.kind, options.parent, options.author}, work.context()));
  if (options.output.json) {
    print_json(to_json(project));
    return Done{};
  }
  for (const std::filesystem::path& file : project.files) fmt::print("{}\n", file.string());
  if (!options.output.quiet)
    fmt::print("\nNext:\n  mash heuristic build {0} --test\n  mash heuristic watch {0}\n",
               shell_word(project.folder.string()));
  return Done{};
}

}  // namespace

Subcommand add_heuristic_new(CLI::App& parent) {
  const auto options = std::make_shared<NewOptions>();
  CLI::App* app =
      parent.add_subcommand("new", "Start a heuristic: a project with source, test and build rules");
  app->add_option("NAME", options->name,
                  "Name of the heuristic, and of its folder, source, class and plugin: small letters, digits "
                  "and '-'")
      ->required();
  takes_one_of(
      app->add_option(
             "--from", options->kind,
             "Kind of feature to start from; blank: a frame to fill; classic: the interface of MASH 1.x")
          ->capture_default_str(),
      project_kinds());
  app->add_option("--dir", options->parent, "Where to make the project's folder")
      ->type_name("DIR")
      ->capture_default_str();
  app->add_option("--author", options->author, "Author of the heuristic [the user who is logged in]")
      ->type_name("TEXT");
  options->output.add_to(*app);
  app->footer("Example:\n  mash heuristic new my-edges --from hog --author 'Ada Lovelace'");
  return {app, [options] { return make(*options); }};
}

}  // namespace mash
