// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/roots.hpp"

#include <algorithm>
#include <functional>

#include "framework/checks/bench.hpp"
#include "framework/checks/runner.hpp"
#include "framework/checks/sanitized.hpp"

namespace mash::checks {
namespace {

using Ids = std::vector<std::string_view>;

Ids operator+(Ids ids, const Ids& more) {
  ids.insert(ids.end(), more.begin(), more.end());
  return ids;
}

// A rule by which one failure explains others.
struct Rule {
  std::string_view root;
  Symptom symptom;  // of the root
  Ids consequences;
  Ids passed = {};  // what must have passed for that
};

// The deepest causes first: a result follows from the first that explains it.
const std::vector<Rule>& rules() {
  // Checks that compare features with those of another call, which fail where none of the two means anything.
  static const Ids other_layouts{"contract.strides", "contract.views", "contract.colour"};
  static const Ids other_calls{"contract.indices", "contract.life-cycle", "determinism.batch"};
  static const Ids other_times{"determinism.instance", "determinism.threads", "determinism.process",
                               "determinism.locale", "determinism.clock"};
  static const Ids comparisons =
      other_layouts + other_calls + other_times +
      Ids{"determinism.repeat", "determinism.history", "determinism.sequence", "values.initialised"};
  // Checks of the values themselves.
  static const Ids values{"values.finite",           "values.subnormal",      "robustness.flat",
                          "robustness.checkerboard", "robustness.noise",      "robustness.tiny",
                          "robustness.huge",         "robustness.structured", "advisory.range"};
  static const Ids sanitizers{std::string_view(kSanitizersCheck)};
  static const Ids damage = comparisons + values + sanitizers;
  static const Ids after_load{"load.unloads", "load.descriptor", "load.about"};
  static const std::vector<Rule> all = {
      {"load.elf", Symptom::kFound,
       Ids{"load.symbols", "load.unique", "load.abi", "load.segments", "load.loads"} + after_load},
      {"load.loads", Symptom::kCrash, after_load},
      {"load.loads", Symptom::kFound, after_load},
      {"load.abi", Symptom::kFound, after_load},
      {"load.descriptor", Symptom::kFound, {"load.about"}},
      {"contract.dim-constant", Symptom::kFound, comparisons + values + Ids{"contract.sizes"}},
      {"values.row-bounds", Symptom::kOutside, damage + Ids{"values.plane-bounds"}},
      {"values.plane-bounds", Symptom::kOutside, damage},
      {"values.input", Symptom::kOutside, comparisons + sanitizers},
      {"values.index-bounds", Symptom::kOutside, damage + Ids{"values.out-bounds"}},
      {"values.out-bounds", Symptom::kOutside, damage},
      {"values.sanitizers", Symptom::kOutside, damage},
      {"values.written", Symptom::kFound, other_calls},
      {"values.initialised", Symptom::kFound, comparisons + values},
      {"values.finite", Symptom::kFound, values},
      {"robustness.flat", Symptom::kFound, {"robustness.tiny", "robustness.structured"}},
      // No random numbers and nothing from outside: what the instance keeps from picture to picture.
      {"determinism.history", Symptom::kFound, comparisons, {"determinism.process", "determinism.imports"}},
      {"determinism.repeat", Symptom::kFound, comparisons},
      {"determinism.history", Symptom::kFound, comparisons},
      {"determinism.instance", Symptom::kFound, other_times + Ids{"contract.life-cycle"}},
      {"determinism.process", Symptom::kFound, {"determinism.locale", "determinism.clock"}},
      // Time goes on while the threads are at work.
      {"determinism.clock",
       Symptom::kFound,
       {"determinism.threads", "determinism.process", "determinism.locale"},
       {"determinism.repeat", "determinism.history", "determinism.instance"}},
      {"determinism.batch", Symptom::kFound, {"contract.indices"}},
      {"contract.indices", Symptom::kFound, {"determinism.batch"}},
      {"contract.strides", Symptom::kFound, {"contract.views"}},
  };
  return all;
}

bool is_bad(const CheckResult& result) { return result.failed() || result.found.outcome == Outcome::kWarn; }

bool explains(const Rule& rule, const CheckResult& result) {
  if (std::find(rule.consequences.begin(), rule.consequences.end(), result.check->id) ==
      rule.consequences.end())
    return false;
  const auto says = [&](std::string_view text) {
    return result.found.evidence.find(text) != std::string::npos;
  };
  // Black pictures are of one colour too.
  if (rule.root == "robustness.flat") return says(" black ") || says("(black)") || says(" of 1x1 ");
  // A clock that counts within a process too is a cause of its own.
  if (rule.root == "determinism.process") return says("in this process");
  // Where the order alone makes a difference, it is the order that is wrong.
  if (rule.root == "determinism.batch") return !says(" order");
  return true;
}

// The cause that two failures share which come of the same failed call, crash or endless loop.
std::string common_cause(const CheckResult& result) {
  if (!result.failed()) return "";
  const std::string_view evidence = result.found.evidence;
  const auto until = [&](std::string_view text) {
    return std::string(evidence.substr(0, evidence.find(text)));
  };
  if (result.found.symptom == Symptom::kOutside) return "";
  if (result.found.symptom == Symptom::kTimeout) return "takes too long";  // for any limit
  if (result.found.symptom == Symptom::kCrash || evidence.ends_with(" in another process"))
    return std::string(evidence.substr(0, std::min({evidence.find(" at address"), evidence.find(", on "),
                                                    evidence.find(" in another process")})));
  if (evidence.starts_with("no symbol ")) return until(";");
  if (evidence.find(" features for ") != evidence.npos && evidence.find(", expected 1 to ") != evidence.npos)
    return "dim is out of range";
  for (const std::string_view refusal : {kRefusesDefaults, kRefusesSettings, kRefusesEverySize})
    if (evidence.find(refusal) != evidence.npos) return std::string(refusal);
  return std::string(failed_call(evidence));
}

bool is_crash(const std::string& cause) { return cause.starts_with("crash: "); }
// Damage that one call does to memory is found by malloc and free in another, which abort.
bool is_abort(const std::string& cause) { return cause.starts_with("crash: signal 6 "); }

// Results by the id of their check.
class Results {
 public:
  explicit Results(CheckReport& report) : results_(report.results) {}

  CheckResult* find(std::string_view id) const {
    const auto found = std::find_if(results_.begin(), results_.end(),
                                    [&](const CheckResult& result) { return result.check->id == id; });
    return found == results_.end() ? nullptr : &*found;
  }
  bool passed(std::string_view id) const {
    const CheckResult* result = find(id);
    return result != nullptr && result->found.outcome == Outcome::kPass;
  }
  const CheckResult& root_of(const CheckResult& result) const {
    const CheckResult* root = &result;
    while (root->follows_from != nullptr) root = find(root->follows_from->id);
    return *root;
  }
  // Makes each that `follows` and has no cause yet a consequence of the root.
  void attach(const CheckResult& root, const std::function<bool(const CheckResult&)>& follows) const {
    for (CheckResult& result : results_)
      if (is_bad(result) && result.follows_from == nullptr && &root_of(root) != &result && follows(result))
        result.follows_from = root.check;
  }

 private:
  std::vector<CheckResult>& results_;
};

// Whether what a check advises is about how the heuristic failed it.
bool advice_fits(const CheckResult& result) {
  const std::string_view id = result.check->id;
  // A failure that others share is not about sizes.
  if (id == "contract.sizes" && result.num_following > 0) return common_cause(result).empty();
  if (result.check->level == Level::kLoad || result.check->level == Level::kRobustness) return true;
  if (id.starts_with("contract.dim-")) return true;
  if (id == "contract.create" || id == "contract.sizes" || id == "contract.parameters") return true;
  return common_cause(result).empty();
}

}  // namespace

void find_roots(CheckReport& report) {
  for (CheckResult& result : report.results) result.follows_from = nullptr;
  const Results results(report);
  for (const Rule& rule : rules()) {
    const CheckResult* root = results.find(rule.root);
    if (root == nullptr || !root->failed() || root->found.symptom != rule.symptom) continue;
    if (rule.symptom == Symptom::kFound && !common_cause(*root).empty()) continue;
    if (!std::all_of(rule.passed.begin(), rule.passed.end(), [&](auto id) { return results.passed(id); }))
      continue;
    results.attach(*root, [&](const CheckResult& result) {
      if (common_cause(result).empty()) return explains(rule, result);
      // Overwritten memory ends the process somewhere.
      return rule.symptom == Symptom::kOutside && result.found.symptom == Symptom::kCrash;
    });
  }
  for (const CheckResult& root : report.results)
    if (const std::string cause = common_cause(root); !cause.empty() && root.follows_from == nullptr)
      results.attach(root, [&](const CheckResult& result) {
        return common_cause(result) == cause || (is_crash(cause) && is_abort(common_cause(result)));
      });
  for (CheckResult& result : report.results) {
    const CheckResult& root = results.root_of(result);
    result.follows_from = &root == &result ? nullptr : root.check;
  }
  for (CheckResult& result : report.results) result.num_following = consequences_of(report, result).size();
}

std::vector<const CheckResult*> consequences_of(const CheckReport& report, const CheckResult& root) {
  std::vector<const CheckResult*> found;
  for (const CheckResult& result : report.results)
    if (result.follows_from == root.check) found.push_back(&result);
  return found;
}

const CheckResult* main_cause(const CheckReport& report) {
  const CheckResult* main = nullptr;
  std::size_t most = 0;
  for (const CheckResult& result : report.results) {
    if (!result.failed() || result.follows_from != nullptr) continue;
    const std::size_t count = consequences_of(report, result).size();
    if (main != nullptr && count <= most) continue;
    main = &result;
    most = count;
  }
  return main;
}

std::string place_of(const CheckReport& report, const CheckResult& root) {
  if (!root.found.place.empty()) return root.found.place;
  for (const CheckResult* result : consequences_of(report, root))
    if (!result->found.place.empty()) return result->found.place;
  return "";
}

std::string_view advice_of(const CheckResult& result) {
  if (!is_bad(result) || result.follows_from != nullptr) return "";
  if (advice_fits(result)) return result.check->advice;
  switch (result.found.symptom) {
    case Symptom::kCrash:
      return "Check its source outside a box: it is then built with sanitizers too, which name the line.";
    case Symptom::kTimeout: return "Bound every loop by the picture's size.";
    default: return "Let every call succeed on a size that dim takes.";
  }
}

}  // namespace mash::checks
