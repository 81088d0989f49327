// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace mash {

// One step of the schema. Steps are never changed once released: a correction is a new step.
struct Migration {
  int number;  // PRAGMA user_version after it
  const char* sql;
};

extern const char* const kTablesSql;              // step 1
extern const char* const kViewsSql;               // step 2
extern const char* const kTuningSql;              // step 3
extern const char* const kCutsSql;                // step 4
extern const char* const kTestErrorsSql;          // step 5
extern const char* const kPhasesSql;              // step 6
extern const char* const kTrialsSql;              // step 7
extern const char* const kHeuristicTrialsSql;     // step 8
extern const char* const kDatasetSettingsSql;     // step 9
extern const char* const kOfferTestsSql;          // step 10
extern const char* const kCreditsSql;             // step 11
extern const char* const kIncidentsSql;           // step 12
extern const char* const kSubmissionsSql;         // step 13
extern const char* const kOfferDetailsSql;        // step 14
extern const char* const kTrialNumbersSql;        // step 15
extern const char* const kLearnersSql;            // step 16
extern const char* const kRunSettingsSql;         // step 17
extern const char* const kPictureNamesSql;        // step 18
extern const char* const kRanksSql;               // step 19
extern const char* const kSubmissionSettingsSql;  // step 20
extern const char* const kCoursesSql;             // step 21
extern const char* const kLongestRunsSql;         // step 22
extern const char* const kLikenessSql;            // step 23
extern const char* const kOfferSumsSql;           // step 24
extern const char* const kCreditPicturesSql;      // step 25
extern const char* const kBeyondSql;              // step 26
extern const char* const kPublicTrainingSql;      // step 27

// All steps in order, numbered from 1 without gaps.
std::span<const Migration> migrations();

}  // namespace mash
