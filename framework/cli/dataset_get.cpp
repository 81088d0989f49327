// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/data/dataset_get.hpp"

#include <cstdlib>
#include <sstream>

#include "framework/base/amounts.hpp"
#include "framework/cli/dataset.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/render/wording.hpp"

namespace mash {
namespace {

struct GetOptions {
  OutputOptions output;
  std::string what, name, sha256;
  std::vector<std::string> mirrors;
};

// Those that were given or else those of the environment, parted by blanks.
std::vector<std::string> mirrors_of(const GetOptions& options) {
  if (!options.mirrors.empty()) return options.mirrors;
  const char* variable = std::getenv("MASH_MIRROR");
  std::istringstream words(variable == nullptr ? "" : variable);
  std::vector<std::string> mirrors;
  for (std::string word; words >> word;) mirrors.push_back(word);
  return mirrors;
}

Result<DatasetToGet> wanted(const GetOptions& options) {
  if (options.what.find("://") == std::string::npos) {
    if (!options.name.empty() || !options.sha256.empty())
      return input_error(
          "{}: --name and --sha256 belong to an address; expected one such as "
          "https://example.org/pets.tar.gz",
          options.what);
    return published_to_get(options.what, mirrors_of(options));
  }
  if (!options.mirrors.empty())
    return input_error("--mirror: has no effect on an address; give the mirror's address instead");
  if (options.name.empty() || options.sha256.empty())
    return input_error(
        "{}: an address takes --name NAME and --sha256 HEX, the checksum that its publisher gives",
        options.what);
  return address_to_get(options.what, options.name, options.sha256);
}

Status get(const GetOptions& options) {
  MASH_ASSIGN(const DatasetToGet dataset, wanted(options));
  const CommandWork work(options.output, 1);
  MASH_ASSIGN(const GotDataset got, get_dataset(dataset, {}, work.context()));
  if (options.output.json) {
    print_json(to_json(got));
    return Done{};
  }
  if (got.was_there)
    fmt::print("{}: is there already, whole: {}\n", got.name, got.folder.string());
  else
    fmt::print("{}: {} received and checked: {}\n", got.name, bytes_in_words(got.num_received),
               got.folder.string());
  return Done{};
}

}  // namespace

Subcommand add_dataset_get(CLI::App& parent) {
  const auto options = std::make_shared<GetOptions>();
  CLI::App* app = parent.add_subcommand(
      "get", "Download a data set from its publisher, check it, and put it where it is found by its name");
  app->add_option(
         "NAME", options->what,
         "A data set that mash dataset list says can be downloaded, or the address of a file or archive")
      ->required()
      ->type_name("NAME|URL");
  app->add_option("--mirror", options->mirrors,
                  "Ask URL/NAME/FILE in place of the publisher (may be repeated) [$MASH_MIRROR]")
      ->type_name("URL")
      ->allow_extra_args(false);
  app->add_option("--name", options->name, "For an address: the name of the data set")->type_name("NAME");
  app->add_option("--sha256", options->sha256, "For an address: the checksum that its publisher gives")
      ->type_name("HEX");
  options->output.add_to(*app);
  app->footer(
      "A download that was interrupted continues when the same command is given again.\n"
      "Examples:\n  mash dataset get mnist\n  mash dataset get mnist --mirror "
      "https://mirror.example.org/data");
  return {app, [options] { return get(*options); }};
}

}  // namespace mash
