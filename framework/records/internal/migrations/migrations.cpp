// SPDX-License-Identifier: Apache-2.0
#include "framework/records/internal/migrations/migrations.hpp"

namespace mash {

std::span<const Migration> migrations() {
  static const Migration steps[] = {
      {1, kTablesSql},          {2, kViewsSql},         {3, kTuningSql},         {4, kCutsSql},
      {5, kTestErrorsSql},      {6, kPhasesSql},        {7, kTrialsSql},         {8, kHeuristicTrialsSql},
      {9, kDatasetSettingsSql}, {10, kOfferTestsSql},   {11, kCreditsSql},       {12, kIncidentsSql},
      {13, kSubmissionsSql},    {14, kOfferDetailsSql}, {15, kTrialNumbersSql},  {16, kLearnersSql},
      {17, kRunSettingsSql},    {18, kPictureNamesSql}, {19, kRanksSql},         {20, kSubmissionSettingsSql},
      {21, kCoursesSql},        {22, kLongestRunsSql},  {23, kLikenessSql},      {24, kOfferSumsSql},
      {25, kCreditPicturesSql}, {26, kBeyondSql},       {27, kPublicTrainingSql}};
  return steps;
}

}  // namespace mash
