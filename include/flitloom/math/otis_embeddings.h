// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_OTIS_EMBEDDINGS_H
#define LOOM_OTIS_EMBEDDINGS_H

#include <stdint.h>

#include <flitloom/api.h>

LOOM_API_BEGIN

// Embeddings of an N x N mesh into an OTIS-Mesh of side n, N = n*n ([Sahni97], section 3). Processor (i,j) of the mesh
// has number i*N + j; an embedding gives its node g*N + p. side >= 1, processor < N*N. They are maps of a plan by their
// names.
typedef uint32_t (*loom_otis_embedding)(uint32_t side, uint32_t processor);

// The embedding "group-row" (Fig. 3(a)): a row of the mesh is a group. It runs through the group as a snake: to the
// right along even rows of the group, to the left along odd ones. Rows run through the groups in the same way.
uint32_t loom_otis_group_row(uint32_t side, uint32_t processor);
// The embedding "group-submesh" (Fig. 3(b)): an n x n part of the mesh is a group, in the same arrangement. The groups
// are arranged as the parts are.
uint32_t loom_otis_group_submesh(uint32_t side, uint32_t processor);

// Returns the embedding of that name.
loom_otis_embedding loom_otis_embedding_named(const char *name); // NULL: there is none

LOOM_API_END

#endif
