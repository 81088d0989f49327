// SPDX-License-Identifier: Apache-2.0
#include "server/runner/judging.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <variant>

#include "framework/analysis/placebo_step.hpp"
#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"
#include "framework/base/number.hpp"
#include "framework/base/scratch_folder.hpp"
#include "framework/base/secrets.hpp"
#include "framework/base/utf8.hpp"
#include "framework/extractors/catalogue.hpp"
#include "framework/extractors/parameters.hpp"
#include "framework/families/computed_again.hpp"
#include "framework/families/store_content.hpp"
#include "framework/families/stored_family.hpp"
#include "framework/operations/common/plugins.hpp"
#include "framework/operations/experiment/families.hpp"
#include "framework/operations/offers/offer.hpp"
#include "framework/operations/reporting/heuristic.hpp"
#include "framework/operations/workshop/boxed_compile.hpp"
#include "framework/operations/workshop/check.hpp"
#include "framework/reports/heuristic/report.hpp"
#include "server/runner/features_digest.hpp"

namespace mash::server {
namespace {

using Outcome = std::variant<Judgement, Refusal>;

Refusal rejected(std::string reason) {
  return {SubmissionState::kRejected, Blame::kContributor, std::move(reason)};
}
Refusal failed(std::string reason) { return {SubmissionState::kFailed, Blame::kServer, std::move(reason)}; }

// The message to the contributor on an error in a step that shows their code no hidden picture. An error in
// the words of a heuristic is of kind kInput, no matter what its process says (worker_words.hpp). Errors:
// kStopped.
Result<Refusal> refusal_of(const Error& error) {
  if (error.kind == ErrorKind::kStopped) return error;
  return error.kind == ErrorKind::kInput ? rejected(error.message) : failed(error.message);
}

// Whether a source can be looked at in a page and compiled: why not.
std::optional<std::string> source_trouble(const Submission& submission, std::uint64_t most_bytes) {
  const std::string& source = submission.source;
  if (source.empty()) return "the source is empty";
  if (source.size() > most_bytes)
    return fmt::format("the source has {} bytes, at most {} are taken", source.size(), most_bytes);
  if (source.find('\0') != std::string::npos) return "the source holds a zero byte: it is no text";
  if (!is_source_name(submission.file_name))
    return fmt::format("the file is called {}, expected {}", submission.file_name, kSourceNameRule);
  return std::nullopt;
}

// "error", "warning" or "note".
std::string kind_of(const CompilerMessage& message) {
  if (message.kind == "warning" || message.kind == "note") return message.kind;
  return "error";
}

// Tells each piece of work.
class StepTeller : public Progress {
 public:
  explicit StepTeller(const JudgingObserver& observer) : observer_(observer) {}
  void start(std::string task, std::size_t, std::string) override {
    (void)observer_.on_event(task);  // one that is no longer ours is stopped
  }
  void advance(std::size_t) override {}
  void note(std::string) override {}
  void finish() override {}

 private:
  const JudgingObserver& observer_;
};

class Judging {
 public:
  Judging(const Submission& submission, const PreparedBoard& board, const JudgingPlaces& places,
          const JudgingObserver& observer, const WorkContext& work, const ScratchFolder& folder)
      : submission_(submission),
        board_(board),
        places_(places),
        observer_(observer),
        work_(work),
        folder_(folder.path()),
        plugin_(folder / "submitted.so"),
        source_(folder.path() / source_folder(submission) / submission.file_name),
        experiment_(folder / (board.board.name + ".yaml")) {
    for (const SubmissionSetting& setting : submission.settings)
      own_.add(setting.key, setting.value, fmt::format("setting {}={}", setting.key, setting.value));
  }

  Result<Outcome> run() { return ended(compile_and_judge()); }

  // The test side alone, with this number of seeds: of a submission that was published before, all of whose
  // steps were told then.
  Result<Outcome> run_again(std::size_t num_seeds) {
    num_seeds_again_ = num_seeds;
    return ended(compile_and_judge());
  }

 private:
  Result<Outcome> ended(Result<Outcome> judged) {
    forget_features();
    MASH_ASSIGN(Outcome outcome, std::move(judged));
    if (auto* refusal = std::get_if<Refusal>(&outcome)) refusal->reason = shown(std::move(refusal->reason));
    return outcome;
  }

  Result<Outcome> compile_and_judge() {
    MASH_TRY(observer_.on_state(SubmissionState::kChecking, "looking at the source"));
    if (const auto trouble = source_trouble(submission_, places_.source_limit))
      return Outcome(rejected(*trouble));
    if (const auto id = id_in_source(submission_.source); id && is_of_board(*id))
      return Outcome(rejected(board_has(*id)));
    std::error_code code;
    std::filesystem::create_directory(source_.parent_path(), code);
    MASH_TRY(write_file_atomically(source_, submission_.source));
    MASH_TRY(write_file_atomically(experiment_, board_.board.experiment));
    MASH_TRY(observer_.on_state(SubmissionState::kCompiling, "compiling " + submission_.file_name));
    const BoxedCompilation compiled =
        compile_in_box({source_, false}, plugin_, {.source_bytes = places_.source_limit}, work_.stop);
    MASH_TRY(tell(compiled.messages));
    if (!compiled.status.ok()) {
      MASH_ASSIGN(Refusal refusal, refusal_of(compiled.status.error()));
      if (compiled.is_of_source) refusal = rejected(std::move(refusal.reason));
      return Outcome(std::move(refusal));
    }
    MASH_TRY(observer_.on_state(SubmissionState::kValidating, "checking what was built"));
    MASH_ASSIGN(const auto taken, refuse_taken_id());
    if (taken) return Outcome(*taken);
    MASH_ASSIGN(const auto refusal, validate());
    if (refusal) return Outcome(*refusal);
    return judge();
  }

  // A message about a header has no line of the submitted source.
  Status tell(const std::vector<CompilerMessage>& messages) {
    if (messages.empty()) return Done{};
    for (const CompilerMessage& message : messages) {
      const bool is_of_source = message.file == source_.string();
      findings_.push_back({is_of_source ? message.line : 0, is_of_source ? message.column : 0,
                           kind_of(message), shown(message.text)});
    }
    MASH_TRY(observer_.on_findings(findings_));
    return observer_.on_event(shown(to_text(messages)));
  }

  // Without the folder that all of this is in.
  std::string shown(std::string text) const {
    const std::filesystem::path folders[] = {source_.parent_path(), folder_};
    return without_folders(std::move(text), folders);
  }

  Status tell(const checks::CheckReport& report) {
    bool is_any = false;
    for (const checks::CheckResult& result : report.results) {
      if (result.found.outcome != checks::Outcome::kFail && result.found.outcome != checks::Outcome::kWarn)
        continue;
      is_any = true;
      const std::string text = shown(fmt::format("{}: {}: {}", outcome_name(result.found.outcome),
                                                 result.check->id, result.found.evidence));
      findings_.push_back({line_of(result.found.place), 0, "check", text});
      MASH_TRY(observer_.on_event(text));
    }
    return is_any ? observer_.on_findings(findings_) : Status(Done{});
  }

  // place: "holes.cpp:12", or of another file.
  std::uint64_t line_of(std::string_view place) const {
    const std::string file = source_.filename().string() + ":";
    if (!place.starts_with(file)) return 0;
    place.remove_prefix(file.size());
    return take_number<std::uint64_t>(place).value_or(0);
  }

  // An id that is somebody else's is no attempt, and costs no checks. Where the plugin cannot be loaded, the
  // checks say why.
  Result<std::optional<Refusal>> refuse_taken_id() const {
    MASH_ASSIGN(const Experiment experiment, experiment_of(board_.board));
    const PluginPlaces places{{}, Isolation::kBox, experiment.patience};
    Catalogue catalogue(access_to_plugins(places, work_));
    if (const Status added = catalogue.add(plugin_); !added.ok()) {
      if (added.error().kind == ErrorKind::kStopped) return added.error();
      return std::optional<Refusal>();
    }
    for (const HeuristicInfo& info : catalogue.heuristics()) {
      if (is_of_board(info.id)) return std::optional(rejected(board_has(info.id)));
      MASH_ASSIGN(const auto refusal, unless_refused(observer_.on_id(info)));
      if (refusal) return refusal;
    }
    return std::optional<Refusal>();
  }

  Result<std::optional<Refusal>> validate() {
    CheckSettings settings;
    settings.names = {plugin_.string()};
    settings.level = checks::level_name(kLevelBeforeTrial);
    settings.target.isolation = Isolation::kBox;
    settings.target.settings = own_;
    settings.target.seed = make_secret_number();  // of pictures that no plugin was made for
    const auto checked = check_heuristics(settings, work_);
    if (!checked.result.ok()) {
      MASH_ASSIGN(Refusal refusal, refusal_of(checked.result.error()));
      return std::optional(std::move(refusal));
    }
    const std::vector<checks::CheckReport>& reports = *checked.result;
    for (const checks::CheckReport& report : reports)
      if (is_of_board(report.heuristic)) return std::optional(rejected(board_has(report.heuristic)));
    for (const checks::CheckReport& report : reports) {
      MASH_TRY(tell(report));
      if (!report.passed()) return std::optional(rejected(cause_of(report)));
    }
    if (reports.size() != 1)
      return std::optional(
          rejected(fmt::format("the source has {} heuristics, expected one", reports.size())));
    return std::optional<Refusal>();
  }

  OfferTrySettings trial_settings() const {
    OfferTrySettings settings;
    settings.heuristic = plugin_.string();
    settings.own = own_;
    settings.against = experiment_.string();
    settings.seeds = std::uint32_t(num_seeds_again_.value_or(board_.board.num_seeds));
    settings.seconds = std::numeric_limits<double>::infinity();
    settings.overrides = {{"isolation=box", "dataset.test_part=private"}, "board"};
    settings.workspace = workspace_of(places_);
    settings.workspace.family_limit = places_.family_limit;
    settings.anyway = true;  // it was checked
    settings.shows_commands = false;
    return settings;
  }

  Result<Outcome> judge() {
    MASH_TRY(observer_.on_state(SubmissionState::kExtracting, "computing its features"));
    StepTeller teller(observer_);
    const WorkContext work{work_.workers, teller, work_.remarks, work_.stop};
    const OfferTrySettings settings = trial_settings();
    if (const Status tried = try_on_public_pictures(); !tried.ok()) {
      MASH_ASSIGN(Refusal refusal, refusal_of(tried.error()));
      return Outcome(std::move(refusal));
    }
    auto setup = prepare_checked_trial(settings, {plugin_.string(), {}, {plugin_}}, work);
    if (!setup.ok()) return ended_among_hidden_pictures(setup.error());
    MASH_ASSIGN(const auto known, name_it(setup->heuristic));
    if (known) return Outcome(*known);
    for (const std::size_t k : setup->newcomer.families)
      if (const FamilyInfo& family = setup->space.features.families()[k]; family.num_faults > 0)
        return ended_among_hidden_pictures(input_error("{} values are not finite", family.num_faults));
    const FeatureSet own = setup->space.features.subset(setup->newcomer.families);
    digest_ = features_digest(own);
    sample_ = feature_sample(own);
    MASH_ASSIGN(const auto copied, unless_refused(observer_.on_features(digest_)));
    if (copied) return Outcome(*copied);
    auto outcome = judge_by_both_sides(*setup, settings, work);
    forget_rounds(*setup, settings);
    return outcome;
  }

  // The report is of the held-out part of the training side, the judgement of the test side.
  Result<Outcome> judge_by_both_sides(TrialSetup& setup, OfferTrySettings settings, const WorkContext& work) {
    bool is_judging = false;
    const OfferObserver observer{[&](const Look&) {
      if (!std::exchange(is_judging, true))  // one that is no longer ours is stopped
        (void)observer_.on_state(SubmissionState::kJudging, "offering it beside the heuristics of the board");
    }};
    Judgement judgement;
    if (!num_seeds_again_) {
      settings.judges = Judges::kHeldOut;
      const auto report = report_trial(setup, settings, work, observer);
      if (!report.ok()) return ended_among_hidden_pictures(report.error());
      judgement.report_html = report->page.html.markup;
      judgement.report_json = document_of(*report);
    }
    settings.judges = Judges::kTest;
    settings.for_a_board = true;
    // In silence: the number of steps tells how sure the hidden pictures are.
    const WorkContext silent{work.workers, no_progress(), work.remarks, work.stop};
    const auto tested = test_offer(setup, settings, false, silent, observer);
    if (!tested.ok()) return ended_among_hidden_pictures(tested.error());
    static_cast<MeasuredGain&>(judgement) = offer_row(tested->offer);
    judgement.microseconds = *number_in<double>(in_digits(tested->offer.cost.microseconds_per_image, 2));
    judgement.num_features = tested->offer.cost.dim;
    judgement.placebo_step = placebo_step(tested->test.placebo_gains, judgement.standard_error);
    judgement.losses = tested->test.losses.sums_after();
    judgement.features_digest = digest_;
    judgement.sample = sample_;
    return Outcome(std::move(judgement));
  }

  // Not what the error says, which may be in the words of a heuristic that had seen hidden pictures by then.
  Result<Outcome> ended_among_hidden_pictures(const Error& error) const {
    if (error.kind == ErrorKind::kStopped) return error;
    work_.remarks.warn(fmt::format("submission {}: {}", submission_.id, printable(error.message)));
    return Outcome(error.kind == ErrorKind::kFailure ? failed(kNotJudged) : rejected(kNotComputed));
  }

  // Before it sees a hidden picture: all that goes wrong here is told.
  Status try_on_public_pictures() const {
    MASH_ASSIGN(const Experiment experiment, experiment_of(board_.board));
    const PluginPlaces places{{}, Isolation::kBox, experiment.patience};
    Catalogue catalogue(access_to_plugins(places, work_));
    MASH_TRY(catalogue.add(plugin_));
    const Dataset& dataset = *board_.dataset;
    const ExtractionContext context{catalogue.host(), dataset, work_};
    for (const HeuristicInfo& info : catalogue.heuristics()) {
      FamilySpec spec;
      spec.name = info.id;
      spec.heuristic = info;
      MASH_ASSIGN(spec.values, parameter_values(info, own_));
      MASH_ASSIGN(const std::uint32_t dim, family_dim(spec, context));
      const StoreSettings store{.folder = places_.store, .family_limit = places_.family_limit};
      MASH_TRY(check_family_limit(dim, store, dataset));
      MASH_TRY(try_on_training_side(spec, dim, context));
    }
    return Done{};
  }

  bool is_of_board(const std::string& id) const {
    return std::ranges::find(board_.heuristics, id) != board_.heuristics.end();
  }
  static std::string board_has(const std::string& id) {
    return fmt::format("'{}' is the id of a heuristic of the board: give yours another one", id);
  }

  // Features of a submission are for its judging alone: they would stay for ever.
  void forget_features() const {
    const auto plugin = read_file(plugin_);
    if (!plugin.ok()) return;  // it came to none
    const PruneRequest request{.plugin_sha256 = sha256(*plugin)};
    const auto pruned = prune_store(places_.store, request, std::chrono::system_clock::now());
    if (!pruned.ok() && pruned.error().kind != ErrorKind::kInput)  // of that kind: there is no store yet
      work_.remarks.warn(
          fmt::format("submission {}: its features stay: {}", submission_.id, pruned.error().message));
  }

  // As with its features: nothing reads them again but another run of the same plugin on the same experiment,
  // which plays them again.
  void forget_rounds(const TrialSetup& setup, const OfferTrySettings& settings) const {
    const Status forgotten = forget_offer(setup, settings, KeptPart::kNewcomer, work_);
    if (!forgotten.ok())
      work_.remarks.warn(
          fmt::format("submission {}: rounds of it stay: {}", submission_.id, forgotten.error().message));
  }

  // Tells its descriptor.
  Result<std::optional<Refusal>> name_it(const HeuristicInfo& info) {
    return unless_refused(observer_.on_heuristic(info));
  }

  // A refusal where what was told is not allowed.
  static Result<std::optional<Refusal>> unless_refused(const Status& told) {
    if (told.ok()) return std::optional<Refusal>();
    if (told.error().kind != ErrorKind::kInput) return told.error();
    return std::optional(rejected(told.error().message));
  }

  static std::string document_of(const HeuristicReportResult& report) {
    auto document = to_json(report.report);
    // The time that hidden pictures took would tell of them; the other figures are of the training side.
    for (const char* key : {"extract_seconds", "seconds"}) document[key] = 0;
    document["warnings"] = nlohmann::json::array();  // some name pictures of the data
    return document.dump();
  }

  const Submission& submission_;
  const PreparedBoard& board_;
  const JudgingPlaces& places_;
  const JudgingObserver& observer_;
  const WorkContext& work_;
  std::filesystem::path folder_, plugin_, source_, experiment_;
  std::optional<std::size_t> num_seeds_again_;
  Settings own_;             // of the heuristic
  std::string digest_ = {};  // of its features
  FeatureSample sample_ = {};
  std::vector<SourceFinding> findings_;
};

// Hears nothing.
JudgingObserver silent_observer() {
  return {[](SubmissionState, std::string_view) { return Status(Done{}); },
          [](std::string_view) { return Status(Done{}); },
          [](const std::vector<SourceFinding>&) { return Status(Done{}); },
          [](const HeuristicInfo&) { return Status(Done{}); },
          [](const HeuristicInfo&) { return Status(Done{}); },
          [](const std::string&) { return Status(Done{}); }};
}

// The data of a board, without the names of pictures. What is wrong with them may name one: it is a remark,
// for the operator alone.
Result<std::shared_ptr<const Dataset>> dataset_of(const Board& board, const Experiment& experiment,
                                                  const WorkContext& work) {
  Result<Dataset> loaded = load_experiment_dataset(experiment, work);
  if (!loaded.ok() && loaded.error().kind == ErrorKind::kStopped) return loaded.error();
  if (!loaded.ok()) {
    work.remarks.warn(fmt::format("board {}: {}", board.name, loaded.error().message));
    return input_error("board {}: its data cannot be read; the runner's log says why", board.name);
  }
  forget_names(*loaded);
  return std::shared_ptr<const Dataset>(std::make_shared<Dataset>(*std::move(loaded)));
}

}  // namespace

std::string without_folders(std::string text, std::span<const std::filesystem::path> folders) {
  for (const std::filesystem::path& folder : folders) {
    const std::string start = folder.string() + "/";
    for (auto at = text.find(start); at != std::string::npos && !folder.empty(); at = text.find(start, at))
      text.erase(at, start.size());
  }
  return text;
}

std::string source_folder(const Submission& submission) {
  const std::size_t slash = submission.heuristic.find('/');
  return slash == std::string::npos ? submission.contributor : submission.heuristic.substr(0, slash);
}

Result<Experiment> experiment_of(const Board& board, TestPart part) {
  const std::string of_part = part == TestPart::kPrivate ? "private" : "public";
  return parse_experiment(board.experiment, board.name + ".yaml",
                          {{"dataset.test_part=" + of_part}, "board"});
}

WorkspaceSettings workspace_of(const JudgingPlaces& places) {
  WorkspaceSettings settings;
  settings.heuristics = places.heuristics;
  settings.database = places.database;
  settings.store = places.store;
  settings.forgets_names = true;
  return settings;
}

Result<PreparedBoard> prepare_board(const Board& board, const JudgingPlaces& places,
                                    const WorkContext& work) {
  MASH_ASSIGN(const Experiment experiment, experiment_of(board));
  MASH_ASSIGN(auto dataset, dataset_of(board, experiment, work));
  MASH_ASSIGN(const Workspace space,
              open_workspace(experiment, workspace_of(places), work, {{}, std::move(dataset)}));
  PreparedBoard prepared{board, {}, space.dataset};
  for (const FamilyInfo& family : space.features.families())
    prepared.heuristics.push_back(family.spec.heuristic.id);
  if (prepared.heuristics.empty())
    return input_error("board {}: has no heuristics to be offered beside", board.name);
  return prepared;
}

Result<Outcome> judge_submission(const Submission& submission, const PreparedBoard& board,
                                 const JudgingPlaces& places, const JudgingObserver& observer,
                                 const WorkContext& work) {
  const auto folder = ScratchFolder::make("judging");
  if (!folder.ok()) return Outcome(failed(folder.error().message));
  return Judging(submission, board, places, observer, work, *folder).run();
}

Result<Outcome> measure_again(const Submission& submission, const PreparedBoard& board,
                              const JudgingPlaces& places, std::size_t num_seeds, const WorkContext& work) {
  const auto folder = ScratchFolder::make("measuring");
  if (!folder.ok()) return Outcome(failed(folder.error().message));
  const JudgingObserver observer = silent_observer();
  return Judging(submission, board, places, observer, work, *folder).run_again(num_seeds);
}

}  // namespace mash::server
