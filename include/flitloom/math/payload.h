// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PAYLOAD_H
#define LOOM_PAYLOAD_H

#include <stdint.h>

#include <flitloom/api.h>

LOOM_API_BEGIN

// The parameters of payload that nodes generate. With them (docs/registers.md: PAYLOAD_BITS, SIGNATURE) the host can
// compute what must have arrived.
struct loom_payload {
	uint32_t seed;                  // as in the register SEED
	uint32_t flit_bits, label_bits; // bits of a flit; bits of a node's label
	uint32_t state_bits;            // bits of the generator's state: 16, 32
	uint32_t signature_bits;        // 12, 16, 32; 0: the chip keeps no signatures
};

// Computes the signature of a message for the log. It is the signature of the payload of a message with that many
// flits, header included, which the node with the label `source` (loom_topo_label) generated under `number`. It is 0 if
// there are no signatures.
uint32_t loom_payload_signature(const struct loom_payload *payload, uint32_t source, uint32_t number, uint32_t flits);

LOOM_API_END

#endif
