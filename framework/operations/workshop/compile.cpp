// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/workshop/compile.hpp"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <sstream>

#include "framework/base/child_process.hpp"
#include "framework/base/file.hpp"
#include "framework/base/scratch_folder.hpp"
#include "framework/operations/workshop/classic_source.hpp"
#include "framework/operations/workshop/sdk.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
constexpr double kMostTestSeconds = 60;  // of a heuristic's test; one that hangs is ended

using Words = std::vector<std::string>;

// The words of an environment variable, or of `otherwise`.
Words words_of(const char* variable, const char* otherwise) {
  const char* value = std::getenv(variable);
  std::istringstream text(value && *value ? value : otherwise);
  return {std::istream_iterator<std::string>(text), {}};
}

// Runs the tools of a build, and keeps what they have to say of it.
class Tools {
 public:
  Tools(const StopFlag& stop, std::string& diagnostics) : stop_(stop), diagnostics_(diagnostics) {}

  // Errors: it cannot be started; kStopped.
  Result<ChildResult> run(const Words& arguments) const { return run_child(arguments, stop_); }

  // Errors: those of run; it fails, or takes longer than a test may, and what it printed goes to the
  // diagnostics.
  Status run_test(const Words& arguments, const fs::path& source) const {
    MASH_ASSIGN(const ChildResult result, run_child(arguments, stop_, kMostTestSeconds));
    if (result.succeeded() && !result.timed_out) return Done{};
    diagnostics_ += result.out + result.err;
    if (result.timed_out)
      return failure("{}: the test takes longer than {} s", source.string(), kMostTestSeconds);
    return failure("{}: the test fails", source.string());
  }

  // Returns what it printed; where it fails that goes to the diagnostics, and `otherwise` is the error.
  Result<std::string> run(const Words& arguments, std::string_view otherwise) const {
    MASH_ASSIGN(const ChildResult result, run(arguments));
    if (result.succeeded()) return result.out + result.err;
    diagnostics_ += result.out + result.err;
    return failure("{}", otherwise);
  }

  std::string& diagnostics() const { return diagnostics_; }

 private:
  const StopFlag& stop_;
  std::string& diagnostics_;
};

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

bool is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  return false;
}

// The compiler with what it needs for either kind of source.
class Compiler {
 public:
  static Result<Compiler> find(const Tools& tools) {
    Compiler compiler(tools);
    MASH_ASSIGN(const Sdk sdk, Sdk::find());
    MASH_ASSIGN(compiler.modern_, sdk.flags("mash-sdk"));
    MASH_ASSIGN(compiler.classic_, sdk.flags("mash-sdk-classic"));
    MASH_ASSIGN(const ChildResult version, tools.run(compiler.command_ + Words{"--version"}));
    compiler.is_clang_ = version.out.find("clang") != std::string::npos;
    return compiler;
  }

  // Options for a build with sanitizers, to compile and to link with.
  Words sanitizers() const {
    Words flags{"-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
                "-w"};
    if (is_clang_) flags.push_back("-shared-libasan");
    return flags;
  }
  void add_sanitizers() {
    for (Words* flags : {&modern_.compile, &classic_.compile, &modern_.link}) *flags = *flags + sanitizers();
  }
  // The library of the sanitizers. Errors (kFailure): it has none.
  Result<fs::path> sanitizer_library() const {
    std::string name = "libasan.so";
    if (is_clang_) {
      MASH_ASSIGN(const ChildResult machine, tools_.run(command_ + Words{"-dumpmachine"}));
      name = fmt::format("libclang_rt.asan-{}.so", machine.out.substr(0, machine.out.find('-')));
    }
    MASH_ASSIGN(const ChildResult found, tools_.run(command_ + Words{"-print-file-name=" + name}));
    const fs::path file = found.out.substr(0, found.out.find('\n'));
    std::error_code code;
    if (!file.is_absolute() || !fs::exists(file, code))
      return failure("{} has no address sanitizer: {} is missing", command_[0], name);
    return file;
  }

  // Compiles a source; warnings and errors are added to the diagnostics.
  Status compile(const fs::path& source, const fs::path& object) const {
    const bool is_classic = is_classic_source(source);
    const auto command = [&](const Words& standard) {
      return command_ + (is_classic ? classic_.compile + classic_definitions(source) : modern_.compile) +
             standard + words_of("CXXFLAGS", "") + Words{"-c", source.string(), "-o", object.string()};
    };
    const std::string error = source.string() + ": does not compile";
    if (!is_classic) {
      MASH_ASSIGN(const std::string warnings, tools_.run(command({}), error));
      tools_.diagnostics() += warnings;
      return Done{};
    }
    // Some classic source is valid in the C++ of its day only. What is wrong is told in the words of today's.
    MASH_ASSIGN(const ChildResult modern, tools_.run(command({"-std=gnu++20"})));
    tools_.diagnostics() += modern.err;
    if (modern.succeeded()) return Done{};
    MASH_ASSIGN(const ChildResult old, tools_.run(command({"-std=gnu++98"})));
    if (!old.succeeded()) return failure("{}", error);
    tools_.diagnostics() = old.err;
    return Done{};
  }

  // Makes a plugin of the source's object.
  Status link(const fs::path& source, const fs::path& object, const fs::path& plugin) const {
    std::error_code code;
    if (plugin.has_parent_path()) fs::create_directories(plugin.parent_path(), code);
    fs::path temporary = plugin;
    static std::atomic<unsigned> count = 0;  // other threads may make the same plugin
    temporary += fmt::format(".{}.{}.tmp", ::getpid(), ++count);
    const auto linked = tools_.run(
        command_ + modern_.link + Words{object.string(), "-o", temporary.string()} + words_of("LDFLAGS", ""),
        plugin.string() + ": cannot be linked");
    if (linked.ok()) fs::rename(temporary, plugin, code);
    const std::error_code renamed = code;
    fs::remove(temporary, code);
    if (!linked.ok()) {
      const std::string error = classic_link_error(tools_.diagnostics());
      return error.empty() ? linked.error() : failure("{}: {}", source.string(), error);
    }
    if (renamed) return failure("{}: cannot be replaced: {}", plugin.string(), renamed.message());
    return Done{};
  }

  // Makes a program of a heuristic and its test, and runs it.
  Status test(const fs::path& source, const fs::path& object, const fs::path& program) const {
    const std::string error = source.string() + ": does not compile";
    MASH_TRY(tools_.run(command_ + modern_.compile + words_of("CXXFLAGS", "") +
                            Words{source.string(), object.string(), "-o", program.string()} +
                            words_of("LDFLAGS", ""),
                        error));
    return tools_.run_test({program.string()}, source);
  }

 private:
  explicit Compiler(const Tools& tools) : tools_(tools) {}

  const Tools& tools_;
  Words command_ = words_of("CXX", "c++");
  CompilerFlags modern_, classic_;
  bool is_clang_ = false;
};

using Plugins = std::vector<fs::path>;

Result<Plugins> compile_source(const fs::path& source, const fs::path& out, bool run_test,
                               const Tools& tools) {
  std::error_code code;
  const fs::path test = test_of(source);
  if (run_test && !fs::exists(test, code))
    return input_error("{}: no such file, expected the test", test.string());
  MASH_ASSIGN(const Compiler compiler, Compiler::find(tools));
  MASH_ASSIGN(const ScratchFolder scratch, ScratchFolder::make("build"));
  const fs::path plugin = out.empty() ? fs::path(source).replace_extension(".so") : out;
  MASH_TRY(compiler.compile(source, scratch / "heuristic.o"));
  MASH_TRY(compiler.link(source, scratch / "heuristic.o", plugin));
  if (run_test) MASH_TRY(compiler.test(test, scratch / "heuristic.o", scratch / "test"));
  return Plugins{plugin};
}

// The shared libraries that a build left, by name.
Plugins plugins_in(const fs::path& build) {
  Plugins plugins;
  std::error_code code;
  for (fs::recursive_directory_iterator entry(build, code), end; !code && entry != end;
       entry.increment(code)) {
    if (entry->path().filename() == "CMakeFiles") entry.disable_recursion_pending();
    if (entry->path().extension() == ".so") plugins.push_back(entry->path());
  }
  std::sort(plugins.begin(), plugins.end());
  return plugins;
}

// Configures a project in a folder for its build.
Status configure_project(const fs::path& folder, const fs::path& build, const Words& options,
                         const Tools& tools) {
  MASH_ASSIGN(const Sdk sdk, Sdk::find());
  Words configure{"cmake", "-S",           folder.string(),
                  "-B",    build.string(), "-Dmash-sdk_DIR=" + sdk.cmake_package().string()};
  std::error_code code;
  // A folder that is configured stays with its generator.
  if (!fs::exists(build / "CMakeCache.txt", code)) {
    configure = configure + options;
    if (is_installed("ninja")) configure = configure + Words{"-G", "Ninja"};
  }
  MASH_TRY(tools.run(configure, folder.string() + ": does not build"));
  return Done{};
}

Result<Plugins> build_project(const fs::path& folder, const fs::path& out, bool run_test,
                              const Tools& tools) {
  const fs::path build = folder / kBuildFolder;
  const std::string error = folder.string() + ": does not build";
  MASH_TRY(configure_project(folder, build, {"-DCMAKE_BUILD_TYPE=Release"}, tools));
  MASH_ASSIGN(const std::string output, tools.run({"cmake", "--build", build.string()}, error));
  if (output.find("warning:") != std::string::npos) tools.diagnostics() += output;
  const Plugins plugins = plugins_in(build);
  if (plugins.empty())
    return failure("{}: makes no plugin; expected mash_add_heuristic(NAME SOURCE...)",
                   (folder / "CMakeLists.txt").string());
  if (run_test)
    MASH_TRY(tools.run(
        {"ctest", "--test-dir", build.string(), "--output-on-failure", "--no-tests=error", "--timeout",
         fmt::format("{}", kMostTestSeconds)},  // of tests without a limit of their own
        folder.string() + ": the test fails"));
  if (out.empty()) return plugins;
  if (plugins.size() > 1)
    return input_error("{}: the project makes {} plugins, expected one", out.string(), plugins.size());
  MASH_ASSIGN(const std::string content, read_file(plugins[0]));
  MASH_TRY(write_file_atomically(out, content));
  return Plugins{out};
}

// Builds a project's plugins with sanitizers in `folder`/build, and puts them into `folder`.
Status build_project_sanitized(const fs::path& project, const Plugins& plugins, const fs::path& folder,
                               const Compiler& compiler, const Tools& tools) {
  const fs::path build = folder / kBuildFolder;
  const std::string flags =
      fmt::format("{}", fmt::join(words_of("CXXFLAGS", "") + compiler.sanitizers(), " "));
  MASH_TRY(configure_project(project, build,
                             {"-DCMAKE_CXX_FLAGS=" + flags, "-DCMAKE_MODULE_LINKER_FLAGS=" + flags}, tools));
  Words command{"cmake", "--build", build.string(), "--target"};
  for (const fs::path& plugin : plugins) command.push_back(plugin.stem().string());
  MASH_TRY(tools.run(command, project.string() + ": does not build with sanitizers"));
  std::error_code code;
  for (const fs::path& plugin : plugins_in(build)) fs::rename(plugin, folder / plugin.filename(), code);
  return Done{};
}

}  // namespace

fs::path test_of(const fs::path& source) {
  fs::path test = source;
  return test.replace_filename(source.stem().string() + "_test" + source.extension().string());
}

bool is_source(const fs::path& path) {
  return path.extension() == ".cpp" || path.extension() == ".cc" || path.extension() == ".cxx";
}

Result<HeuristicSource> find_heuristic_source(const fs::path& place) {
  // A compiler would take it for an option.
  if (place.string().starts_with('-')) return find_heuristic_source("." / place);
  std::error_code code;
  if (!fs::exists(place, code)) return input_error("{}: no such file or folder", place.string());
  if (!fs::is_directory(place, code)) {
    if (!is_source(place)) return input_error("{}: expected a folder or a C++ source (.cpp)", place.string());
    return HeuristicSource{place, false};
  }
  const fs::path folder = (place / "").lexically_normal().parent_path();
  if (fs::exists(place / "CMakeLists.txt", code)) return HeuristicSource{folder.empty() ? "." : folder, true};
  std::vector<fs::path> sources;
  for (fs::directory_iterator entry(place, code), end; !code && entry != end; entry.increment(code))
    if (is_source(entry->path()) && !entry->path().stem().string().ends_with("_test"))
      sources.push_back(entry->path().lexically_normal());
  if (sources.size() != 1)
    return input_error(
        "{}: found no CMakeLists.txt and {} C++ sources, expected one of them; or name the source",
        place.string(), sources.size());
  return HeuristicSource{sources[0], false};
}

Result<fs::path> compile_sanitized(const HeuristicSource& source, const Plugins& plugins,
                                   const fs::path& folder, const StopFlag& stop) {
  std::string unheard;
  const Tools tools(stop, unheard);
  MASH_ASSIGN(Compiler compiler, Compiler::find(tools));
  MASH_ASSIGN(const fs::path library, compiler.sanitizer_library());
  if (source.is_project) {
    MASH_TRY(build_project_sanitized(source.place, plugins, folder, compiler, tools));
    return library;
  }
  compiler.add_sanitizers();
  MASH_TRY(compiler.compile(source.place, folder / "heuristic.o"));
  MASH_TRY(compiler.link(source.place, folder / "heuristic.o", folder / plugins[0].filename()));
  return library;
}

Diagnosed<Plugins> compile_heuristic(const HeuristicSource& source, const fs::path& out, bool run_test,
                                     const StopFlag& stop) {
  std::string diagnostics;
  const auto build = source.is_project ? build_project : compile_source;
  auto plugins = build(source.place, out, run_test, Tools(stop, diagnostics));
  return {std::move(plugins), std::move(diagnostics)};
}

}  // namespace mash
