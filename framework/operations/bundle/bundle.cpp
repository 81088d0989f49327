// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/bundle/bundle.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <numeric>

#include "framework/base/require.hpp"
#include "framework/operations/bundle/amalgamation.hpp"
#include "framework/operations/bundle/answers.hpp"
#include "framework/operations/bundle/tables.hpp"
#include "framework/operations/common/whole_folder.hpp"
#include "framework/operations/prediction/paid_model.hpp"

namespace mash {
namespace {

constexpr std::string_view kPieces = "framework/operations/bundle/pieces/";

// Names that mean something else in C++ or Python, or in the files of a bundle.
constexpr std::array kTaken{
    "and",     "as",     "asm",      "assert",    "async",   "auto",     "await",    "bool",     "break",
    "case",    "catch",  "char",     "class",     "concept", "const",    "continue", "def",      "default",
    "del",     "delete", "do",       "double",    "elif",    "else",     "enum",     "except",   "explicit",
    "export",  "extern", "false",    "finally",   "float",   "for",      "friend",   "from",     "global",
    "goto",    "if",     "import",   "in",        "inline",  "int",      "is",       "lambda",   "long",
    "main",    "mash",   "mutable",  "namespace", "new",     "nonlocal", "not",      "numpy",    "operator",
    "or",      "pass",   "private",  "protected", "public",  "raise",    "register", "requires", "return",
    "short",   "signed", "sizeof",   "static",    "std",     "struct",   "switch",   "template", "test",
    "this",    "throw",  "true",     "try",       "typedef", "typeid",   "union",    "unsigned", "using",
    "virtual", "void",   "volatile", "while",     "with",    "xor",      "yield"};

Status check_name(const std::string& name) {
  const auto is_fine = [](unsigned char c) { return std::islower(c) || std::isdigit(c) || c == '_'; };
  const bool is_word = !name.empty() && std::islower(static_cast<unsigned char>(name[0])) &&
                       std::ranges::all_of(name, is_fine) && name.size() <= 40;
  if (!is_word)
    return input_error(
        "name: found '{}', expected a lower-case letter, then such letters, digits and '_', at most 40",
        name);
  if (std::ranges::find(kTaken, name) != kTaken.end())
    return input_error("name: found '{}', which means something else in C++ or Python", name);
  return Done{};
}

// A piece of the bundle. name: within the folder of pieces.
std::string piece(std::string_view name) {
  const auto text = bundled_text(std::string(kPieces) + std::string(name));
  require(text.has_value(), "a piece of bundles that is there");
  return std::string(*text);
}

// A model as a bundle computes it.
struct Computation {
  Model model;             // with the hypotheses that are evaluated
  std::string tables;      // beside those that all models have
  std::string_view piece;  // that computes the scores
  ExpectedAnswers expected;
};

std::size_t num_parts_of(const StrongClassifier& model) { return model.hypotheses.size(); }
std::size_t num_parts_of(const InputModel& model) { return model.inputs.size(); }

Result<Computation> whole_computation(LoadedModel& loaded) {
  Computation computation{loaded.model, tables_of_kind(loaded.model), loaded.model.kind(), {}};
  MASH_ASSIGN(computation.expected, expected_answers(loaded.model, loaded.catalogue));
  return computation;
}

// The hypotheses that a budget pays for, alone.
Result<Computation> paid_computation(LoadedModel& loaded, const PredictionBudget& budget,
                                     const WorkContext& work) {
  MASH_ASSIGN(const PaidPredictor predictor, open_paid_predictor(loaded, budget.costs));
  const StrongClassifier& whole = loaded.model.sum();
  EvaluationOrder order(whole.hypotheses.size());
  std::iota(order.begin(), order.end(), 0u);
  MASH_ASSIGN(const EarlyStopping stopping, EarlyStopping::make(whole, order, predictor.costs()));
  const BudgetPlan plan = stopping.plan(rule_of(budget));
  StrongClassifier planned = whole;
  planned.hypotheses.clear();
  for (const std::uint32_t t : plan.hypotheses) planned.hypotheses.push_back(whole.hypotheses[t]);
  const std::string tables =
      tables_of_kind(planned) + plan_tables(planned, plan, ScoreGains(whole).rounding());
  Computation computation{planned, tables, "paid", {}};
  MASH_ASSIGN(computation.expected,
              expected_answers_within(planned, predictor, rule_of(budget), loaded.catalogue, work));
  return computation;
}

bool has_plugins(const std::vector<BundledHeuristic>& heuristics) {
  return std::ranges::any_of(heuristics, [](const auto& h) { return h.form == HeuristicForm::kPlugin; });
}

std::string in_capitals(std::string text) {
  for (char& c : text) c = char(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// "40 pixels wide and 30 high, grey"
std::string size_in_words(const ImageShape& shape) {
  return fmt::format("{} pixels wide and {} high, {}", shape.width, shape.height,
                     shape.num_channels == 1 ? "grey (others are turned grey)" : "in colour");
}

std::string size_rule(const ImageShape& shape) {
  switch (shape.resize) {
    case ResizeMode::kStretch: return "Others are stretched to that size.";
    case ResizeMode::kFit: return "Others are scaled to fit into that size, with black beside them.";
    case ResizeMode::kCrop: return "Of others the middle is scaled to that size.";
    case ResizeMode::kNone: break;
  }
  return "Another size is an error, as the model was trained without `resize`.";
}

std::string budget_in_words(const BundleSettings& settings) {
  if (!settings.within) return "";
  if (settings.within->budget == Purchases::kUnlimited)
    return "Nothing more is computed of a picture once its class is certain: scores are sums until then.\n";
  return fmt::format(
      "Features of a picture cost at most {:.6g}, and nothing more is computed once its class "
      "is certain: scores are sums until then.\n",
      settings.within->budget);
}

// Words that depend on the model and the name.
Words model_words(const BundleSettings& settings, const Computation& computation) {
  const ImageShape& shape = computation.model.shape();
  const std::size_t num_features = computation.model.scorer()->num_values();
  return {{"@NAME@", settings.name},
          {"@MACRO@", in_capitals(settings.name)},
          {"@VERSION@", MASH_VERSION},
          {"@NUM_CLASSES@", std::to_string(computation.model.num_classes())},
          {"@NUM_FEATURES@", fmt::format("{} feature{}", num_features, num_features == 1 ? "" : "s")},
          {"@WIDTH@", std::to_string(shape.width)},
          {"@HEIGHT@", std::to_string(shape.height)},
          {"@CHANNELS@", std::to_string(shape.num_channels)},
          {"@RESIZES@", shape.resize != ResizeMode::kNone ? "true" : "false"},
          {"@SCORES@",
           settings.within ? "\n//               Once the class is certain, no more is added to them." : ""},
          {"@SCORING@", std::string(computation.piece)},
          {"@SIZE@", size_in_words(shape)},
          {"@SIZE_RULE@", size_rule(shape)},
          {"@README_BUDGET@", budget_in_words(settings)}};
}

// Words that stand for pieces which only some bundles have.
void add_optional_pieces(const BundleSettings& settings, bool has_plugins, Words& words) {
  const Words known = words;
  const auto add = [&](const std::string& word, bool is_wanted, const std::string& text) {
    words[word] = is_wanted ? with_words(text, known) : "";
  };
  add("//@LOADING@", has_plugins, piece("loading.cpp.in"));
  add("//@PLUGIN_FUNCTION@", has_plugins, piece("plugin_folder.cpp.in"));
  add("@PLUGIN_DECLARATION@", has_plugins, piece("plugin_folder.hpp.in"));
  add("@SYSTEM@", has_plugins, " and dlopen");
  add("@CMAKE_PLUGINS@", has_plugins, piece("plugins.cmake.in"));
  add("@CMAKE_PYTHON@", settings.python, piece("python.cmake.in"));
  add("@PC_LIBRARIES@", has_plugins, " -ldl");
  add("@README_SYSTEM@", has_plugins, ", the libraries of its plugins");
  add("@README_PLUGIN_FILES@", has_plugins, "- `plugins`: heuristics that came without their source\n");
  add("@README_PLUGINS@", has_plugins, piece("plugins.md.in"));
  add("@README_PYTHON_FILES@", settings.python, "- `python`: the Python package\n");
  add("@README_PYTHON@", settings.python, piece("python.md.in"));
}

// An expression for each family of the model: a pointer to the table of its heuristic.
std::vector<std::string> access_to(const std::vector<BundledHeuristic>& heuristics, const Model& model,
                                   const std::string& name) {
  std::vector<std::string> access;
  for (const ModelFamily& family : model.families()) {
    const auto found = std::ranges::find(heuristics, family.heuristic, &BundledHeuristic::id);
    if (found == heuristics.end())
      access.emplace_back();
    else if (found->form == HeuristicForm::kSource)
      access.push_back(fmt::format("{0}_source_{1}::{0}_plugin_{1}.heuristics[{2}]", name,
                                   found - heuristics.begin(), found->idx_in_plugin));
    else
      access.push_back(fmt::format("heuristic_in({}, {}, {})", as_literal(found->file), as_literal(found->id),
                                   as_literal(found->version)));
  }
  return access;
}

// The one source of the library.
std::string source_of(const std::vector<BundledHeuristic>& heuristics, const Computation& computation,
                      const Words& words) {
  const std::string& name = words.at("@NAME@");
  std::string parts;
  for (std::size_t i = 0; i < heuristics.size(); ++i) {
    if (heuristics[i].form != HeuristicForm::kSource) continue;
    parts += fmt::format("\n// ---- {} {}, by {}, licence {} ----\n", heuristics[i].id, heuristics[i].version,
                         heuristics[i].author, heuristics[i].license);
    parts += as_part(heuristics[i].text, name, i);
  }
  const std::string tables =
      common_tables(computation.model, access_to(heuristics, computation.model, name)) + computation.tables;
  const std::string text = with_words(with_words(piece("source.cpp.in"), words),
                                      {{"//@HEURISTICS@", parts}, {"//@TABLES@", tables}});
  return Amalgamation(words).of(text, fmt::format("\"{}.hpp\"", name));
}

std::string check_of(const Computation& computation, const Words& words) {
  const std::string text = with_words(with_words(piece("check.cpp.in"), words),
                                      {{"//@EXPECTED@", expected_tables(computation.expected)}});
  return Amalgamation(words).of(text, fmt::format("\"{}.hpp\"", words.at("@NAME@")));
}

std::vector<NewFile> files_of(const BundleSettings& settings, const std::vector<BundledHeuristic>& heuristics,
                              const Computation& computation) {
  Words words = model_words(settings, computation);
  add_optional_pieces(settings, has_plugins(heuristics), words);
  const auto from_piece = [&](std::string_view name) { return with_words(piece(name), words); };
  std::vector<NewFile> files{{settings.name + ".cpp", source_of(heuristics, computation, words)},
                             {settings.name + ".hpp", from_piece("header.hpp.in")},
                             {"check.cpp", check_of(computation, words)},
                             {"example.cpp", from_piece("example.cpp.in")},
                             {"CMakeLists.txt", from_piece("cmakelists.txt.in")},
                             {"README.md", from_piece("readme.md.in")},
                             {"LICENSES", licences_of(heuristics, settings.name)}};
  if (settings.python) {
    files.push_back({"python/library.cpp", from_piece("library.cpp.in")});
    files.push_back({"python/__init__.py", from_piece("package.py.in")});
    files.push_back({"python/make_wheel.py", from_piece("make_wheel.py.in")});
  }
  for (const BundledHeuristic& heuristic : heuristics)
    if (heuristic.form == HeuristicForm::kPlugin)
      files.push_back({"plugins/" + heuristic.file, heuristic.text});
  return files;
}

// Passes remarks on, but none about a plugin that gives way to what was built of its source, which is wanted.
class ExceptReplaced final : public Remarks {
 public:
  ExceptReplaced(const std::filesystem::path& built, Remarks& heard)
      : built_(built.string()), heard_(heard) {}
  void warn(std::string_view text) override {
    if (text.find("duplicate id") == text.npos || text.find(built_) == text.npos) heard_.warn(text);
  }
  void tell(std::string_view text) override { heard_.tell(text); }

 private:
  std::string built_;
  Remarks& heard_;
};

Status check_kind(const LoadedModel& loaded) {
  if (!loaded.model.has_votes())
    return input_error(
        "{}: is of the kind {}, of which there are no bundles; expected sum, linear, gaussian or tree",
        loaded.name, loaded.model.kind());
  if (loaded.model.shape().width > 0) return Done{};
  return input_error("{}: was trained on a table, not on images; expected a model that classifies pictures",
                     loaded.name);
}

}  // namespace

Result<Bundle> export_bundle(const BundleSettings& settings, const WorkContext& work) {
  MASH_TRY(check_name(settings.name));
  MASH_TRY(check_new_folder(settings.folder));
  MASH_ASSIGN(const GivenSources given, GivenSources::build(settings.sources, work));
  ModelSource source = settings.model;
  const std::vector<std::string> built = given.plugins();
  source.plugins.named.insert(source.plugins.named.begin(), built.begin(), built.end());
  ExceptReplaced remarks(given.folder(), work.remarks);
  MASH_ASSIGN(LoadedModel loaded, load_model(source, {work.workers, work.progress, remarks, work.stop}));
  MASH_TRY(check_kind(loaded));
  MASH_ASSIGN(const Computation computation,
              settings.within ? paid_computation(loaded, *settings.within, work) : whole_computation(loaded));
  MASH_ASSIGN(auto heuristics, heuristics_of(computation.model, given, loaded.catalogue));
  const std::vector<NewFile> files = files_of(settings, heuristics, computation);
  if (work.stop.raised()) return stopped_by_user();
  MASH_TRY(write_new_folder(settings.folder, files));
  Bundle bundle{settings.folder, settings.name, {}, std::move(heuristics)};
  for (const NewFile& file : files) {
    bundle.files.push_back(file.name);
    bundle.num_bytes += file.text.size();
  }
  bundle.num_classes = computation.model.num_classes();
  bundle.num_features = computation.model.scorer()->num_values();
  bundle.is_sum = computation.model.is_sum();
  bundle.num_parts = computation.model.visit([](const auto& model) { return num_parts_of(model); });
  return bundle;
}

nlohmann::ordered_json to_json(const Bundle& bundle) {
  auto heuristics = nlohmann::ordered_json::array();
  for (const BundledHeuristic& heuristic : bundle.heuristics)
    heuristics.push_back({{"id", heuristic.id},
                          {"version", heuristic.version},
                          {"license", heuristic.license},
                          {"form", heuristic.form == HeuristicForm::kSource ? "source" : "plugin"},
                          {"file", heuristic.file}});
  return {{"folder", bundle.folder.string()},
          {"name", bundle.name},
          {"files", bundle.files},
          {"bytes", bundle.num_bytes},
          {"classes", bundle.num_classes},
          {"features", bundle.num_features},
          {bundle.is_sum ? "hypotheses" : "inputs", bundle.num_parts},
          {"heuristics", std::move(heuristics)}};
}

}  // namespace mash
