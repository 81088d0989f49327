// SPDX-License-Identifier: Apache-2.0
#include "framework/isolation/isolated_host.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>
#include <tuple>

#include "framework/base/file.hpp"
#include "framework/base/random.hpp"
#include "framework/isolation/plugin_access.hpp"
#include "framework/isolation/plugin_notes.hpp"
#include "framework/isolation/worker_service.hpp"
#include "tests/support/places.hpp"
#include "tests/support/quiet_work.hpp"
#include "tests/support/scratch_folder.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path kHeuristics = fs::path(testing::binary_folder()) / "heuristics";

IsolationSettings in_processes(const fs::path& cache = {}) {
  IsolationSettings settings;
  settings.isolation = Isolation::kProcess;
  settings.cache = cache;
  return settings;
}

// Pictures of random samples, with planes that lie as strangely as the ABI lets them.
class RandomPictures {
 public:
  RandomPictures(std::size_t count, std::uint32_t width, std::uint32_t height, std::uint32_t num_channels) {
    RandomStream random(1, "pictures");
    const std::size_t row = 4 * width + 3;
    samples_.resize(count * height * row);
    for (std::uint8_t& sample : samples_) sample = std::uint8_t(random.uniform() * 256);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint8_t* origin = samples_.data() + i * height * row;
      mash_image_t image{sizeof image, num_channels, width, height, {origin, std::ptrdiff_t(row), 4},
                         {},           {},           {}};
      const auto plane = [&](int at) { return mash_plane_t{origin + at, std::ptrdiff_t(row), 4}; };
      image.red = num_channels == 3 ? plane(1) : image.gray;
      image.green = num_channels == 3 ? plane(2) : image.gray;
      image.blue = num_channels == 3 ? plane(3) : image.gray;
      images_.push_back(image);
    }
  }
  std::span<const mash_image_t> images() const { return images_; }
  mash_view_t view() const { return {1, 2, images_[0].width - 3, images_[0].height - 2}; }

 private:
  std::vector<std::uint8_t> samples_;
  std::vector<mash_image_t> images_;
};

// All features of all pictures, then a few of them.
std::vector<float> features(HeuristicHost& host, const HeuristicInfo& info, const RandomPictures& pictures) {
  const auto values = *parameter_values(info, {});
  const auto instance = host.open(info, values);
  EXPECT_TRUE(instance.ok());
  const mash_view_t view = pictures.view();
  const auto dim = (*instance)->dim({view.width, view.height});
  if (!dim.ok()) return {};
  std::vector<float> out(pictures.images().size() * *dim);
  const TileResult all = (*instance)->extract({pictures.images(), {&view, 1}}, {}, out);
  EXPECT_TRUE(all.status.ok()) << all.status.error().message;
  const std::array<std::uint32_t, 3> few{*dim - 1, 0, *dim / 2};
  std::vector<float> some(pictures.images().size() * few.size());
  const TileResult chosen = (*instance)->extract({pictures.images(), {&view, 1}}, few, some);
  EXPECT_TRUE(chosen.status.ok()) << chosen.status.error().message;
  out.insert(out.end(), some.begin(), some.end());
  return out;
}

TEST(IsolatedHost, GivesWhatThisProcessGives) {
  const std::vector<fs::path> folders{kHeuristics};
  Catalogue here = Catalogue::scan(folders);
  Catalogue there = Catalogue::scan(folders, access_to_plugins(in_processes(), testing::quiet_work()));
  ASSERT_GE(here.heuristics().size(), 26u);
  ASSERT_EQ(here.heuristics().size(), there.heuristics().size());
  for (const std::uint32_t num_channels : {1u, 3u}) {
    const RandomPictures pictures(5, 35, 34, num_channels);
    for (const HeuristicInfo& info : here.heuristics()) {
      const auto expected = features(here.host(), info, pictures);
      const auto found = features(there.host(), **there.find(info.id), pictures);
      ASSERT_FALSE(expected.empty()) << info.id;
      ASSERT_EQ(expected.size(), found.size()) << info.id;
      EXPECT_EQ(std::memcmp(expected.data(), found.data(), expected.size() * sizeof(float)), 0) << info.id;
    }
  }
}

// The first feature of pictures, under a flag that a thread raises meanwhile; what a call says that it ends.
Status features_until(StopFlag& stop, HeuristicInstance& instance, const RandomPictures& pictures) {
  instance.heed(stop);
  std::thread raiser([&] { stop.raise(); });
  const mash_view_t view = pictures.view();
  const auto status = [&]() -> Status {
    MASH_TRY(instance.dim({view.width, view.height}));
    std::vector<float> out(pictures.images().size());
    return instance.extract({pictures.images(), {&view, 1}}, {}, out).status;
  }();
  raiser.join();
  return status;
}

// Its budget would end it after hours.
TEST(IsolatedHost, EndsACallThatTheUserStops) {
  IsolationSettings patient = in_processes();
  patient.budget = patient.budget.times(10'000);
  Catalogue catalogue(access_to_plugins(patient, testing::quiet_work()));
  ASSERT_TRUE(catalogue.add(MASH_ENDLESS).ok());
  const HeuristicInfo& info = catalogue.heuristics()[0];
  const RandomPictures pictures(2, 9, 9, 1);
  for (const double call : {1., 2., 3., 4.}) {
    StopFlag stop;
    const auto instance = catalogue.host().open(info, {&call, 1});
    ASSERT_TRUE(instance.ok());
    const Status status = features_until(stop, **instance, pictures);
    ASSERT_FALSE(status.ok()) << call;
    EXPECT_EQ(status.error().kind, ErrorKind::kStopped) << call << ": " << status.error().message;
  }
  EXPECT_TRUE(catalogue.host().take_incidents().empty()) << "that is no fault of the heuristic";
}

// The result of loading a plugin that takes ten times its budget, under a flag that a user raises soon.
template <class Load>
auto loaded_until_stopped(const Load& load) {
  IsolationSettings patient = in_processes();
  patient.budget = patient.budget.times(10);
  StopFlag stop;
  std::thread raiser([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    stop.raise();
  });
  auto loaded = load(patient, stop);
  raiser.join();
  return loaded;
}

TEST(IsolatedHost, EndsLoadingThatTheUserStops) {
  std::vector<Incident> incidents;
  const auto infos = loaded_until_stopped([&](const IsolationSettings& patient, const StopFlag& stop) {
    IsolatedHost host(patient, no_remarks());
    auto described = host.describe(*read_plugin_file(MASH_ENDLESS_LOAD), &stop);
    incidents = host.take_incidents();
    return described;
  });
  ASSERT_FALSE(infos.ok());
  EXPECT_EQ(infos.error().kind, ErrorKind::kStopped) << infos.error().message;
  EXPECT_TRUE(incidents.empty()) << "that is no fault of the heuristic";
}

TEST(PluginAccess, EndsLoadingThatTheUserStops) {
  const Status added = loaded_until_stopped([](const IsolationSettings& patient, const StopFlag& stop) {
    Catalogue catalogue(access_to_plugins(patient, testing::quiet_work(stop)));
    return catalogue.add(MASH_ENDLESS_LOAD);
  });
  ASSERT_FALSE(added.ok());
  EXPECT_EQ(added.error().kind, ErrorKind::kStopped) << added.error().message;
}

// Warnings that were heard.
class Warnings final : public Remarks {
 public:
  void warn(std::string_view text) override { texts.emplace_back(text); }
  void tell(std::string_view) override {}
  std::vector<std::string> texts;
};

// All calls before it have their answers by then.
TEST(IsolatedHost, TellsOnceOfAHeuristicThatEndsInDestroy) {
  IsolationSettings settings = in_processes();
  settings.budget.init_seconds = 0.3;
  Warnings heard;
  {
    const WorkContext& quiet = testing::quiet_work();
    Catalogue catalogue(access_to_plugins(settings, {quiet.workers, quiet.progress, heard, quiet.stop}));
    ASSERT_TRUE(catalogue.add(MASH_ENDLESS).ok());
    const double in_destroy = 5;
    for (int i = 0; i < 2; ++i) {
      const auto instance = catalogue.host().open(catalogue.heuristics()[0], {&in_destroy, 1});
      ASSERT_TRUE(instance.ok());
      EXPECT_TRUE((*instance)->dim({9, 9}).ok());
      std::vector<float> out(1);
      const RandomPictures pictures(1, 9, 9, 1);
      EXPECT_TRUE((*instance)->extract(pictures.images()[0], pictures.view(), {}, out).ok());
    }
  }
  ASSERT_EQ(heard.texts.size(), 1u);
  EXPECT_THAT(heard.texts[0], ::testing::StartsWith("heuristic 'test/endless': destroy: took "));
}

TEST(InProcessHost, StopsBetweenPictures) {
  Catalogue catalogue;
  ASSERT_TRUE(catalogue.add(MASH_ENDLESS).ok());
  const double none = 0;
  const auto instance = catalogue.host().open(catalogue.heuristics()[0], {&none, 1});
  ASSERT_TRUE(instance.ok());
  const RandomPictures pictures(2, 9, 9, 1);
  const mash_view_t view = pictures.view();
  StopFlag stop;
  stop.raise();
  (*instance)->heed(stop);
  std::vector<float> out(2);
  const TileResult result = (*instance)->extract({pictures.images(), {&view, 1}}, {}, out);
  EXPECT_EQ(result.num_done, 0u);
  ASSERT_FALSE(result.status.ok());
  EXPECT_EQ(result.status.error().kind, ErrorKind::kStopped);
}

// Time of processors, of which a wait takes none.
TEST(IsolatedHost, CountsWhatItsWorkersCompute) {
  Catalogue catalogue(access_to_plugins(in_processes(), testing::quiet_work()));
  const std::vector<fs::path> folders{kHeuristics};
  ASSERT_TRUE(catalogue.search(folders).ok());
  const HeuristicInfo& info = **catalogue.find("zernike");
  const auto instance = catalogue.host().open(info, *parameter_values(info, {}));
  ASSERT_TRUE(instance.ok());
  const RandomPictures pictures(5, 67, 66, 1);
  const mash_view_t view = pictures.view();
  const auto dim = (*instance)->dim({view.width, view.height});
  ASSERT_TRUE(dim.ok()) << dim.error().message;
  const double before = (*instance)->processor_seconds();
  const CostWatch watch(**instance);
  std::vector<float> out(5 * *dim);
  ASSERT_TRUE((*instance)->extract({pictures.images(), {&view, 1}}, {}, out).status.ok());
  EXPECT_GT((*instance)->processor_seconds(), before);
  EXPECT_GT(watch.seconds(), 0);
}

TEST(PluginAccess, LooksAtNoPluginWhenItIsStopped) {
  StopFlag stop;
  stop.raise();
  const std::string folder = kHeuristics;
  const auto opened =
      Catalogue::open({&folder, 1}, access_to_plugins(in_processes(), testing::quiet_work(stop)));
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().kind, ErrorKind::kStopped) << opened.error().message;
}

TEST(IsolatedHost, DescribesWhatThisProcessDescribes) {
  const std::vector<fs::path> folders{kHeuristics};
  const Catalogue here = Catalogue::scan(folders);
  const testing::ScratchFolder cache;
  for (int round = 0; round < 2; ++round) {  // from workers, then from what was kept
    const Catalogue there =
        Catalogue::scan(folders, access_to_plugins(in_processes(cache.path()), testing::quiet_work()));
    ASSERT_EQ(there.heuristics().size(), here.heuristics().size());
    for (std::size_t i = 0; i < here.heuristics().size(); ++i) {
      const HeuristicInfo &a = here.heuristics()[i], &b = there.heuristics()[i];
      EXPECT_EQ(a.id, b.id);
      EXPECT_EQ(a.version + a.author + a.summary + a.license, b.version + b.author + b.summary + b.license);
      EXPECT_EQ(a.plugin_sha256, b.plugin_sha256);
      ASSERT_EQ(a.parameters.size(), b.parameters.size()) << a.id;
      for (std::size_t p = 0; p < a.parameters.size(); ++p) {
        EXPECT_EQ(a.parameters[p].id, b.parameters[p].id);
        EXPECT_EQ(a.parameters[p].default_value, b.parameters[p].default_value);
        EXPECT_EQ(a.parameters[p].choices, b.parameters[p].choices);
      }
    }
  }
}

// Looks at what a worker is given.
class Spy final : public PluginWorker {
 public:
  using Look = std::function<void(std::span<const std::byte> input, const WorkerRequest& request)>;
  Spy(std::unique_ptr<PluginWorker> worker, Look look) : worker_(std::move(worker)), look_(std::move(look)) {}

  std::span<std::byte> input() override { return worker_->input(); }
  std::span<const float> results(std::size_t num_values) override { return worker_->results(num_values); }
  const WorkerEnd& end() const override { return worker_->end(); }
  std::optional<WorkerAnswer> ask(const WorkerRequest& request, const RequestLimits& limits) override {
    look_(input().first(1 << 20), request);
    return worker_->ask(request, limits);
  }

 private:
  std::unique_ptr<PluginWorker> worker_;
  Look look_;
};

// Labels, names and sides are nothing that a host is told of; the images' numbers, which it is, stay with it.
TEST(IsolatedHost, GivesAWorkerPicturesAndNothingElse) {
  const RandomPictures pictures(5, 12, 11, 1);
  const std::vector<std::uint32_t> numbers{0x1eaf'0001, 0x1eaf'0002, 0x1eaf'0003, 0x1eaf'0004, 0x1eaf'0005};
  int num_extractions = 0;
  const auto look = [&](std::span<const std::byte> input, const WorkerRequest& request) {
    num_extractions += request.kind == WorkerRequest::kExtract;
    const auto holds = [&](std::uint32_t number) {
      const auto bytes = std::as_bytes(std::span(&number, 1)).subspan(1);  // in any place of a number
      return std::search(input.begin(), input.end(), bytes.begin(), bytes.end()) != input.end();
    };
    EXPECT_FALSE(holds(numbers[0])) << "request " << request.kind;
  };
  const StartWorker start = [&](const auto& plugin, const auto& budget,
                                const auto& place) -> Result<std::unique_ptr<PluginWorker>> {
    MASH_ASSIGN(auto worker, HeuristicWorker::start(plugin, budget, place));
    return std::unique_ptr<PluginWorker>(std::make_unique<Spy>(std::move(worker), look));
  };
  IsolatedHost host(in_processes(), no_remarks(), start);
  const auto infos = host.describe(*read_plugin_file(kHeuristics / "identity.so"));
  ASSERT_TRUE(infos.ok()) << infos.error().message;
  const auto instance = host.open((*infos)[0], {});
  const mash_view_t view = pictures.view();
  std::vector<float> values(5 * *(*instance)->dim({view.width, view.height}));
  EXPECT_TRUE((*instance)->extract({pictures.images(), {&view, 1}, numbers}, {}, values).status.ok());
  EXPECT_EQ(num_extractions, 1);
}

// Kept notes are as little to be trusted as what a worker says.
TEST(PluginNotes, KnowNothingOfWhatIsDamaged) {
  const testing::ScratchFolder folder;
  PluginNotes notes(folder.path());
  HeuristicInfo info;
  info.id = "a/b";
  info.version = "1.0.0";
  info.plugin_sha256 = "hash";
  notes.keep("hash", {info});
  ASSERT_TRUE(notes.heuristics("hash").has_value());
  EXPECT_EQ(notes.dim(info, {}, {8, 8}), std::nullopt);
  notes.keep_dim(info, {}, {8, 8}, 7);
  EXPECT_EQ(notes.dim(info, {}, {8, 8}), 7u);
  EXPECT_EQ(notes.dim(info, {}, {8, 9}), std::nullopt);
  notes.write();
  const std::string sound = *read_file(folder / "hash.json");
  EXPECT_EQ(PluginNotes(folder.path()).dim(info, {}, {8, 8}), 7u);
  for (std::size_t length = 0; length < sound.size(); length += 7) {
    std::ofstream(folder / "hash.json", std::ios::binary) << sound.substr(0, length);
    PluginNotes damaged(folder.path());
    EXPECT_FALSE(damaged.heuristics("hash").has_value()) << length;
    EXPECT_EQ(damaged.dim(info, {}, {8, 8}), std::nullopt);
  }
  std::ofstream(folder / "hash.json")
      << R"({"format":1,"abi":1,"heuristics":[{"id":"NOT AN ID"}],"dims":{}})";
  EXPECT_FALSE(PluginNotes(folder.path()).heuristics("hash").has_value());
}

// A file of thousands of heuristics costs as much as one of a few for each of them.
TEST(PluginNotes, ReadAndWriteAFileOnce) {
  const testing::ScratchFolder folder;
  HeuristicInfo info;
  info.id = "a/b";
  info.version = "1.0.0";
  info.plugin_sha256 = "hash";
  {
    PluginNotes notes(folder.path());
    notes.keep("hash", {info});
    for (std::uint32_t size = 1; size < 100; ++size) notes.keep_dim(info, {}, {size, 8}, size);
    EXPECT_TRUE(fs::is_empty(folder.path()));
  }
  PluginNotes notes(folder.path());
  EXPECT_EQ(notes.dim(info, {}, {1, 8}), 1u);
  fs::remove(folder / "hash.json");
  EXPECT_EQ(notes.dim(info, {}, {99, 8}), 99u);
  notes.write();
  EXPECT_TRUE(fs::is_empty(folder.path())) << "nothing is new";
}

// Notes of several processes at once are kept, those of each.
TEST(PluginNotes, KeepWhatOthersHaveWrittenMeanwhile) {
  const testing::ScratchFolder folder;
  HeuristicInfo info;
  info.id = "a/b";
  info.version = "1.0.0";
  info.plugin_sha256 = "hash";
  PluginNotes one(folder.path()), other(folder.path());
  for (PluginNotes* notes : {&one, &other}) {
    notes->keep("hash", {info});
    notes->keep_dim(info, {}, {notes == &one ? 1u : 2u, 8}, 5);
    notes->write();
  }
  PluginNotes both(folder.path());
  EXPECT_EQ(both.dim(info, {}, {1, 8}), 5u);
  EXPECT_EQ(both.dim(info, {}, {2, 8}), 5u);
}

// The worker's end answers anything that the host's end of the channel sends.
TEST(WorkerService, AnswersAnyRequest) {
  const auto input = SharedBlock::make(1 << 16, WorkerMay::kRead);
  const auto output = SharedBlock::make(kOutputBytes, WorkerMay::kWrite);
  ASSERT_TRUE(input.ok() && output.ok());
  WorkerService service(input->bytes(), output->bytes(),
                        [] { return Plugin::load(kHeuristics / "identity.so"); });
  RandomStream random(1, "requests");
  const auto any = [&](std::uint64_t most) { return std::uint64_t(random.uniform() * double(most)); };
  const std::array<std::uint64_t, 6> ends{0, 1, 64, 1 << 16, ~std::uint64_t(0), ~std::uint64_t(0) / 8};
  const auto any_array = [&] {
    return any(2) == 0 ? InputArray{any(1 << 12), any(64)} : InputArray{ends[any(6)], ends[any(6)]};
  };
  std::size_t num_failed = 0;
  for (int i = 0; i < 20'000; ++i) {
    for (int j = 0; j < 16; ++j) input->bytes()[any(256)] = std::byte(any(3) == 0 ? any(256) : 0);
    if (any(8) == 0) std::memcpy(input->bytes().data(), "identity", 8);
    WorkerRequest request;
    request.kind = std::uint32_t(any(7));
    request.row_width = std::uint32_t(any(2) == 0 ? any(64) : any(std::uint64_t(1) << 32));
    request.id = any(2) == 0 ? InputArray{0, 8} : any_array();
    if (any(2) == 0) request.values = any_array();
    request.view_size = {std::uint32_t(any(40)), std::uint32_t(any(40))};
    request.views = any(2) == 0 ? InputArray{4 * any(16), 1 + any(4)} : any_array();
    request.images = any_array();
    request.indices = any_array();
    const WorkerReply reply = service.answer(request);
    EXPECT_EQ(reply.kind, request.kind);
    ASSERT_LE(reply.text_bytes, kTextBytes);
    num_failed += reply.text_bytes > 0;
  }
  EXPECT_GT(num_failed, 1000u);
}

TEST(SharedBlock, CannotBeChangedInSizeNorWrittenToByAReader) {
  const auto block = SharedBlock::make(1 << 16, WorkerMay::kRead);
  ASSERT_TRUE(block.ok());
  EXPECT_NE(::ftruncate(block->descriptor(), 4096), 0);
  EXPECT_NE(::ftruncate(block->descriptor(), 1 << 20), 0);
  EXPECT_FALSE(SharedBlock::attach(block->descriptor(), WorkerMay::kWrite).ok());
  const auto reader = SharedBlock::attach(block->descriptor(), WorkerMay::kRead);
  ASSERT_TRUE(reader.ok());
  block->bytes()[100] = std::byte(7);
  EXPECT_EQ(reader->bytes()[100], std::byte(7));
}

TEST(SharedBlock, EndsAtAPageThatCannotBeTouched) {
  const auto block = SharedBlock::make(1 << 16, WorkerMay::kWrite);
  const auto worker = SharedBlock::attach(block->descriptor(), WorkerMay::kWrite);
  ASSERT_TRUE(worker.ok());
  volatile std::byte* behind = worker->bytes().data() + worker->bytes().size();
  EXPECT_DEATH(*behind = std::byte(1), "");
  EXPECT_DEATH(*(worker->bytes().data() - 1) = std::byte(1), "");
}

TEST(Isolation, IsKnownByName) {
  for (const char* name : {"none", "process", "box"}) EXPECT_EQ(to_string(*isolation_named(name)), name);
  const auto unknown = isolation_named("proces");
  ASSERT_FALSE(unknown.ok());
  EXPECT_THAT(unknown.error().message, HasSubstr("'proces'"));
  EXPECT_THAT(unknown.error().message, HasSubstr("process, box"));
}

TEST(ShippedHashes, AreThoseOfTheFilesThatWereBuilt) {
  const std::vector<fs::path> folders{kHeuristics, "/nonexistent"};
  const auto hashes = shipped_hashes(folders);
  EXPECT_GE(hashes.size(), 26u);
  EXPECT_TRUE(hashes.contains(read_plugin_file(kHeuristics / "hog.so")->sha256));
}

// A stranger's heuristic may have the name of a shipped one, and lie where such ones lie.
TEST(ShippedHeuristics, AreKnownByTheContentOfTheirFileAlone) {
  const testing::ScratchFolder folder;
  const std::string content = *read_file(kHeuristics / "hog.so");
  const PluginAccess access = access_to_plugins(IsolationSettings{}, testing::quiet_work());
  for (const auto& [name, written, is_shipped] :
       {std::tuple("other-name.so", content, true), std::tuple("hog.so", content + '\0', false),
        std::tuple("haar.so", std::string(*read_file(MASH_FICKLE)), false)}) {
    std::ofstream(folder / name, std::ios::binary) << written;
    HeuristicInfo info;
    info.id = "hog";
    info.plugin = kHeuristics / "hog.so";  // as it says itself
    info.plugin_sha256 = read_plugin_file(folder / name)->sha256;
    EXPECT_EQ(access.host->is_shipped(info), is_shipped) << name;
  }
}

}  // namespace
}  // namespace mash
