/* SPDX-License-Identifier: Apache-2.0 */
/* Included before each source of kinds/: which of its variants the plugin is. A variant is the kind's object,
 * linked with these two, so that many are made in no time. */
#ifndef MASH_TESTS_CHECKS_CLASSIC_VARIANT_H
#define MASH_TESTS_CHECKS_CLASSIC_VARIANT_H

extern const char variant_id[];
extern const unsigned int variant;

#define MASH_CLASSIC_ID variant_id
#define MASH_CLASSIC_AUTHOR "corpus"
#define VARIANT variant

#endif
