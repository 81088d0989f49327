// SPDX-License-Identifier: Apache-2.0
#include "framework/net/http_download.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>

#include "framework/base/hash.hpp"

namespace mash {
namespace {

namespace fs = std::filesystem;

constexpr int kWhole = 200, kPart = 206, kTooFar = 416, kTooMany = 429, kServersFault = 500;

std::uint64_t size_of(const fs::path& path) {
  std::error_code code;
  const std::uintmax_t size = fs::file_size(path, code);
  return code ? 0 : size;
}

Error stopped() { return {ErrorKind::kStopped, "stopped; the same command continues from here"}; }

// One file on its way.
class Download {
 public:
  Download(const RemoteFile& file, const fs::path& path, const DownloadSettings& settings,
           const WorkContext& work)
      : file_(file),
        path_(path),
        part_(path.string() + ".part"),
        settings_(settings),
        work_(work),
        client_(settings.limits, work.stop) {}

  Result<std::uint64_t> run() {
    show_progress();
    std::string reasons;
    for (const std::string& address : file_.addresses) {
      const Status status = from(address);
      if (status.ok()) return num_received_;
      if (status.error().kind == ErrorKind::kStopped || is_local_) return status.error();
      reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", address, status.error().message);
    }
    return failure("{}", reasons);
  }

 private:
  enum class Outcome { kDone, kAgain, kOver };

  // Until the file is whole, or the address is given up.
  Status from(const std::string& address) {
    bool may_resume = true;
    int num_wrong = 0;
    double wait = settings_.first_wait;
    for (int attempt = 0; attempt < settings_.most_attempts;) {
      const std::uint64_t had = may_resume ? size_of(part_) : 0;
      if (!may_resume) MASH_TRY(forget());
      const Outcome outcome = had > 0 && file_.num_bytes == had ? Outcome::kDone : ask(address, had);
      if (work_.stop.raised()) return stopped();
      if (outcome == Outcome::kOver) return failure("{}", reason_);
      if (outcome == Outcome::kDone) {
        const Status checked = check();
        if (checked.ok() || had == 0 || ++num_wrong > 1) return checked;
        may_resume = false;  // what was there may have been another file's
        continue;
      }
      may_resume = true;
      if (size_of(part_) > had) {
        attempt = 0;
        wait = settings_.first_wait;
        continue;
      }
      ++attempt;
      if (attempt < settings_.most_attempts) MASH_TRY(pause(wait));
      wait *= 2;
    }
    return failure("{}", reason_);
  }

  // One request for what is missing.
  Outcome ask(const std::string& address, std::uint64_t had) {
    HttpRequest request;
    request.url = address;
    if (had > 0) request.headers.push_back(fmt::format("Range: bytes={}-", had));
    const auto parts = read_http_address(address);
    request.asks_directly = parts.ok() && parts->is_own_machine;
    std::ofstream out;
    bool is_refused = false;
    const auto answer = client_.fetch(request, [&](const HttpHead& head, std::string_view piece) {
      if (!out.is_open() && !open(head, had, out)) return false;
      is_refused = !take(piece, out);
      return !is_refused;
    });
    if (out.is_open()) out.close();
    show_progress();
    if (is_refused) return Outcome::kOver;
    if (const auto* failed = std::get_if<HttpFailure>(&answer)) {
      reason_ = failed->message;
      return failed->may_pass ? Outcome::kAgain : Outcome::kOver;
    }
    return judge(std::get<HttpResponse>(answer).status, had);
  }

  Outcome judge(int status, std::uint64_t had) {
    if (status == kWhole || status == kPart) {
      if (!is_misplaced_) return Outcome::kDone;
      reason_ = "the server sent another part than it was asked for";
      return Outcome::kOver;
    }
    reason_ = fmt::format("the server answered {}", status);
    if (status == kTooFar && had > 0) {
      std::error_code code;
      fs::remove(part_, code);
      return Outcome::kAgain;
    }
    return status == kTooMany || status >= kServersFault ? Outcome::kAgain : Outcome::kOver;
  }

  // Whether the body of this answer belongs into the file, which is opened where it goes on.
  bool open(const HttpHead& head, std::uint64_t had, std::ofstream& out) {
    is_misplaced_ = head.status == kPart && head.first_byte.value_or(had) != had;
    if ((head.status != kWhole && head.status != kPart) || is_misplaced_) return false;
    const bool goes_on = head.status == kPart && had > 0;
    out.open(part_, std::ios::binary | (goes_on ? std::ios::app : std::ios::trunc));
    num_bytes_ = goes_on ? had : 0;
    return true;
  }

  bool take(std::string_view piece, std::ofstream& out) {
    if (file_.num_bytes && num_bytes_ + piece.size() > *file_.num_bytes) {
      reason_ = fmt::format("the file has more than the {} bytes that are expected", *file_.num_bytes);
      std::error_code code;
      out.close();
      fs::remove(part_, code);
      return false;
    }
    out.write(piece.data(), std::streamsize(piece.size())).flush();
    if (!out) {
      reason_ = fmt::format("{}: cannot be written; is the disk full?", part_.string());
      is_local_ = true;
      return false;
    }
    num_bytes_ += piece.size();
    num_received_ += piece.size();
    show_progress();
    return true;
  }

  Status check() {
    std::error_code code;
    if (!fs::exists(part_, code)) return failure("the server sent an empty file");
    MASH_ASSIGN(const std::string found, sha256_of_file(part_));
    if (found != file_.sha256) {
      const std::uint64_t size = size_of(part_);
      fs::remove(part_, code);
      return failure("wrong checksum: found {} bytes with SHA-256 {}, expected {}", size, found,
                     file_.sha256);
    }
    fs::rename(part_, path_, code);
    if (code) return failure("{}: cannot be renamed: {}", part_.string(), code.message());
    return Done{};
  }

  Status forget() {
    std::error_code code;
    fs::remove(part_, code);
    return Done{};
  }

  Status pause(double seconds) const {
    for (const Stopwatch watch; watch.seconds() < seconds;) {
      if (work_.stop.raised()) return stopped();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return Done{};
  }

  // Once for each kilobyte of the file, also where some come again.
  void show_progress() {
    const std::uint64_t now = std::max(num_bytes_, size_of(part_)) / 1024;
    if (now <= num_shown_) return;
    work_.progress.advance(std::size_t(now - num_shown_));
    num_shown_ = now;
  }

  const RemoteFile& file_;
  fs::path path_, part_;
  const DownloadSettings& settings_;
  const WorkContext& work_;
  HttpClient client_;
  std::string reason_;
  bool is_local_ = false;      // this machine's fault: no other address helps
  bool is_misplaced_ = false;  // the server sent a part that was not asked for
  std::uint64_t num_bytes_ = 0, num_received_ = 0, num_shown_ = 0;
};

}  // namespace

Result<std::uint64_t> download(const RemoteFile& file, const fs::path& path, const DownloadSettings& settings,
                               const WorkContext& work) {
  return Download(file, path, settings, work).run();
}

Result<std::string> sha256_of_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  Sha256 hash;
  std::vector<char> piece(std::size_t(1) << 20);
  while (in.read(piece.data(), std::streamsize(piece.size())) || in.gcount() > 0)
    hash.update(std::string_view(piece.data(), std::size_t(in.gcount())));
  if (!in.eof()) return failure("{}: cannot be read", path.string());
  return hash.hex();
}

}  // namespace mash
