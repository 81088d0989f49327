// SPDX-License-Identifier: Apache-2.0
#include "framework/operations/data/npz_writer.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <bit>
#include <boost/locale/encoding_utf.hpp>
#include <vector>

#include "framework/base/file.hpp"
#include "framework/base/number.hpp"
#include "framework/base/require.hpp"

namespace mash {
namespace {

static_assert(std::endian::native == std::endian::little, "arrays are written as they are in memory");

// The header of a .npy file, version 1.0 of its format (NumPy Enhancement Proposal 1).
std::string npy_header(std::string_view dtype, std::span<const std::size_t> shape) {
  std::string sizes;
  for (const std::size_t size : shape) sizes += fmt::format("{}, ", size);
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", dtype, sizes);
  constexpr std::size_t kBefore = 10, kAlignment = 64;
  const std::size_t size = (kBefore + text.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
  text.resize(size - kBefore - 1, ' ');
  text += '\n';
  std::string header = "\x93NUMPY";
  header += {'\x01', '\x00', char(text.size() & 0xff), char(text.size() >> 8)};
  return header + text;
}

// "<f4": 4; "<U7": seven characters of four bytes.
std::size_t item_bytes(std::string_view dtype) {
  return number_in<std::size_t>(dtype.substr(2)).value() * (dtype[1] == 'U' ? 4 : 1);
}

struct FreeArchive {
  void operator()(archive* opened) const { archive_write_free(opened); }
};
struct FreeEntry {
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};

}  // namespace

struct NpzWriter::State {
  std::filesystem::path path, part;
  std::unique_ptr<archive, FreeArchive> file;
  std::uint64_t left = 0;  // bytes of the array that was begun

  Error error() const {
    const char* text = archive_error_string(file.get());
    return failure("{}: cannot be written: {}", path.string(), text ? text : "unknown error");
  }
};

NpzWriter::NpzWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
NpzWriter::NpzWriter(NpzWriter&&) noexcept = default;

NpzWriter::~NpzWriter() {
  if (state_ == nullptr || state_->file == nullptr) return;
  state_->file.reset();
  std::error_code code;
  std::filesystem::remove(state_->part, code);
}

Result<NpzWriter> NpzWriter::open(const std::filesystem::path& path) {
  auto state = std::make_unique<State>();
  MASH_ASSIGN(state->path, replaceable(path));
  state->part = state->path.string() + ".part";
  std::error_code code;
  if (state->path.has_parent_path()) std::filesystem::create_directories(state->path.parent_path(), code);
  state->file.reset(archive_write_new());
  archive* file = state->file.get();
  if (archive_write_set_format_zip(file) != ARCHIVE_OK ||
      archive_write_zip_set_compression_store(file) != ARCHIVE_OK ||
      archive_write_open_filename(file, state->part.c_str()) != ARCHIVE_OK)
    return state->error();
  return NpzWriter(std::move(state));
}

Status NpzWriter::begin(std::string_view name, std::string_view dtype, std::span<const std::size_t> shape) {
  require(state_->left == 0, "NpzWriter::begin: the array before is whole");
  const std::string header = npy_header(dtype, shape);
  std::uint64_t num_bytes = item_bytes(dtype);
  for (const std::size_t size : shape) num_bytes *= size;
  state_->left = header.size() + num_bytes;
  const std::unique_ptr<archive_entry, FreeEntry> entry(archive_entry_new());
  archive_entry_set_pathname_utf8(entry.get(), fmt::format("{}.npy", name).c_str());
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), 0644);
  archive_entry_set_size(entry.get(), la_int64_t(state_->left));
  if (archive_write_header(state_->file.get(), entry.get()) != ARCHIVE_OK) return state_->error();
  return write(std::as_bytes(std::span(header)));
}

Status NpzWriter::write(std::span<const std::byte> bytes) {
  require(bytes.size() <= state_->left, "NpzWriter::write: no more than the array has");
  state_->left -= bytes.size();
  while (!bytes.empty()) {
    const la_ssize_t written = archive_write_data(state_->file.get(), bytes.data(), bytes.size());
    if (written <= 0) return state_->error();
    bytes = bytes.subspan(std::size_t(written));
  }
  return Done{};
}

Status NpzWriter::close() {
  require(state_->left == 0, "NpzWriter::close: the last array is whole");
  if (archive_write_close(state_->file.get()) != ARCHIVE_OK) return state_->error();
  std::error_code code;
  std::filesystem::rename(state_->part, state_->path, code);
  if (code) return failure("{}: cannot be written: {}", state_->path.string(), code.message());
  state_->file.reset();
  return Done{};
}

Status NpzWriter::add(std::string_view name, const DataValues& values) {
  const std::size_t size = std::visit([](const auto& all) { return all.size(); }, values);
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values)) {
    MASH_TRY(begin(name, "<i8", {&size, 1}));
    return write(std::as_bytes(std::span(*integers)));
  }
  if (const auto* reals = std::get_if<std::vector<double>>(&values)) {
    MASH_TRY(begin(name, "<f8", {&size, 1}));
    return write(std::as_bytes(std::span(*reals)));
  }
  std::vector<std::u32string> texts;
  std::size_t longest = 1;
  for (const auto& text : std::get<std::vector<std::optional<std::string>>>(values)) {
    texts.push_back(boost::locale::conv::utf_to_utf<char32_t>(text.value_or("")));
    longest = std::max(longest, texts.back().size());
  }
  MASH_TRY(begin(name, fmt::format("<U{}", longest), {&size, 1}));
  for (std::u32string& text : texts) {
    text.resize(longest);
    MASH_TRY(write(std::as_bytes(std::span(text))));
  }
  return Done{};
}

}  // namespace mash
