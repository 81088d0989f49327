// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/determinism.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>
#include <thread>

#include "framework/checks/bench.hpp"

namespace mash::checks {
namespace {

constexpr std::size_t kNumThreads = 4;

Result<Finding> check_repeat(Bench& bench) {
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(2));
  MASH_ASSIGN(const auto runner, bench.open());
  for (const Pixels& pixels : pictures) {
    const Picture picture(pixels);
    MASH_ASSIGN(const auto first, runner->features(picture));
    for (int i = 2; i <= 4; ++i) {
      MASH_ASSIGN(const auto again, runner->features(picture));
      if (const auto different = difference(first, "in call 1", again, fmt::format("in call {}", i)))
        return finding(Outcome::kFail, "{}", *different);
    }
  }
  return finding(Outcome::kPass, "4 times each of {} pictures", pictures.size());
}

Result<Finding> check_history(Bench& bench) {
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(4));
  constexpr mash_size_t kOthers[] = {{33, 17}, {16, 16}, {64, 64}};
  MASH_ASSIGN(const auto other_sizes, bench.supported(kOthers));
  MASH_ASSIGN(const auto runner, bench.open());
  std::vector<std::vector<float>> first;
  for (const Pixels& pixels : pictures) {
    MASH_ASSIGN(first.emplace_back(), runner->features(Picture(pixels)));
  }
  // Backwards, with a picture of another size and one that is flat in between.
  for (std::size_t i = pictures.size(); i-- > 0;) {
    for (const mash_size_t size : other_sizes)
      MASH_TRY(runner->features(Picture(textured(bench.seed(), i, size, 3))));
    MASH_TRY(runner->features(Picture(flat(255, pictures[i].size))));
    MASH_ASSIGN(const auto again, runner->features(Picture(pictures[i])));
    if (const auto different = difference(first[i], "in the first order", again, "after other pictures"))
      return finding(Outcome::kFail, "picture {}: {}", i, *different);
  }
  return finding(Outcome::kPass, "{} pictures forwards and backwards, others in between", pictures.size());
}

// The features of the last of some pictures that follow each other.
Result<std::vector<float>> features_of_last(Runner& runner, std::span<const Pixels> film,
                                            std::uint32_t looks_back) {
  const Picture last(film.back());
  MASH_ASSIGN(const std::uint32_t dim, runner.dim(last.size()));
  std::vector<float> values(dim);
  for (std::size_t i = 0; i + 1 < film.size(); ++i) {
    MASH_TRY(runner.prepare(Picture(film[i]), {std::min(std::uint32_t(i), looks_back), 0, 0}));
    MASH_TRY(runner.release());
  }
  MASH_TRY(runner.prepare(last, {std::min(std::uint32_t(film.size() - 1), looks_back), 0, 1}));
  MASH_TRY(runner.compute({}, values));
  MASH_TRY(runner.release());
  return values;
}

Result<Finding> check_sequence(Bench& bench) {
  const std::uint32_t looks_back = bench.info().looks_back;
  if (looks_back == 0) return finding(Outcome::kSkip, "it looks back at no pictures");
  constexpr std::size_t kMore = 5;  // pictures, before those that it looks back at
  MASH_ASSIGN(const auto film, bench.usual_pictures(looks_back + 1 + kMore));
  const auto without_first = [&](std::size_t count) { return std::span(film).subspan(count); };
  MASH_ASSIGN(const auto runner, bench.open());
  MASH_ASSIGN(const auto whole, features_of_last(*runner, film, looks_back));
  for (const std::size_t left_out : {std::size_t(1), kMore}) {
    MASH_ASSIGN(const auto later, features_of_last(*runner, without_first(left_out), looks_back));
    if (const auto different = difference(whole, fmt::format("as picture {}", film.size()), later,
                                          fmt::format("without the first {}", left_out)))
      return finding(Outcome::kFail, "{}", *different);
  }
  for (const std::size_t left_out : {film.size() - 1, kMore + looks_back / 2}) {
    MASH_ASSIGN(const auto fresh, bench.open());
    MASH_ASSIGN(const auto first, features_of_last(*fresh, without_first(left_out), looks_back));
    MASH_TRY(features_of_last(*runner, film, looks_back));
    MASH_ASSIGN(const auto again, features_of_last(*runner, without_first(left_out), looks_back));
    if (const auto different = difference(first, "from a new instance", again, "after another sequence"))
      return finding(Outcome::kFail, "as picture {}, {}", film.size() - left_out, *different);
  }
  return finding(Outcome::kPass, "{} pictures before one and no more, of this sequence alone", looks_back);
}

Result<Finding> check_batch(Bench& bench) {
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(1));
  MASH_ASSIGN(const auto runner, bench.open());
  const Picture picture(pictures[0]);
  MASH_ASSIGN(const auto all, runner->features(picture));
  const std::size_t num_looked_at = std::min<std::size_t>(all.size(), 600);
  for (const std::size_t batch : {std::size_t(1), std::size_t(7), std::size_t(64)}) {
    std::vector<float> values(num_looked_at);
    MASH_TRY(runner->prepare(picture));
    for (std::size_t begin = 0; begin < num_looked_at; begin += batch) {
      std::vector<std::uint32_t> indices;
      for (std::size_t i = begin; i < std::min(begin + batch, num_looked_at); ++i)
        indices.push_back(std::uint32_t(i));
      MASH_TRY(runner->compute(indices, std::span(values).subspan(begin, indices.size())));
    }
    MASH_TRY(runner->release());
    if (const auto different = difference(std::span(all).first(num_looked_at), "computed with all others",
                                          values, fmt::format("in batches of {}", batch)))
      return finding(Outcome::kFail, "{}", *different);
  }
  return finding(Outcome::kPass, "{} features in batches of 1, 7, 64 and all", num_looked_at);
}

Result<Finding> check_instance(Bench& bench) {
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(3));
  MASH_ASSIGN(const auto used, bench.open());
  std::vector<std::vector<float>> expected;
  for (const Pixels& pixels : pictures) {
    MASH_ASSIGN(expected.emplace_back(), used->features(Picture(pixels)));
  }
  MASH_ASSIGN(const auto fresh, bench.open());
  MASH_ASSIGN(const auto last, fresh->features(Picture(pictures[2])));
  if (const auto different = difference(expected[2], "from a used instance", last, "from a new one"))
    return finding(Outcome::kFail, "{}", *different);
  // Both have a picture prepared at the same time.
  const Picture first(pictures[0]), second(pictures[1]);
  std::vector<float> of_first(expected[0].size()), of_second(expected[1].size());
  MASH_TRY(used->prepare(first));
  MASH_TRY(fresh->prepare(second));
  MASH_TRY(used->compute({}, of_first));
  MASH_TRY(fresh->compute({}, of_second));
  MASH_TRY(used->release());
  MASH_TRY(fresh->release());
  for (const auto& [a, b] : {std::pair(&expected[0], &of_first), std::pair(&expected[1], &of_second)})
    if (const auto different = difference(*a, "alone", *b, "while another instance has a picture prepared"))
      return finding(Outcome::kFail, "{}", *different);
  return finding(Outcome::kPass, "used, new and interleaved instances agree");
}

// The features of the pictures on some threads at once, a row for each thread and picture.
// Nothing where the system gives the process no threads.
Result<std::optional<std::vector<float>>> features_in_threads(Bench& bench, std::span<const Pixels> pictures,
                                                              std::span<const std::uint32_t> indices,
                                                              std::size_t num_values) {
  Step step{StepKind::kThreads};
  for (const Pixels& pixels : pictures) step.add(Picture(pixels));
  step.indices.assign(indices.begin(), indices.end());
  step.num_values = num_values;
  MASH_ASSIGN(StepAnswer answer, bench.process().ask(step, kNumThreads * pictures.size() * num_values));
  return answer.is_refused ? std::nullopt : std::optional(std::move(answer.values));
}

Result<Finding> check_same_in_threads(Bench& bench) {
  if (bench.info().serial) return finding(Outcome::kSkip, "it declares MASH_SERIAL: one call at a time");
  constexpr std::size_t kMostValues = 100'000;  // of a picture: more would not be compared in time
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(kNumThreads));
  MASH_ASSIGN(const auto runner, bench.open());
  MASH_ASSIGN(const std::uint32_t dim, runner->dim(pictures[0].size));
  std::vector<std::uint32_t> indices;
  for (std::size_t i = 0; dim > kMostValues && i < kMostValues; ++i)
    indices.push_back(std::uint32_t(i * dim / kMostValues));
  std::vector<std::vector<float>> expected;
  for (const Pixels& pixels : pictures) {
    MASH_ASSIGN(expected.emplace_back(), runner->features(Picture(pixels), indices));
  }
  const std::size_t width = expected[0].size();
  MASH_ASSIGN(const auto rows, features_in_threads(bench, pictures, indices, width));
  if (!rows) return finding(Outcome::kSkip, "this system gives it no {} threads", kNumThreads);
  for (std::size_t row = 0; row < kNumThreads * pictures.size(); ++row) {
    const std::size_t picture_idx = row % pictures.size();
    if (const auto different = difference(expected[picture_idx], "on the first thread",
                                          std::span(*rows).subspan(row * width, width), "on another"))
      return finding(Outcome::kFail, "picture {}: {}", picture_idx, *different);
  }
  return finding(Outcome::kPass, "{} instances on {} threads agree with one", kNumThreads, kNumThreads);
}

Finding compare(std::span<const float> here, std::span<const float> there, std::string_view description) {
  if (const auto different = difference(here, "in this process", there, description))
    return finding(Outcome::kFail, "of four pictures, {}", *different);
  return finding(Outcome::kPass, "{} values are equal {}", here.size(), description);
}

// This process against another with `variables` in its environment.
Result<Finding> compare_process(Bench& bench, const std::vector<std::string>& variables,
                                std::string_view description) {
  MASH_ASSIGN(const auto here, bench.features_here());
  MASH_ASSIGN(const auto there, bench.features_elsewhere({.variables = variables}));
  return compare(here, *there, description);
}

Result<Finding> check_process(Bench& bench) {
  // Freed and new memory is filled, and everything on the stack lies elsewhere.
  return compare_process(bench, {"MALLOC_PERTURB_=165", "PADDING=" + std::string(10'000, 'x')},
                         "with other addresses, environment and heap content");
}

Result<Finding> check_locale(Bench& bench) {
  MASH_ASSIGN(const auto here, bench.features_here());
  MASH_ASSIGN(const auto there, bench.features_elsewhere({.has_comma = true}));
  if (!there) return finding(Outcome::kSkip, "this C library does not take a locale made here");
  return compare(here, *there, "where the decimal point is a comma");
}

Result<Finding> check_clock(Bench& bench) {
  MASH_ASSIGN(const auto now, bench.features_here());
  // Until another second, of the clock that heuristics look at, has come.
  const std::time_t before = std::time(nullptr);
  while (std::time(nullptr) == before) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  MASH_ASSIGN(const auto later, bench.features_here());
  if (const auto different = difference(now, "at first", later, "a second later"))
    return finding(Outcome::kFail, "of four pictures, {}", *different);
  return compare_process(bench, {"TZ=Asia/Kathmandu"}, "a second later, and in another time zone");
}

Result<Finding> check_floating_point(Bench& bench) {
  MASH_ASSIGN(const auto around, bench.arithmetic_around_loading());
  if (around.before != around.after)
    return finding(Outcome::kFail,
                   "loading it leaves the floating-point control register at {:#x}, before it was {:#x}, "
                   "as a build with -ffast-math does",
                   around.after, around.before);
  CheckProcess& process = bench.process();
  MASH_TRY(process.ask({StepKind::kArithmetic}));
  const std::uint32_t before = process.arithmetic();
  const auto unchanged = [&](const char* call) -> Status {
    const std::uint32_t now = process.arithmetic();
    if (now == before) return Done{};
    return input_error("{} leaves the floating-point control register at {:#x}, before it was {:#x}", call,
                       now, before);
  };
  MASH_ASSIGN(const auto pictures, bench.usual_pictures(2));
  MASH_ASSIGN(const auto runner, bench.open());
  MASH_TRY(unchanged("create"));
  for (const Pixels& pixels : pictures) {
    const Picture picture(pixels);
    MASH_ASSIGN(const std::uint32_t dim, runner->dim(picture.size()));
    MASH_TRY(unchanged("dim"));
    std::vector<float> out(dim);
    MASH_TRY(runner->prepare(picture));
    MASH_TRY(unchanged("prepare"));
    MASH_TRY(runner->compute({}, out));
    MASH_TRY(unchanged("compute"));
    MASH_TRY(runner->release());
    MASH_TRY(unchanged("release"));
  }
  MASH_TRY(runner->destroy());
  MASH_TRY(unchanged("destroy"));
  return finding(Outcome::kPass, "as before after loading and every call");
}

Result<Finding> check_imports(Bench& bench) {
  if (bench.info().serial)
    return finding(Outcome::kSkip, "it declares MASH_SERIAL, as heuristics that use libc's generators do");
  return bench.inspect("determinism.imports");
}

constexpr Check kDeterminismChecks[] = {
    {"determinism.repeat", Level::kDeterminism, Outcome::kFail, "the same picture again gives the same bits",
     "Use no random numbers, or a generator of your own that prepare seeds with a constant; initialise all "
     "memory.",
     check_repeat},
    {"determinism.history", Level::kDeterminism, Outcome::kFail,
     "pictures before, and their order, make no difference",
     "Forget everything about a picture in the next prepare: clear buffers, keep no running statistics.",
     check_history},
    {"determinism.sequence", Level::kDeterminism, Outcome::kFail,
     "of a film the pictures that it says it looks back at count, and no others",
     "Keep nothing of a picture for longer than looks_back others, and forget all where num_before is 0.",
     check_sequence},
    {"determinism.batch", Level::kDeterminism, Outcome::kFail,
     "a feature is the same, alone or asked for together with any others",
     "Do what is shared by features, such as normalisation, in prepare over all of them.", check_batch},
    {"determinism.instance", Level::kDeterminism, Outcome::kFail, "used, new and interleaved instances agree",
     "Keep state in members of the instance, never in globals or function-local statics.", check_instance},
    {"determinism.threads", Level::kDeterminism, Outcome::kFail,
     "several instances on several threads agree with one",
     "Share nothing between instances but constants, or declare MASH_SERIAL.", check_same_in_threads,
     Asks::kOneWithThreads},
    {"determinism.process", Level::kDeterminism, Outcome::kFail,
     "another process, with other addresses, environment and heap content, gives the same bits",
     "Initialise all memory before reading it, and never let an address, a hash of one or an environment "
     "variable count.",
     check_process},
    {"determinism.locale", Level::kDeterminism, Outcome::kFail,
     "a locale with a decimal comma makes no difference",
     "Read and write numbers with std::from_chars and std::to_chars, not with strtod, atof or streams.",
     check_locale},
    {"determinism.clock", Level::kDeterminism, Outcome::kFail, "time and time zone make no difference",
     "Take nothing from a clock, not even a seed.", check_clock},
    {"determinism.floating-point", Level::kDeterminism, Outcome::kFail,
     "every call leaves rounding mode and flush-to-zero as they were",
     "Put the floating-point environment back before returning, or do not change it.", check_floating_point},
    {"determinism.imports", Level::kDeterminism, Outcome::kWarn,
     "it imports no clock and no random generator of the process",
     "Replace it with a generator of your own that has a fixed seed, such as std::mt19937 in the instance.",
     check_imports},
};

}  // namespace

std::span<const Check> determinism_checks() { return kDeterminismChecks; }

}  // namespace mash::checks
