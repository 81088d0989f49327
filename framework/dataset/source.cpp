// SPDX-License-Identifier: Apache-2.0
#include "framework/dataset/source.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <vector>

#include "framework/base/file.hpp"
#include "framework/base/hash.hpp"

namespace mash {
namespace {

constexpr std::size_t kPieceBytes = std::size_t(1) << 20;
constexpr int kGzipWindow = MAX_WBITS + 16;  // zlib: a gzip header, no other

// Unpacks one gzip file, member by member.
class Unpacker {
 public:
  Unpacker(std::string_view packed, std::uint64_t max_bytes) : packed_(packed), max_bytes_(max_bytes) {}
  ~Unpacker() { inflateEnd(&stream_); }
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  Result<std::string> run() {
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) return failure("zlib cannot be started");
    std::vector<char> piece(kPieceBytes);
    while (true) {
      feed();
      stream_.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream_.avail_out = uInt(piece.size());
      const int code = inflate(&stream_, Z_NO_FLUSH);
      unpacked_.append(piece.data(), piece.size() - stream_.avail_out);
      if (unpacked_.size() > max_bytes_)
        return input_error("unpacks to more than the {} bytes that are expected at most", max_bytes_);
      if (code == Z_STREAM_END) {
        if (position() == packed_.size()) return std::move(unpacked_);
        inflateReset(&stream_);
      } else if (code == Z_BUF_ERROR ||
                 (code == Z_OK && position() == packed_.size() && stream_.avail_out > 0)) {
        return input_error("byte {}: the gzip file is truncated", packed_.size());
      } else if (code != Z_OK) {
        return input_error("byte {}: corrupt gzip: {}", position(),
                           stream_.msg ? stream_.msg : "unknown reason");
      }
    }
  }

 private:
  std::size_t position() const { return fed_ - stream_.avail_in; }

  void feed() {
    if (stream_.avail_in > 0) return;
    const std::size_t size = std::min(kPieceBytes, packed_.size() - fed_);
    // zlib's older interface lacks the const; it does not write here.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data() + fed_));
    stream_.avail_in = uInt(size);
    fed_ += size;
  }

  std::string_view packed_;
  std::uint64_t max_bytes_;
  std::size_t fed_ = 0;
  z_stream stream_{};
  std::string unpacked_;
};

}  // namespace

Result<LoadedSource> read_source(const std::filesystem::path& path, std::uint64_t max_bytes) {
  std::error_code code;
  const auto kind = std::filesystem::status(path, code).type();
  if (kind == std::filesystem::file_type::not_found)
    return input_error("{}: no such file, expected a data file or a picture", path.string());
  if (kind != std::filesystem::file_type::regular)
    return input_error("{}: not a regular file, expected a data file", path.string());
  const std::uint64_t size = std::filesystem::file_size(path, code);
  if (code) return input_error("{}: cannot be read: {}", path.string(), code.message());
  if (size > max_bytes)
    return input_error("{}: found {} bytes, expected at most {}", path.string(), size, max_bytes);

  LoadedSource source;
  MASH_ASSIGN(source.bytes, read_file(path, kAnyFileBytes));
  if (source.bytes.empty()) return input_error("{}: the file is empty", path.string());
  source.file = {path, sha256(source.bytes), source.bytes.size()};
  if (path.extension() != ".gz") return source;
  Result<std::string> unpacked = Unpacker(source.bytes, max_bytes).run();
  if (!unpacked.ok()) return unpacked.error().at(path.string());
  if (unpacked->empty()) return input_error("{}: the file is empty once unpacked", path.string());
  source.bytes = *std::move(unpacked);
  return source;
}

Result<std::filesystem::path> find_plain_or_gz(const std::filesystem::path& folder, std::string_view name) {
  std::error_code code;
  const std::filesystem::path plain = folder / name;
  if (std::filesystem::exists(plain, code)) return plain;
  std::filesystem::path packed = plain;
  packed += ".gz";
  if (std::filesystem::exists(packed, code)) return packed;
  return input_error("{}: no such file, nor {}.gz beside it", plain.string(), std::string(name));
}

bool is_left_by_a_system(std::string_view name) {
  constexpr std::array<std::string_view, 9> kNames{
      "__MACOSX",  "@eaDir",      "#recycle",    "$RECYCLE.BIN", "System Volume Information",
      "Thumbs.db", "ehthumbs.db", "desktop.ini", "lost+found"};
  return name.starts_with("._") || name == ".DS_Store" || std::ranges::find(kNames, name) != kNames.end();
}

Result<std::vector<std::filesystem::path>> list_folder(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> entries;
  std::error_code code;
  for (std::filesystem::directory_iterator it(folder, code), end; !code && it != end; it.increment(code))
    if (const std::string name = it->path().filename().string();
        !name.starts_with('.') && !is_left_by_a_system(name))
      entries.push_back(it->path());
  if (code) return input_error("{}: cannot be listed: {}", folder.string(), code.message());
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::string checksum_list(std::span<const SourceFile> files) {
  std::string lines;
  for (const SourceFile& file : files) {
    std::string path;
    for (const char c : file.path.string()) {
      if (c == '\\')
        path += "\\\\";
      else if (c == '\n')
        path += "\\n";
      else
        path += c;
    }
    // A line that begins with a backslash has escapes in its path.
    if (path != file.path.string()) lines += '\\';
    lines += fmt::format("{}  {}\n", file.sha256, path);
  }
  return lines;
}

}  // namespace mash
