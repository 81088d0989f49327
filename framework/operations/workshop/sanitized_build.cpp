// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/workshop/sanitized_build.hpp"

#include <chrono>

#include "framework/base/require.hpp"
#include "framework/checks/sanitized.hpp"

namespace mash {

namespace fs = std::filesystem;
using namespace checks;

Result<std::unique_ptr<SanitizedBuild>> SanitizedBuild::start(const NamedHeuristic& named) {
  require(named.source.has_value(), "SanitizedBuild::start: named.source");
  MASH_ASSIGN(ScratchFolder folder, ScratchFolder::make("sanitized"));
  return std::unique_ptr<SanitizedBuild>(new SanitizedBuild(named, std::move(folder)));
}

SanitizedBuild::SanitizedBuild(NamedHeuristic named, ScratchFolder folder)
    : named_(std::move(named)), folder_(std::move(folder)) {
  runtime_ = std::async(std::launch::async, [this] {
    return compile_sanitized(*named_.source, named_.plugins, folder_.path(), ended_);
  });
}

SanitizedBuild::~SanitizedBuild() {
  ended_.raise();
  if (runtime_.valid()) runtime_.wait();
}

Result<CheckResult> SanitizedBuild::check(const CheckTarget& target, const StopFlag& stop) {
  const Stopwatch watch;
  MASH_ASSIGN(const Check* check, find_check(kSanitizersCheck));
  MASH_ASSIGN(Finding found, find(target, stop));
  return CheckResult{check, std::move(found), watch.seconds()};
}

Result<Finding> SanitizedBuild::find(const CheckTarget& target, const StopFlag& stop) {
  while (!built_) {
    if (stop.raised()) return Error{ErrorKind::kStopped, "stopped while the sanitizers' build ran"};
    if (runtime_.wait_for(std::chrono::milliseconds(20)) == std::future_status::ready)
      built_ = runtime_.get();
  }
  if (!built_->ok()) return finding(Outcome::kSkip, "not built with sanitizers: {}", built_->error().message);
  for (const fs::path& plugin : named_.plugins) {
    std::error_code code;
    if (!fs::equivalent(plugin, target.plugin, code)) continue;
    const fs::path place = named_.source->place;
    const fs::path sources = named_.source->is_project ? place : fs::absolute(place).parent_path();
    return run_sanitized(target, {folder_ / plugin.filename().string(), **built_, sources}, stop);
  }
  return finding(Outcome::kSkip, "{} is no plugin of the source", target.plugin.string());
}

}  // namespace mash
