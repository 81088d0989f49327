// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/base/progress.hpp"
#include "framework/base/result.hpp"
#include "framework/base/scratch_allocator.hpp"
#include "framework/base/settings.hpp"

namespace mash {

inline constexpr std::uint32_t kMaxCameras = 1024;

// How pictures of other sizes are brought to that of their data set.
enum class ResizeMode : std::uint8_t {
  kNone,     // not at all
  kStretch,  // each side on its own
  kFit,      // the whole picture within, black beside it
  kCrop,     // the middle of it, so that all is covered
};

// The names of the modes, except kNone.
inline constexpr std::array kResizeModes{Choice{"stretch", ResizeMode::kStretch},
                                         Choice{"fit", ResizeMode::kFit}, Choice{"crop", ResizeMode::kCrop}};

// Pixels of many images; on disk where they are many.
using PixelArray = std::vector<std::uint8_t, ScratchAllocator<std::uint8_t>>;

// The shape that all images of a data set share. Tables have no images: width = height = 0.
struct ImageShape {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t num_channels = 0;  // 1 (grey) or 3 (red, green, blue)
  std::uint32_t num_cameras = 1;   // that take turns in the sequences
  ResizeMode resize = ResizeMode::kNone;

  std::size_t num_bytes() const { return std::size_t(width) * height * num_channels; }
  bool operator==(const ImageShape&) const = default;
  // Whether the pixels of an image of one are an image of the other too.
  bool has_pixels_of(const ImageShape& other) const {
    return width == other.width && height == other.height && num_channels == other.num_channels;
  }
};

// The reserved family of a table: its columns, without a plugin.
inline constexpr std::string_view kColumnsFamily = "columns";

// Where an image stands in its sequence, such as a film.
struct Frame {
  std::uint32_t place = 0;   // among the images of the sequence, from 0
  std::uint32_t camera = 0;  // that took it
};

class EndlessExamples;  // framework/dataset/endless.hpp

// The examples of one side of a data set, in published order.
struct Split {
  std::size_t num_examples = 0;
  // Images: num_examples x height x width x num_channels bytes, rows top down, channels interleaved.
  PixelArray pixels;
  // Tables: num_examples x num_columns values, NaN where missing.
  std::vector<float> values;
  // The class of each example, an index into Dataset::class_names. Empty where a table that is to be
  // predicted has no labels.
  std::vector<std::uint16_t> labels;
  // Which examples are more alike than others of their class, such as digits of one font: a number for each
  // example, or none where it is not known.
  std::vector<std::uint32_t> groups = {};
  // Sequences of images: the frame of each example, where example n with place p > 0 follows example n - 1 of
  // place p - 1; or none, where each image stands alone.
  std::vector<Frame> frames = {};
  // Examples that were read from files: the place of the file of each in Dataset::sources; else none.
  std::vector<std::uint32_t> files = {};
  // Where a file holds several examples: the place of each in its file, from 0. None where each example has a
  // file of its own.
  std::vector<std::uint32_t> rows = {};
  // The place of each example among all that the data set lists, before any of them are chosen for a side;
  // none where they are all of them, training examples first.
  std::vector<std::uint32_t> listed = {};
  // Where the side never ends, what makes the examples behind the num_examples that are held; else null.
  std::shared_ptr<const EndlessExamples> beyond = nullptr;

  bool is_endless() const { return beyond != nullptr; }
  bool has_a_file_each() const { return !files.empty() && rows.empty(); }
  // REQUIRES: example_idx < num_examples.
  std::span<const std::uint8_t> image(std::size_t example_idx, const ImageShape& shape) const {
    return std::span(pixels).subspan(example_idx * shape.num_bytes(), shape.num_bytes());
  }
};

// The names behind the codes 0, 1, ... of each column of a table; no names for a column of numbers.
using CategoryNames = std::vector<std::vector<std::string>>;

// A file that was read, as it goes into the record of a run.
struct SourceFile {
  std::filesystem::path path;
  std::string sha256;
  std::uint64_t num_bytes = 0;
  // Its path below that of the data set, for people; empty: the last part of the path.
  std::string name = {};
};

// A labelled set of examples with its training and test side. Immutable once loaded.
struct Dataset {
  std::string name;  // for people: its title or, for pictures, that of their folder; else that of its format
  std::vector<std::string> class_names;  // K of them, K >= 1
  ImageShape shape;
  std::vector<std::string> column_names;  // tables: one per column
  CategoryNames category_names;           // tables: one per column, or empty where all hold numbers
  std::string label_name;                 // tables: of the column of labels, where it has a name
  std::vector<std::string> missing;       // tables: the fields that stood for a missing value
  Split train;
  Split test;
  // The name of `test`: "test" or, where a part of the training side or the validation side of a folder was
  // asked for in its place, "validation". Errors are told under this name.
  std::string judging_side = "test";
  std::vector<SourceFile> sources;    // empty for generators
  std::vector<std::string> warnings;  // such as a class that one side lacks
  // Equal exactly when the examples of both sides and the names of classes, columns and categories are equal:
  // a SHA-256 over all of these, not over settings or paths. Cache key.
  std::string fingerprint;
  std::size_t num_listed = 0;  // examples in which Split::listed has places

  std::size_t num_classes() const { return class_names.size(); }
  bool is_table() const { return shape.width == 0; }
  // The names behind a column's codes; none where it holds numbers.
  std::span<const std::string> categories_of(std::size_t column) const {
    return category_names.empty() ? std::span<const std::string>() : category_names[column];
  }
  bool has_sequences() const { return !train.frames.empty() || !test.frames.empty(); }
};

// The name of a file that was read.
std::string file_name(const SourceFile& file);
// The name of an example: that of its file ("cat/0012.png") or, where a file holds several, the file and the
// place in it from 0 ("t10k-images-idx3-ubyte#12"). Empty where it comes from no file, or nobody is to know.
// REQUIRES: the side is one of the data set's.
std::string example_name(const Dataset& dataset, const Split& side, std::size_t example_idx);
// The names of all examples of a side; none where they have none.
std::vector<std::string> example_names(const Dataset& dataset, const Split& side);

// Says that all examples of the side behind those that have a name stand in this file (a place in
// Dataset::sources), one after the other.
void name_rows(std::uint32_t file, Split& side);

// Takes these files out of the sources. forgotten: for each of the sources. REQUIRES: no example of a side
// has one of them.
void drop_sources(const std::vector<bool>& forgotten, Dataset& dataset);
// Takes the names of all examples out of the data set, and the files that hold one example each out of the
// sources.
void forget_names(Dataset& dataset);

// Says that the data set lists its examples as they are now, training examples first. For those that read
// one, before they choose sides from it; an endless side has no list.
void list_examples(Dataset& dataset);
// How many examples the data set lists.
std::size_t listed_examples(const Dataset& dataset);

// The sequences of both sides; an image of theirs that stands alone is one.
std::size_t num_sequences(const Dataset& dataset);

// The examples of each class on a side.
std::vector<std::size_t> class_counts(const Split& split, std::size_t num_classes);

// Checks that there is something to learn: examples of two classes at least for training, and no more than
// half of all examples alone in their class. Errors (kInput): else; the message asks whether the labels are
// right.
Status check_classes(const Dataset& dataset);

// A column of a table, as people look at it.
struct ColumnSummary {
  std::string name;
  bool has_names = false;                         // codes of names, else numbers
  std::size_t num_distinct = 0, num_missing = 0;  // values, of both sides
};
// A summary of each column; none of images.
std::vector<ColumnSummary> column_summaries(const Dataset& dataset);

// The output of `mash dataset show --json`; its keys are a contract.
nlohmann::ordered_json to_json(const Dataset& dataset);

}  // namespace mash
