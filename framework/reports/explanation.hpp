// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "framework/analysis/answers/explanation.hpp"
#include "framework/analysis/answers/places.hpp"
#include "framework/base/result.hpp"
#include "framework/dataset/dataset.hpp"
#include "framework/render/page.hpp"

namespace mash {

// A place of a picture, and how its answer depends on it.
struct ExplainedPlace {
  Place place;
  double effect = 0;             // what the lead of the class over its rival loses where the place is covered
  std::uint32_t family_idx = 0;  // the family through which most of it goes, and its part
  double family_effect = 0;
};

struct ExplainedPicture {
  std::string picture;  // as it was named
  Explanation explanation;
  double margin = 0;
  std::vector<ExplainedPlace> places;  // row by row
  std::vector<std::uint8_t> pixels;    // as the model sees them

  // The votes for the class less those for the rival.
  double lead() const;
};

struct ExplanationReport {
  std::string model, kind;                     // the file; sum or linear
  std::vector<std::string> classes, families;  // names
  ImageShape shape;
  std::vector<ExplainedPicture> pictures;
};

std::string render_text(const ExplanationReport& report);
// The document of `mash explain --json`; its keys are a contract.
nlohmann::ordered_json to_json(const ExplanationReport& report);
// The pictures with their places marked. Errors: those of the encoder of pictures.
Result<page::Piece> explanation_page(const ExplanationReport& report, std::string_view program_version);

}  // namespace mash
