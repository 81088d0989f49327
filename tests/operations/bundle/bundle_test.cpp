// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/bundle/bundle.hpp"

#include <gmock/gmock.h>

#include <bit>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <thread>

#include "classifiers/model/model_file.hpp"
#include "classifiers/serving/predictor.hpp"
#include "classifiers/serving/probe.hpp"
#include "framework/dataset/readers/formats.hpp"
#include "framework/operations/prediction/predict.hpp"
#include "framework/operations/workshop/compile.hpp"
#include "tests/support/built_bundle.hpp"
#include "tests/support/heard_remarks.hpp"
#include "tests/support/made_model.hpp"
#include "tests/support/quiet_work.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

using testing::compiled_bundle;
using ::testing::HasSubstr;
using testing::LoadedBundle;
using testing::ModelMaker;
namespace fs = std::filesystem;

// A picture as a caller has it, which is also a file.
struct OwnPicture {
  std::uint32_t width = 0, height = 0, channels = 0;
  std::vector<std::uint8_t> pixels = {};

  std::ptrdiff_t row_stride() const { return std::ptrdiff_t(width) * channels; }
};

OwnPicture own_picture(std::uint32_t width, std::uint32_t height, std::uint32_t channels,
                       RandomStream& stream) {
  OwnPicture picture{width, height, channels};
  const std::uint64_t noise = 1 + stream.below(200), across = stream.below(12), down = stream.below(12);
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x)
      for (std::uint32_t c = 0; c < channels; ++c)
        picture.pixels.push_back(std::uint8_t((across * x + down * y + 30 * c + stream.below(noise)) % 256));
  return picture;
}

// As PAM, which has pixels of one, three and four channels.
void write_own_picture(const fs::path& path, const OwnPicture& picture) {
  const char* kind = picture.channels == 1 ? "GRAYSCALE" : picture.channels == 3 ? "RGB" : "RGB_ALPHA";
  std::ofstream file(path, std::ios::binary);
  file << "P7\nWIDTH " << picture.width << "\nHEIGHT " << picture.height << "\nDEPTH " << picture.channels
       << "\nMAXVAL 255\nTUPLTYPE " << kind << "\nENDHDR\n";
  file.write(reinterpret_cast<const char*>(picture.pixels.data()), std::streamsize(picture.pixels.size()));
}

class Bundles : public ::testing::Test {
 protected:
  // Pictures of that size, or of several, grey, in colour and with alpha.
  std::vector<OwnPicture> pictures(const ImageShape& shape, std::size_t count) {
    RandomStream stream(7, "bundle.pictures");
    std::vector<OwnPicture> made;
    for (std::size_t n = 0; n < count; ++n) {
      const bool is_other = shape.resize != ResizeMode::kNone && n % 8 != 0;
      const auto width = is_other ? std::uint32_t(1 + stream.below(90)) : shape.width;
      const auto height = is_other ? std::uint32_t(1 + stream.below(90)) : shape.height;
      made.push_back(own_picture(width, height, n % 3 == 0 ? 1 : n % 3 == 1 ? 3 : 4, stream));
    }
    return made;
  }

  BundleSettings settings(const Model& model) {
    std::ofstream(folder_ / "model.json") << serialise(model);
    BundleSettings settings{{folder_ / "model.json", {}}, folder_ / "bundle"};
    settings.python = true;
    return settings;
  }

  // The bundle of a model, compiled.
  LoadedBundle built(const BundleSettings& settings) {
    const auto bundle = export_bundle(settings, testing::quiet_work());
    if (!bundle.ok()) throw std::runtime_error(bundle.error().message);
    return compiled_bundle(settings.folder, settings.name);
  }

  std::vector<std::string> files_of(const std::vector<OwnPicture>& pictures) {
    std::vector<std::string> files;
    for (const OwnPicture& picture : pictures) {
      files.push_back(folder_ / fmt::format("{}.pam", files.size()));
      write_own_picture(files.back(), picture);
    }
    return files;
  }

  // Compares class and scores with mash predict, bit by bit.
  void expect_answers_of_predict(const Model& model, std::size_t num_pictures = 24) {
    const std::vector<OwnPicture> pictures = this->pictures(model.shape(), num_pictures);
    const BundleSettings wanted = settings(model);
    const LoadedBundle bundle = built(wanted);
    const auto expected = predict_images(wanted.model, {files_of(pictures)}, testing::quiet_work());
    ASSERT_TRUE(expected.ok()) << expected.error().message;
    std::vector<double> scores(model.num_classes());
    for (std::size_t n = 0; n < pictures.size(); ++n) {
      SCOPED_TRACE(fmt::format("picture {}, {}x{}x{}", n, pictures[n].width, pictures[n].height,
                               pictures[n].channels));
      const int found = classify(bundle, pictures[n], scores);
      ASSERT_GE(found, 0) << bundle.last_error();
      EXPECT_EQ(model.class_names()[std::size_t(found)], (*expected)[n].class_name);
      for (std::size_t l = 0; l < scores.size(); ++l)
        EXPECT_EQ(std::bit_cast<std::uint64_t>(scores[l]),
                  std::bit_cast<std::uint64_t>((*expected)[n].scores[l]));
    }
  }

  static int classify(const LoadedBundle& bundle, const OwnPicture& picture, std::vector<double>& scores) {
    return bundle.classify(picture.pixels.data(), picture.width, picture.height, picture.channels,
                           picture.row_stride(), scores.data());
  }

  testing::ScratchFolder folder_;
};

TEST_F(Bundles, OfSumsAnswerAsPredictDoes) {
  for (const char* kind : {"stumps", "products", "trees"}) {
    SCOPED_TRACE(kind);
    expect_answers_of_predict(ModelMaker({20, 24, 1}, {"hog", "lbp", "haar"}).sum(kind, 60));
    fs::remove_all(folder_ / "bundle");
  }
}

TEST_F(Bundles, OfModelsWithInputsAnswerAsPredictDoes) {
  for (const bool has_values : {false, true}) {
    ModelMaker maker({20, 24, 3}, {"color-moments", "identity"});
    for (const Model& model :
         {Model(maker.linear(true, has_values, 20)), Model(maker.gaussian(true, has_values, 20)),
          Model(maker.tree(true, has_values, 20))}) {
      SCOPED_TRACE(fmt::format("{} {}", model.kind(), has_values));
      expect_answers_of_predict(model);
      fs::remove_all(folder_ / "bundle");
    }
  }
}

TEST_F(Bundles, SayWhichArgumentIsWrong) {
  const LoadedBundle bundle = built(settings(ModelMaker({16, 16, 1}, {"lbp"}).sum("stumps", 1)));
  const std::vector<std::uint8_t> pixels(64);
  std::vector<double> scores(16);
  const auto refusal = [&](const std::uint8_t* at, std::uint32_t width, std::uint32_t channels, double* out) {
    return bundle.classify(at, width, 4, channels, 12, out) < 0 ? std::string(bundle.last_error()) : "";
  };
  EXPECT_EQ(refusal(nullptr, 4, 3, scores.data()), "found no pixels: their address is null");
  EXPECT_EQ(refusal(pixels.data(), 4, 3, nullptr), "found no room for the answer: its address is null");
  EXPECT_EQ(refusal(pixels.data(), 4, 2, scores.data()), "found 2 channels, expected 1, 3 or 4");
  EXPECT_EQ(refusal(pixels.data(), 0, 3, scores.data()),
            "found a picture of 0x4 pixels, expected at least one");
}

TEST_F(Bundles, OfModelsWithoutFeaturesAnswerAsPredictDoes) {
  ModelMaker maker({16, 16, 1}, {"lbp"});
  expect_answers_of_predict(maker.sum("stumps", 1), 3);
  fs::remove_all(folder_ / "bundle");
  expect_answers_of_predict(maker.linear(false, false, 0), 3);
}

TEST_F(Bundles, OfEveryHeuristicInGreyAnswerAsPredictDoes) {
  expect_answers_of_predict(ModelMaker({32, 32, 1}, {}).sum("stumps", 400));
}

TEST_F(Bundles, OfEveryHeuristicInColourAnswerAsPredictDoes) {
  expect_answers_of_predict(ModelMaker({34, 32, 3, 1, ResizeMode::kStretch}, {}).sum("stumps", 400));
}

TEST_F(Bundles, ResizePicturesAsPredictDoes) {
  for (const ResizeMode mode : {ResizeMode::kFit, ResizeMode::kCrop})
    for (const std::uint32_t channels : {1u, 3u}) {
      SCOPED_TRACE(fmt::format("{} {}", int(mode), channels));
      expect_answers_of_predict(ModelMaker({24, 18, channels, 1, mode}, {"grayscale"}).sum("stumps", 300),
                                60);
      fs::remove_all(folder_ / "bundle");
    }
}

TEST_F(Bundles, SpendABudgetAsPredictDoes) {
  const StrongClassifier model = ModelMaker({20, 20, 1}, {"hog", "lbp", "haar"}).sum("trees", 80);
  std::ofstream(folder_ / "costs.csv") << "family,feature,microseconds\nhog,setup,9\nhog,*,1\nlbp,setup,2\n"
                                          "lbp,*,0.5\nhaar,setup,1\nhaar,*,0.25\n";
  const std::vector<OwnPicture> pictures = this->pictures(model.shape, 60);
  const std::vector<std::string> files = files_of(pictures);
  for (const double budget : {0.5, 8.0, 40.0, Purchases::kUnlimited}) {
    SCOPED_TRACE(budget);
    BundleSettings wanted = settings(model);
    wanted.within = PredictionBudget{budget, folder_ / "costs.csv"};
    const LoadedBundle bundle = built(wanted);
    const auto expected = predict_images_within(wanted.model, {files}, *wanted.within, testing::quiet_work());
    ASSERT_TRUE(expected.ok()) << expected.error().message;
    std::vector<double> scores(model.num_classes());
    for (std::size_t n = 0; n < pictures.size(); ++n) {
      const int found = classify(bundle, pictures[n], scores);
      ASSERT_GE(found, 0) << bundle.last_error();
      EXPECT_EQ(model.class_names[std::size_t(found)], expected->images[n].class_name) << n;
    }
    fs::remove_all(wanted.folder);
  }
}

// A heuristic of one feature, the sum of the pixels of a row; `more` is behind its includes.
std::string row_source(const std::string& more = "") {
  return "#include <mash/heuristic.hpp>\n" + more +
         "#define FIRST 1\n"
         "namespace {\n"
         "struct Rows final : mash::Heuristic {\n"
         "  std::uint32_t dim(mash::Size size) const override { return size.height; }\n"
         "  void compute(const mash::View& view, std::span<const std::uint32_t> features,\n"
         "               std::span<float> out) override {\n"
         "    for (std::size_t i = 0; i < out.size(); ++i) {\n"
         "      out[i] = FIRST;\n"
         "      for (std::uint32_t x = 0; x < view.width(); ++x) out[i] += view.gray()(x, features[i]);\n"
         "    }\n"
         "  }\n"
         "};\n"
         "}  // namespace\n"
         "MASH_HEURISTIC(Rows, \"ben/rows\", \"1.0.0\", \"Ben\", \"sums of rows\", \"MIT\")\n";
}

// The model of a heuristic that did not come with the program.
StrongClassifier model_of_rows() {
  StrongClassifier model;
  model.class_names = {"dark", "bright"};
  model.shape = {16, 16, 1};
  model.families = {{"ben/rows", "ben/rows", "1.0.0", {}, 16}};
  for (std::uint32_t t = 0; t < 16; ++t)
    model.hypotheses.push_back({1.0 / (t + 1), {{0, t, 16.f * 128}}, {-1, 1}, {}});
  return model;
}

TEST_F(Bundles, HaveASourceThatIsGiven) {
  std::ofstream(folder_ / "rows.cpp") << row_source();
  BundleSettings wanted = settings(model_of_rows());
  wanted.sources = {folder_ / "rows.cpp"};
  const LoadedBundle bundle = built(wanted);
  std::vector<double> scores(2);
  const OwnPicture dark{16, 16, 1, std::vector<std::uint8_t>(256, 10)},
      bright{16, 16, 1, std::vector<std::uint8_t>(256, 240)};
  EXPECT_EQ(classify(bundle, dark, scores), 0);
  EXPECT_EQ(classify(bundle, bright, scores), 1);
  std::ifstream licences(wanted.folder / "LICENSES");
  const std::string text((std::istreambuf_iterator<char>(licences)), {});
  EXPECT_THAT(text, HasSubstr("ben/rows 1.0.0, by Ben, licence MIT: compiled in from rows.cpp\n"));
  EXPECT_FALSE(fs::exists(wanted.folder / "plugins"));
}

// By the values that the model's file has of its heuristics.
TEST_F(Bundles, RefuseASourceThatHasChangedSinceTheTraining) {
  std::ofstream(folder_ / "rows.cpp") << row_source();
  static const StopFlag never;
  const auto compiled = compile_heuristic({folder_ / "rows.cpp"}, folder_ / "rows.so", false, never);
  ASSERT_TRUE(compiled.result.ok()) << compiled.diagnostics;
  Catalogue catalogue = *Catalogue::open(std::vector<std::string>{folder_ / "rows.so"});
  Model model(model_of_rows());
  add_training_facts({}, catalogue, model);
  ASSERT_TRUE(model.head().probe && model.head().probe->values.at(0));
  BundleSettings wanted = settings(model);
  wanted.sources = {folder_ / "rows.cpp"};
  EXPECT_TRUE(export_bundle(wanted, testing::quiet_work()).ok());
  fs::remove_all(wanted.folder);
  std::ofstream(folder_ / "rows.cpp")
      << std::regex_replace(row_source(), std::regex("view.gray"), "2 * view.gray");
  const auto refused = export_bundle(wanted, testing::quiet_work());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kInput);
  EXPECT_THAT(refused.error().message,
              HasSubstr("that have changed since the model was trained: ben/rows ("));
  EXPECT_FALSE(fs::exists(wanted.folder));
}

TEST_F(Bundles, DoNotWarnOfThePluginThatASourceStandsFor) {
  std::ofstream(folder_ / "rows.cpp") << row_source();
  static const StopFlag never;
  fs::create_directory(folder_ / "plugins");
  const auto compiled = compile_heuristic({folder_ / "rows.cpp"}, folder_ / "plugins/rows.so", false, never);
  ASSERT_TRUE(compiled.result.ok()) << compiled.diagnostics;
  BundleSettings wanted = settings(model_of_rows());
  wanted.sources = {folder_ / "rows.cpp"};
  wanted.model.plugins.named = {folder_ / "plugins"};
  testing::HeardRemarks heard;
  const Workers workers(2);
  const auto exported = export_bundle(wanted, {workers, no_progress(), heard, never});
  ASSERT_TRUE(exported.ok()) << exported.error().message;
  for (const std::string& warning : heard.warnings)
    EXPECT_THAT(warning, ::testing::Not(HasSubstr("duplicate id")));
}

TEST_F(Bundles, LoadPluginsThatCameWithoutSource) {
  std::ofstream(folder_ / "rows.cpp") << row_source();
  static const StopFlag never;
  const auto compiled = compile_heuristic({folder_ / "rows.cpp"}, folder_ / "rows.so", false, never);
  ASSERT_TRUE(compiled.result.ok()) << compiled.diagnostics;
  BundleSettings wanted = settings(model_of_rows());
  wanted.model.plugins.named = {folder_ / "rows.so"};
  const auto exported = export_bundle(wanted, testing::quiet_work());
  ASSERT_TRUE(exported.ok()) << exported.error().message;
  ASSERT_EQ(exported->heuristics.size(), 1u);
  EXPECT_EQ(exported->heuristics[0].form, HeuristicForm::kPlugin);
  const LoadedBundle bundle = compiled_bundle(wanted.folder);
  std::vector<double> scores(2);
  const OwnPicture bright{16, 16, 1, std::vector<std::uint8_t>(256, 240)};
  EXPECT_EQ(classify(bundle, bright, scores), -5);
  EXPECT_THAT(bundle.last_error(), HasSubstr("plugin rows.so cannot be loaded: "));
  ::setenv("CLASSIFIER_PLUGINS", (wanted.folder / "plugins").c_str(), 1);
  EXPECT_EQ(classify(bundle, bright, scores), 1) << bundle.last_error();
  ::unsetenv("CLASSIFIER_PLUGINS");
}

TEST_F(Bundles, RefuseSourcesThatNeedMore) {
  const auto error_of = [&](const std::string& source) {
    std::ofstream(folder_ / "rows.cpp") << source;
    BundleSettings wanted = settings(model_of_rows());
    wanted.sources = {folder_ / "rows.cpp"};
    const auto bundle = export_bundle(wanted, testing::quiet_work());
    EXPECT_FALSE(fs::exists(wanted.folder));
    return bundle.ok() ? "none" : bundle.error().message;
  };
  EXPECT_THAT(error_of(row_source("#include <opencv2/core.hpp>\n")),
              HasSubstr("rows.cpp: found the header <opencv2/core.hpp>, expected those of C++"));
  EXPECT_THAT(error_of(row_source("#  include \"more.hpp\"\n")), HasSubstr("found the header \"more.hpp\""));
  EXPECT_THAT(error_of(row_source("namespace mash { int more; }\n")),
              HasSubstr("found the namespace mash opened"));
}

TEST_F(Bundles, RefuseASourceOfWhichTheModelUsesNothing) {
  std::ofstream(folder_ / "rows.cpp") << row_source();
  BundleSettings wanted = settings(ModelMaker({16, 16, 1}, {"lbp"}).sum("stumps", 5));
  wanted.sources = {folder_ / "rows.cpp"};
  const auto bundle = export_bundle(wanted, testing::quiet_work());
  ASSERT_FALSE(bundle.ok());
  EXPECT_THAT(bundle.error().message,
              HasSubstr("rows.cpp: found a heuristic of which the model uses no feature"));
}

TEST_F(Bundles, SayWhatIsWrongWithAPicture) {
  const LoadedBundle bundle = built(settings(ModelMaker({16, 16, 1}, {"lbp"}).sum("stumps", 5)));
  std::vector<double> scores(4);
  const std::vector<std::uint8_t> pixels(17 * 16 * 3);
  EXPECT_EQ(bundle.classify(nullptr, 16, 16, 1, 16, scores.data()), -1);
  EXPECT_EQ(bundle.classify(pixels.data(), 16, 16, 1, 16, nullptr), -1);
  EXPECT_EQ(bundle.classify(pixels.data(), 16, 16, 2, 32, scores.data()), -1);
  EXPECT_EQ(bundle.last_error(), "found 2 channels, expected 1, 3 or 4");
  EXPECT_EQ(bundle.classify(pixels.data(), 16, 16, 3, 47, scores.data()), -1);
  EXPECT_EQ(bundle.last_error(), "found rows of 47 bytes, expected at least 48");
  EXPECT_EQ(bundle.classify(pixels.data(), 17, 16, 1, 17, scores.data()), -2);
  EXPECT_EQ(bundle.last_error(), "found a picture of 17x16 pixels, expected 16x16");
  EXPECT_EQ(bundle.classify(pixels.data(), 20000, 1, 1, 20000, scores.data()), -2);
  EXPECT_GE(bundle.classify(pixels.data(), 16, 16, 3, 51, scores.data()), 0) << "rows may have gaps";
}

TEST_F(Bundles, AnswerAnyNumberOfThreads) {
  const Model model = ModelMaker({24, 24, 3, 1, ResizeMode::kStretch}, {"hog", "haar"}).sum("trees", 40);
  const LoadedBundle bundle = built(settings(model));
  const std::vector<OwnPicture> pictures = this->pictures(model.shape(), 40);
  std::vector<std::vector<double>> alone(pictures.size(), std::vector<double>(4));
  for (std::size_t n = 0; n < pictures.size(); ++n) classify(bundle, pictures[n], alone[n]);
  std::vector<std::vector<std::vector<double>>> together(4, alone);
  std::vector<std::jthread> threads;
  for (auto& answers : together)
    threads.emplace_back([&] {
      for (std::size_t n = 0; n < pictures.size(); ++n) {
        std::fill(answers[n].begin(), answers[n].end(), 0);
        classify(bundle, pictures[n], answers[n]);
      }
    });
  threads.clear();
  for (const auto& answers : together) EXPECT_EQ(answers, alone);
}

TEST_F(Bundles, AreNotWrittenOfTables) {
  StrongClassifier model;
  model.class_names = {"a", "b"};
  model.column_names = {"x"};
  model.families = {{"columns", "columns", "1.0.0", {}, 1}};
  model.hypotheses = {{1, {{0, 0, 1.f}}, {1, -1}, {}}};
  const auto bundle = export_bundle(settings(model), testing::quiet_work());
  ASSERT_FALSE(bundle.ok());
  EXPECT_THAT(bundle.error().message, HasSubstr("model.json: was trained on a table, not on images"));
}

TEST_F(Bundles, RefuseNamesOfOtherThings) {
  BundleSettings wanted = settings(ModelMaker({16, 16, 1}, {"lbp"}).sum("stumps", 2));
  for (const char* name : {"", "Digits", "3d", "my-digits", "class", "lambda", "std"}) {
    wanted.name = name;
    const auto bundle = export_bundle(wanted, testing::quiet_work());
    ASSERT_FALSE(bundle.ok()) << name;
    EXPECT_THAT(bundle.error().message, HasSubstr(fmt::format("name: found '{}'", name)));
  }
}

TEST_F(Bundles, RefuseFlagsThatChangeNumbers) {
  const BundleSettings wanted = settings(ModelMaker({16, 16, 1}, {"lbp"}).sum("stumps", 2));
  ASSERT_TRUE(export_bundle(wanted, testing::quiet_work()).ok());
  const auto compiled_with = [&](const std::vector<std::string>& flags) -> std::string {
    std::vector<std::string> command{"c++", "-std=c++20", "-fsyntax-only", "-I" + wanted.folder.string()};
    command.insert(command.end(), flags.begin(), flags.end());
    command.push_back(wanted.folder / "classifier.cpp");
    try {
      testing::output_of(command);
      return "compiled";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(compiled_with({}), "compiled");
  EXPECT_THAT(compiled_with({"-ffast-math"}), HasSubstr("found -ffast-math"));
#if defined(__x86_64__)
  EXPECT_THAT(compiled_with({"-mfma"}), HasSubstr("expected -ffp-contract=off -DCLASSIFIER_NO_CONTRACTION"));
  EXPECT_EQ(compiled_with({"-mfma", "-ffp-contract=off", "-DCLASSIFIER_NO_CONTRACTION"}), "compiled");
#endif
}

// The whole way of a user: CMake, the check, an installation, a program that finds the package.
TEST_F(Bundles, AreBuiltCheckedAndFoundByCMake) {
  const Model model =
      ModelMaker({18, 18, 3, 1, ResizeMode::kCrop}, {"color-moments", "hog"}).sum("stumps", 40);
  BundleSettings wanted = settings(model);
  wanted.name = "shapes";
  wanted.python = false;
  ASSERT_TRUE(export_bundle(wanted, testing::quiet_work()).ok());
  const std::string bundle = wanted.folder, build = folder_ / "build", prefix = folder_ / "prefix";
  testing::output_of({"cmake", "-S", bundle, "-B", build, "-DCMAKE_INSTALL_PREFIX=" + prefix,
                      "-DCMAKE_INSTALL_LIBDIR=lib", "-DCMAKE_CXX_FLAGS=-O1"});
  testing::output_of({"cmake", "--build", build});
  EXPECT_THAT(
      testing::output_of({build + "/shapes_check"}),
      ::testing::MatchesRegex("codes: 360 of 360 are the same\nvalues: ([1-9][0-9]+) of [0-9]+ are the "
                              "same\nscores: 36 of 36 are the same\nclasses: 9 of 9 are the same\n"));
  EXPECT_THAT(testing::output_of({build + "/shapes_example"}), HasSubstr(", score "));
  testing::output_of({"cmake", "--install", build});
  fs::create_directory(folder_ / "user");
  fs::copy(wanted.folder / "example.cpp", folder_ / "user");
  std::ofstream(folder_ / "user/CMakeLists.txt")
      << "cmake_minimum_required(VERSION 3.18)\nproject(user LANGUAGES CXX)\n"
         "find_package(shapes 1.0 REQUIRED)\nadd_executable(user example.cpp)\n"
         "target_link_libraries(user PRIVATE shapes::shapes)\n";
  const std::string user = folder_ / "user";
  testing::output_of({"cmake", "-S", user, "-B", user + "/build", "-DCMAKE_PREFIX_PATH=" + prefix});
  testing::output_of({"cmake", "--build", user + "/build"});
  EXPECT_THAT(testing::output_of({user + "/build/user"}), HasSubstr(", score "));
  EXPECT_TRUE(fs::exists(fs::path(prefix) / "lib/pkgconfig/shapes.pc"));
  EXPECT_THROW(testing::output_of({"cmake", "-S", bundle, "-B", build + "2", "-DCMAKE_CXX_FLAGS=-Ofast"}),
               std::runtime_error);
}

// Compares with Predictor on the first pictures of a published data set's test side.
void expect_answers_on(const std::string& name, const ImageShape& shape, std::size_t count,
                       const fs::path& folder) {
  const char* data = std::getenv("MASH_DATA");
  if (data == nullptr || !fs::exists(fs::path(data) / name))
    GTEST_SKIP() << "$MASH_DATA has no " << name << ": no published pictures to compare on";
  Settings settings;
  settings.add("train", "10", "the test");
  settings.add("test", std::to_string(count), "the test");
  const auto dataset = load_dataset(name, settings, 1, testing::quiet_work());
  ASSERT_TRUE(dataset.ok()) << dataset.error().message;
  ASSERT_TRUE(dataset->shape.has_pixels_of(shape));
  const Model model = ModelMaker(shape, {"hog", "haar", "lbp-histogram", "color-moments"}).sum("stumps", 300);
  std::ofstream(folder / "model.json") << serialise(model);
  BundleSettings wanted{{folder / "model.json", {}}, folder / "bundle"};
  wanted.python = true;
  ASSERT_TRUE(export_bundle(wanted, testing::quiet_work()).ok());
  const LoadedBundle bundle = compiled_bundle(wanted.folder);
  Catalogue catalogue = *Catalogue::open(std::vector<std::string>{});
  const auto expected =
      Predictor::open(model, catalogue)->scores(dataset->test, testing::quiet_work().workers);
  ASSERT_TRUE(expected.ok()) << expected.error().message;
  std::vector<double> scores(model.num_classes());
  std::size_t num_others = 0;
  for (std::size_t n = 0; n < dataset->test.num_examples; ++n) {
    const auto picture = dataset->test.image(n, shape);
    const int found = bundle.classify(picture.data(), shape.width, shape.height, shape.num_channels,
                                      std::ptrdiff_t(shape.width) * shape.num_channels, scores.data());
    const auto row = std::span<const double>(*expected).subspan(n * scores.size(), scores.size());
    num_others += found != int(predicted_class(row)) || !std::ranges::equal(scores, row);
  }
  EXPECT_EQ(dataset->test.num_examples, count);
  EXPECT_EQ(num_others, 0u);
}

TEST_F(Bundles, AnswerAsPredictDoesOnMnist) {
  expect_answers_on("mnist", {28, 28, 1}, 10000, folder_.path());
}

TEST_F(Bundles, AnswerAsPredictDoesOnCifar) {
  expect_answers_on("cifar10", {32, 32, 3}, 1000, folder_.path());
}

}  // namespace
}  // namespace mash
