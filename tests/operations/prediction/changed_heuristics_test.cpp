// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <fstream>

#include "classifiers/model/model_file.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "framework/operations/bundle/bundle.hpp"
#include "framework/operations/data/export_model.hpp"
#include "framework/operations/experiment/experiment.hpp"
#include "framework/operations/prediction/budget_curve.hpp"
#include "framework/operations/prediction/budget_model.hpp"
#include "framework/operations/training/train_model.hpp"
#include "tests/support/heard_remarks.hpp"
#include "tests/support/places.hpp"
#include "tests/support/quiet_work.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

// A plugin that was built from the same source, in the same version.
PluginPlaces shades(const std::string& build) {
  return {{testing::binary_folder() + "/tests/extractors/plugins/shades_" + build + ".so"}};
}

DatasetToPredict digits() {
  DatasetToPredict dataset{"digits", {}, 1, {}, ""};
  dataset.settings.add("train", "60", "the test");
  dataset.settings.add("test", "20", "the test");
  dataset.settings.add("size", "16", "the test");
  return dataset;
}

template <class T>
Status status_of(const Result<T>& result) {
  if (!result.ok()) return result.error();
  return Done{};
}

// A use of a model that needs its features or says what they are.
struct Use {
  const char* name;
  bool of_any_kind;    // else of sums alone
  bool compares_bits;  // it refuses other thresholds too
  Status (*of)(const ModelSource& source, const fs::path& folder, const WorkContext& work);
};

const Use kUses[]{
    {"predict pictures", true, false,
     [](const ModelSource& source, const fs::path& folder, const WorkContext& work) {
       return status_of(predict_images(source, {{folder / "a.pgm"}}, work));
     }},
    {"predict a data set", true, false,
     [](const ModelSource& source, const fs::path&, const WorkContext& work) {
       return status_of(predict_dataset(source, digits(), work));
     }},
    {"predict from a store", false, true,
     [](const ModelSource& source, const fs::path& folder, const WorkContext& work) {
       DatasetToPredict dataset = digits();
       dataset.store = folder / "store";
       return status_of(predict_dataset(source, dataset, work));
     }},
    {"predict pictures within a budget", false, false,
     [](const ModelSource& source, const fs::path& folder, const WorkContext& work) {
       return status_of(predict_images_within(source, {{folder / "a.pgm"}}, {}, work));
     }},
    {"predict a data set within a budget", false, false,
     [](const ModelSource& source, const fs::path&, const WorkContext& work) {
       return status_of(predict_dataset_within(source, digits(), {}, work));
     }},
    {"order by worth", false, false,
     [](const ModelSource& source, const fs::path&, const WorkContext& work) {
       BudgetModelSettings settings{source.model, {}};
       settings.plugins = source.plugins;
       settings.changed = source.changed;
       return status_of(budget_model(settings, work));
     }},
    {"curve", false, false,
     [](const ModelSource& source, const fs::path&, const WorkContext& work) {
       return status_of(budget_curve(source, digits(), {}, {5}, work));
     }},
    {"export", true, false,
     [](const ModelSource& source, const fs::path& folder, const WorkContext& work) {
       return status_of(export_model(source, DataFormat::kNpz, folder / "model.npz", work));
     }},
    {"bundle", true, false,
     [](const ModelSource& source, const fs::path& folder, const WorkContext& work) {
       fs::remove_all(folder / "bundle");
       return status_of(export_bundle({source, folder / "bundle"}, work));
     }},
};

struct Kind {
  const char* name;
  bool is_sum;
  const char* learner;  // lines of the experiment
};

const Kind kModelKinds[]{
    {"stumps", true, "booster: {name: adaboost.mh, rounds: 6}"},
    {"products", true, "booster: {name: adaboost.mh, rounds: 4}\nweak: {name: product, terms: 2}"},
    {"trees", true, "booster: {name: adaboost.mh, rounds: 4}\nweak: {name: tree, leaves: 4}"},
    {"linear in codes", false, "classifier: ridge"},
    {"linear in values", false, "classifier: {name: ridge, inputs: values}"},
};

class ChangedHeuristics : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "a.pgm") << "P5\n16 16\n255\n" << std::string(256, 'x');
    const auto experiment = parse_experiment(
        std::string("dataset: {name: digits, train: 60, test: 20, size: 16}\nheuristics: [test/shades]\n") +
            GetParam().learner,
        "", {});
    ASSERT_TRUE(experiment.ok()) << experiment.error().message;
    const auto dataset = load_dataset("digits", digits().settings, 1, testing::quiet_work());
    ASSERT_TRUE(dataset.ok()) << dataset.error().message;
    const auto model = train_model(*experiment, *dataset, shades("trained"), testing::quiet_work());
    ASSERT_TRUE(model.ok()) << model.error().message;
    std::ofstream(folder_ / "model.json") << serialise(*model);
  }

  Status use(const Use& use, const std::string& build, bool takes_changed, Remarks& remarks) {
    static const Workers workers(2);
    static const StopFlag never;
    return use.of({folder_ / "model.json", shades(build), {takes_changed, "; say so"}}, folder_.path(),
                  {workers, no_progress(), remarks, never});
  }

  testing::ScratchFolder folder_;
};

TEST_P(ChangedHeuristics, AreRefusedByEveryUseOfAModel) {
  for (const Use& one : kUses) {
    SCOPED_TRACE(one.name);
    if (!one.of_any_kind && !GetParam().is_sum) continue;
    for (const char* build : {"trained", "rounded"}) {
      if (one.compares_bits && std::string_view(build) != "trained") continue;
      testing::HeardRemarks remarks;
      const Status good = use(one, build, false, remarks);
      EXPECT_TRUE(good.ok()) << build << ": " << good.error().message;
      EXPECT_THAT(remarks.warnings, ::testing::IsEmpty()) << build;
    }
    testing::HeardRemarks remarks;
    const Status refused = use(one, "changed", false, remarks);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind, ErrorKind::kInput);
    EXPECT_THAT(refused.error().message, AllOf(HasSubstr("model.json: found heuristics of the same version"),
                                               HasSubstr("test/shades ("), HasSubstr(" codes differ"),
                                               HasSubstr("trained with; say so")));
    if (one.compares_bits) continue;
    const Status taken = use(one, "changed", true, remarks);
    EXPECT_TRUE(taken.ok()) << taken.error().message;
    EXPECT_THAT(remarks.warnings, Contains(HasSubstr("test/shades (")));
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, ChangedHeuristics, ::testing::ValuesIn(kModelKinds), [](const auto& kind) {
  std::string name = kind.param.name;
  std::ranges::replace(name, ' ', '_');
  return name;
});

}  // namespace
}  // namespace mash
