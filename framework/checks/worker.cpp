// SPDX-License-Identifier: Apache-2.0
#include "framework/checks/worker.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <fstream>

#include "framework/base/progress.hpp"
#include "framework/base/require.hpp"
#include "framework/checks/bench.hpp"
#include "framework/checks/check.hpp"
#include "framework/isolation/line_worker.hpp"

namespace mash::checks {
namespace {

using Json = nlohmann::json;

void answer(const Json& json) {
  const std::string line = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  for (std::size_t begin = 0; begin < line.size();) {
    const ssize_t num_bytes = ::write(kWorkerDescriptor, line.data() + begin, line.size() - begin);
    if (num_bytes <= 0) std::_Exit(1);
    begin += std::size_t(num_bytes);
  }
}

void answer_error(const Error& error) { answer({{"error", error.message}}); }

Result<Finding> run(const Check& check, Bench& bench) {
  if (check.level != Level::kLoad) MASH_TRY(bench.load());
  return check.run(bench);
}

void check(const Json& request) {
  Bench bench(CheckTarget::from_json(request));
  hear_logs([](const std::string& line) { answer({{"log", line}}); });
  for (const auto& id : request.at("checks").get<std::vector<std::string>>()) {
    const auto check = find_check(id);
    if (!check.ok()) return answer_error(check.error());
    answer({{"begin", id}});
    const Stopwatch watch;
    const Result<Finding> result = run(**check, bench);
    const Finding found = result.ok() ? *result : finding(Outcome::kFail, "{}", result.error().message);
    answer({{"end", id},
            {"outcome", outcome_name(found.outcome)},
            {"evidence", found.evidence},
            {"seconds", watch.seconds()}});
  }
}

Status write_features(const Json& request) {
  std::setlocale(LC_ALL, "");
  Bench bench(CheckTarget::from_json(request));
  MASH_TRY(bench.load());
  const auto fill = request.find("fill");
  MASH_ASSIGN(
      const auto values,
      bench.features_here(fill == request.end() ? std::nullopt : std::optional(fill->get<std::uint8_t>())));
  std::ofstream file(request.at("file").get<std::string>(), std::ios::binary);
  file.write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size() * sizeof(float)));
  file.close();
  if (!file) return failure("the features cannot be written");
  return Done{};
}

}  // namespace

bool is_worker_request(const std::string& text) {
  return Json::parse(text, nullptr, false).is_object() && ::fcntl(kWorkerDescriptor, F_GETFD) != -1;
}

void run_worker(const std::string& text) {
  require(is_worker_request(text), "run_worker: is_worker_request(request)");
  if (::write(kWorkerDescriptor, &kLineWorkerHello, sizeof kLineWorkerHello) != sizeof kLineWorkerHello)
    std::_Exit(1);
  report_crashes_to(kWorkerDescriptor);
  const Json request = Json::parse(text);
  if (request.contains("log")) {
    const int log = ::open(request.at("log").get<std::string>().c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::dup2(log, STDERR_FILENO);
  }
  const std::string mode = request.at("mode");
  if (mode == "check") check(request);
  if (mode == "features")
    if (const Status status = write_features(request); !status.ok()) answer_error(status.error());
  // Not by way of the plugin's destructors: those are the business of a check.
  std::_Exit(0);
}

}  // namespace mash::checks
