// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PAYLOAD_H
#define LOOM_PAYLOAD_H

#include <stdint.h>

#include <flitloom/api.h>

LOOM_API_BEGIN

// The values that nodes make generated payload of. With them (docs/registers.md: PAYLOAD_BITS, SIGNATURE) the host can
// work out for itself what must have arrived.
struct loom_payload {
	uint32_t seed;                  // as in the register SEED
	uint32_t flit_bits, label_bits; // of a flit, of a node's label
	uint32_t state_bits;            // of the generator: 16, 32
	uint32_t signature_bits;        // 12, 16, 32; 0: the chip keeps no signatures
};

// Computes the signature that the log must have for a message. It is that of the payload of a message with that many
// flits, header included, which the node with the label `source` (loom_topo_label) generated under `number`; 0 if there
// are no signatures.
uint32_t loom_payload_signature(const struct loom_payload *payload, uint32_t source, uint32_t number, uint32_t flits);

LOOM_API_END

#endif
