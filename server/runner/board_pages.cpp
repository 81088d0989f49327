// SPDX-License-Identifier: Apache-2.0
#include "server/runner/board_pages.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "framework/base/without_places.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "framework/operations/offers/measure_board.hpp"
#include "framework/operations/offers/offer.hpp"
#include "framework/operations/training/run_experiment.hpp"
#include "framework/records/run_record.hpp"
#include "framework/reports/run/mistake_sections.hpp"
#include "framework/reports/run/reproduction_section.hpp"
#include "framework/reports/run/sections.hpp"
#include "server/runner/uncovered.hpp"

namespace mash::server {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char *kDatasetJson = "dataset.json", *kResolutionJson = "resolution.json",
                     *kUncovered = "uncovered", *kExperiment = "experiment";

// Names of pages that a board is to have.
std::vector<std::string> page_names() {
  return {kDatasetJson,
          kResolutionJson,
          std::string(kUncovered) + ".html",
          std::string(kUncovered) + ".json",
          std::string(kExperiment) + ".html",
          std::string(kExperiment) + ".json"};
}

// The right to make the pages of boards with a store, until it is destroyed or the program ends.
class PagesLock {
 public:
  // Nothing: another runner has it. Errors: the file cannot be made or locked.
  static Result<std::optional<PagesLock>> take(const fs::path& store) {
    std::error_code code;
    fs::create_directories(store, code);
    const fs::path path = store / "pages.lock";
    PagesLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (lock.descriptor_ >= 0 && ::flock(lock.descriptor_, LOCK_EX | LOCK_NB) == 0)
      return std::optional(std::move(lock));
    if (errno == EWOULDBLOCK) return std::optional<PagesLock>();
    return failure("{}: cannot be locked: {}", path.string(), std::strerror(errno));
  }
  ~PagesLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  PagesLock(PagesLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  PagesLock& operator=(PagesLock&&) = delete;

 private:
  explicit PagesLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

// A page and its document.
struct PageWithDocument {
  std::string html, json;
};

// Says why there is no page.
PageWithDocument without(const std::string& heading, const std::string& why) {
  const page::Section sections[] = {{"why", "Why there is nothing here", page::note(why + ".")}};
  return {page::page(heading, Html(), sections, MASH_VERSION).html.markup, Json{{"error", why}}.dump()};
}

// A message about the experiment with the last part of each path that it names in the place of the path.
std::string without_places_of(const Experiment& experiment, std::string message) {
  std::vector<NamedSettings> parts = experiment.heuristics;
  parts.insert(parts.end(), {experiment.dataset, experiment.booster});
  for (const NamedSettings& part : parts)
    for (const Settings::Entry& entry : part.settings.entries())
      for (auto at = message.find(entry.value);
           at != std::string::npos && entry.value.find('/') != std::string::npos;
           at = message.find(entry.value, at))
        message.replace(at, entry.value.size(), last_part(entry.value));
  return message;
}

class BoardPages {
 public:
  BoardPages(const Board& board, Experiment experiment, const JudgingPlaces& places, Workspace& space,
             const WorkContext& work)
      : board_(board), experiment_(std::move(experiment)), places_(places), space_(space), work_(work) {}

  Status make() {
    MASH_ASSIGN(const bool has_dataset, has(kDatasetJson));
    if (!has_dataset) {
      MASH_ASSIGN(const Json dataset, dataset_json());
      MASH_TRY(put(kDatasetJson, dataset.dump()));
    }
    MASH_TRY(tell_resolution());
    MASH_TRY(prepare_offers());
    MASH_TRY(make(kUncovered, "What nobody covers yet", [&] { return uncovered(); }));
    return make(kExperiment, board_.name, [&] { return own_experiment(); });
  }

 private:
  Result<bool> has(const std::string& name) const { return has_board_page(space_.records, board_.id, name); }
  Status put(const std::string& name, const std::string& content) {
    return put_board_page(space_.records, board_.id, name, content);
  }

  // Pages that cannot be made of this experiment say so in their place.
  template <class Make>
  Status make(const std::string& name, const std::string& heading, const Make& make) {
    MASH_ASSIGN(const bool has_page, has(name + ".html"));
    MASH_ASSIGN(const bool has_document, has(name + ".json"));
    if (has_page && has_document) return Done{};
    Result<PageWithDocument> made = make();
    if (!made.ok() && made.error().kind == ErrorKind::kInput)
      made = without(heading, without_places_of(experiment_, made.error().message));
    if (!made.ok()) return made.error();
    MASH_TRY(put(name + ".json", made->json));
    return put(name + ".html", made->html);
  }

  // Tells the operator what the board can tell apart, before anything is judged.
  Status tell_resolution() {
    MASH_ASSIGN(const bool is_there, has(kResolutionJson));
    if (is_there) return Done{};
    const auto resolution = measure_resolution(space_, experiment_, work_);
    if (!resolution.ok() && resolution.error().kind != ErrorKind::kInput) return resolution.error();
    if (!resolution.ok()) {
      work_.remarks.warn(fmt::format("board {}: what it can tell apart is not known: {}", board_.name,
                                     resolution.error().message));
      const std::string why = without_places_of(experiment_, resolution.error().message);
      return put(kResolutionJson, Json{{"error", why}}.dump());
    }
    work_.remarks.tell(fmt::format("board {}: {}", board_.name, in_words(*resolution)));
    return put(kResolutionJson, mash::to_json(*resolution).dump());
  }

  // Makes what offers to the board begin with. Errors are told to contributors when they submit.
  Status prepare_offers() {
    for (const Judges judges : {Judges::kTest, Judges::kHeldOut}) {
      const Status trained = train_pool_of_offers(experiment_, space_, judges, board_.num_seeds, work_);
      if (!trained.ok() && trained.error().kind != ErrorKind::kInput) return trained;
    }
    return Done{};
  }

  Result<Json> dataset_json() const {
    Settings whole = dataset_settings(experiment_);
    whole.erase("test_part");
    MASH_ASSIGN(const Dataset all, load_dataset(experiment_.dataset.name, whole, experiment_.seed, work_));
    const Dataset& dataset = *space_.dataset;
    const std::size_t num_private = dataset.test.num_examples;
    return Json{{"name", dataset.name},
                {"num_train", dataset.train.num_examples},
                {"num_test_public", all.test.num_examples - num_private},
                {"num_test_private", num_private},
                {"classes", dataset.class_names},
                {"width", dataset.shape.width},
                {"height", dataset.shape.height},
                {"channels", dataset.shape.num_channels},
                {"private_part",
                 "About half of the test side, chosen by a hash of each picture, or of its group where "
                 "pictures have groups. "
                 "The board is ranked by it alone; this server shows its pictures and what is said of single "
                 "ones to nobody."}};
  }

  Result<PageWithDocument> uncovered() {
    MASH_ASSIGN(const Uncovered found, find_uncovered(experiment_, space_, work_));
    MASH_ASSIGN(const page::Piece page, uncovered_page(found, *space_.dataset, board_.name));
    return PageWithDocument{page.html.markup, to_json(found).dump()};
  }

  Result<PageWithDocument> own_experiment() {
    MASH_ASSIGN(const Experiment experiment, experiment_of(board_, TestPart::kPublic));
    MASH_ASSIGN(Workspace space, open_workspace(experiment, workspace_of(places_), work_));
    RunSettings settings;
    settings.of_any_name = true;
    MASH_ASSIGN(ExperimentResult result, run_experiment(experiment, settings, space, work_));
    if (result.stopped) return Error{ErrorKind::kStopped, "stopped while it trained the board's experiment"};
    MASH_ASSIGN(RunRecord record, read_run(space.records, result.runs.front().run_id));
    // The records may know the files of pictures, from another run of the operator's; the workspace has
    // forgotten them.
    record.data.files = space.dataset->sources;
    for (SourceFile& file : record.data.files)
      file.path = file.path.filename();  // where it lies is nobody's business
    record.configuration = without_places(record.configuration);
    result.warnings.clear();  // they name pictures that cannot be read
    return PageWithDocument{experiment_page(record).html.markup, mash::to_json(result).dump()};
  }

  // Like the report of a run, without the pictures.
  page::Piece experiment_page(const RunRecord& record) const {
    const page::Section sections[] = {
        {"figures", "Key figures", mash::sections::key_figures(record)},
        {"curve", "Learning curve", mash::sections::learning_curve(record)},
        {"families", "Leaderboard of families", mash::sections::family_leaderboard(record)},
        {"confusion", "Confusion matrix", mash::sections::confusion_matrix(record), true},
        {"reproduce", "Reproduce it", mash::sections::reproduction(record), true}};
    const Html lead = markup(
        "The experiment of the board {} with its own heuristics alone: {} with {} over {} families, "
        "seed {}. Test examples are those of the public part.",
        board_.name, record.data.name, record.trained_by(), record.families.size(), record.seed);
    return page::page(board_.name, lead, sections, record.program_version);
  }

  const Board& board_;
  Experiment experiment_;
  const JudgingPlaces& places_;
  Workspace& space_;
  const WorkContext& work_;
};

}  // namespace

Result<bool> has_board_pages(const RecordsReader& records, std::int64_t board_id) {
  for (const std::string& name : page_names()) {
    MASH_ASSIGN(const bool is_there, has_board_page(records, board_id, name));
    if (!is_there) return false;
  }
  return true;
}

Result<bool> make_board_pages(const Board& board, const JudgingPlaces& places, const WorkContext& work) {
  MASH_ASSIGN(const auto lock, PagesLock::take(places.store));
  if (!lock) return false;
  MASH_ASSIGN(const Experiment experiment, experiment_of(board));
  MASH_ASSIGN(Workspace space, open_workspace(experiment, workspace_of(places), work));
  MASH_TRY(BoardPages(board, experiment, places, space, work).make());
  return true;
}

}  // namespace mash::server
