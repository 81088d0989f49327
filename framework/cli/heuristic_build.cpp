// SPDX-License-Identifier: Apache-2.0
#include "framework/base/number.hpp"
#include "framework/base/program_end.hpp"
#include "framework/base/settings.hpp"
#include "framework/cli/heuristic.hpp"
#include "framework/cli/json_output.hpp"
#include "framework/cli/terminal.hpp"

namespace mash {
namespace {

struct BuildOptions {
  OutputOptions output;
  std::string place = ".", out;
  bool test = false, box = false;
  std::string source_limit = "4M";
};

Status build(const BuildOptions& options) {
  const CommandWork work(options.output, 1);
  const auto source_bytes = parse_size(options.source_limit);
  if (!source_bytes.ok()) return source_bytes.error().at("--source-limit");
  const BuildResult result =
      build_heuristic({options.place, options.out, options.test, options.box, *source_bytes}, work.context());
  if (!options.output.quiet || !result.status.ok()) print_error_text(harmless(result.diagnostics));
  // Errors of a stranger's source are shown to its author by another program.
  if (!result.status.ok() && options.box && options.output.json) print_json(to_json(result));
  MASH_TRY(result.status);
  if (options.output.json) {
    print_json(to_json(result));
    return Done{};
  }
  for (const BuiltPlugin& plugin : result.plugins) {
    for (const FirstLook& look : plugin.heuristics) fmt::print("{}\n", describe_first_look(look));
    fmt::print("{}\n", plugin.file.string());
  }
  if (!options.output.quiet)
    fmt::print("built {}in {:.1f} s\n", result.tested ? "and tested " : "", result.seconds);
  return Done{};
}

}  // namespace

std::string describe_first_look(const FirstLook& look) {
  const std::string name = fmt::format("{} {}", look.info.id, look.info.version);
  const std::string size = fmt::format("{}x{} pixels", kFirstView.width, kFirstView.height);
  if (!look.dim.ok()) return fmt::format("{}: none on {}: {}", name, size, look.dim.error().message);
  std::string text = fmt::format("{}: {} features on {}, {} µs per image", name, *look.dim, size,
                                 in_digits(look.microseconds_per_image, 3));
  if (look.num_faults > 0)
    text += fmt::format("; {} values are not finite: {}", look.num_faults, look.first_fault);
  return text;
}

Subcommand add_heuristic_build(CLI::App& parent) {
  const auto options = std::make_shared<BuildOptions>();
  CLI::App* app =
      parent.add_subcommand("build", "Compile a heuristic, load it, and run it on a few generated digits");
  app->add_option("PLACE", options->place,
                  "A folder with a CMakeLists.txt, which is built in its folder build; or a C++ source")
      ->type_name("DIR|FILE.cpp")
      ->capture_default_str();
  app->add_option("--out", options->out, "Put the plugin here [beside the source; with CMake, in DIR/build]")
      ->type_name("FILE.so");
  app->add_flag("--test", options->test, "Also run the project's tests, or FILE_test.cpp beside FILE.cpp");
  app->add_flag(
      "--box", options->box,
      "Compile and load a source that you do not trust in a box, out of reach of files and network, by a "
      "fixed command with limits of time and memory. With --json each message of the compiler is an object");
  app->add_option("--source-limit", options->source_limit, "Size of the largest source that --box compiles")
      ->type_name("SIZE")
      ->capture_default_str();
  options->output.add_to(*app);
  app->footer(
      "Examples:\n  mash heuristic build my-edges --test\n  mash heuristic build edges.cpp --out "
      "plugins/edges.so\n"
      "A source is compiled by $CXX (or c++) with $CXXFLAGS and $LDFLAGS. The SDK is that in\n"
      "$MASH_SDK or, where that is not set, the one installed with the program.");
  return {app, [options] { return build(*options); }};
}

}  // namespace mash
