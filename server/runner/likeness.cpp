// SPDX-License-Identifier: Apache-2.0
#include "server/runner/likeness.hpp"

#include <algorithm>

#include "framework/analysis/similarity.hpp"
#include "framework/analysis/sources/likeness.hpp"
#include "framework/operations/workshop/templates.hpp"

namespace mash::server {
namespace {

// Runs of tokens that come with the templates.
const CommonRuns& runs_of_templates() {
  static const CommonRuns runs = [] {
    std::vector<std::string_view> sources;
    for (const TemplateFile& file : template_files())
      if (file.name.ends_with(".cpp") || file.name.ends_with(".hpp")) sources.push_back(file.text);
    return CommonRuns(sources);
  }();
  return runs;
}

// A submission as it is compared.
struct ComparedSubmission {
  std::int64_t id = 0, board_id = 0;
  ReadSource source = {};
  cv::Mat columns = {};  // of its sample; empty: it has none
};

Result<ComparedSubmission> read_to_compare(const RecordsReader& records, std::int64_t id) {
  MASH_ASSIGN(const auto submission, find_submission(records, id));
  if (!submission) return failure("submission {}: is not in the records", id);
  MASH_ASSIGN(FeatureSample sample, read_feature_sample(records, id));
  return ComparedSubmission{id, submission->board_id, runs_of_templates().read(submission->source),
                            columns_of({sample.num_examples, std::move(sample.codes)})};
}

// REQUIRES: one is the later one.
KeptLikeness likeness_between(const ComparedSubmission& one, const ComparedSubmission& other) {
  KeptLikeness kept;
  kept.submission_id = one.id;
  kept.other_id = other.id;
  // Versions of a board may have other pictures.
  const bool has_same_pictures = one.board_id == other.board_id && one.columns.rows == other.columns.rows;
  if (has_same_pictures && !one.columns.empty() && !other.columns.empty())
    kept.cka = linear_cka(one.columns, other.columns);
  const SourceLikeness sources = source_likeness(one.source, other.source);
  kept.num_tokens = one.source.num_own;
  kept.num_other_tokens = other.source.num_own;
  kept.num_equal = sources.num_equal;
  kept.num_prints = sources.num_prints;
  kept.num_other_prints = sources.num_other_prints;
  kept.num_shared = sources.num_shared;
  for (const EqualPart& part : sources.parts)
    kept.parts.push_back({part.one.first, part.one.last, part.other.first, part.other.last});
  return kept;
}

}  // namespace

bool is_kept(const KeptLikeness& likeness) {
  return likeness.cka.value_or(0) >= kKeptCka ||
         (likeness.num_equal >= kKeptTokens && likeness.share_equal() >= kKeptShare);
}

Result<bool> compare_next_submission(Records& records, const StopFlag& stop) {
  MASH_ASSIGN(const auto id, next_to_compare(records));
  if (!id) return false;
  MASH_ASSIGN(const std::vector<std::int64_t> others, read_to_compare_with(records, *id));
  MASH_ASSIGN(const ComparedSubmission one, read_to_compare(records, *id));
  std::vector<KeptLikeness> kept;
  for (const std::int64_t other_id : others) {
    if (stop.raised()) return Error{ErrorKind::kStopped, "stopped while submissions were compared"};
    MASH_ASSIGN(const ComparedSubmission other, read_to_compare(records, other_id));
    KeptLikeness likeness = other_id < *id ? likeness_between(one, other) : likeness_between(other, one);
    if (is_kept(likeness)) kept.push_back(std::move(likeness));
  }
  std::ranges::stable_sort(kept, [](const KeptLikeness& a, const KeptLikeness& b) {
    return std::max(a.cka.value_or(0), a.share_equal()) > std::max(b.cka.value_or(0), b.share_equal());
  });
  kept.resize(std::min(kept.size(), kMostKept));
  MASH_TRY(keep_likenesses(records, *id, others, kept));
  return true;
}

}  // namespace mash::server
