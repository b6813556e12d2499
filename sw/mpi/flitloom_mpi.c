// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// usage: mpirun [-n N] flitloom-mpi [--silent SECONDS] sweep FABRICS PATTERN [OPTION...]
//
// Runs a sweep whose points the ranks share by messages alone. It needs no folder that all ranks see, and flitloom
// itself knows nothing of MPI. Each rank has a flitloom of its own that runs the points whose numbers it gets (sweep
// --take). The first rank hands out the points, longest first, as the ranks become free, and gathers the results in a
// journal. If a rank has died, or has been silent for SECONDS, its points are handed out again. At the end the first
// rank runs the same sweep by flitloom with that journal, which makes the outputs, runs missing points, and reports
// faults of the request.
#include <mpi.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "files.h"
#include "worker.h"

#define POLL_MS 5
#define ALIVE_MS 1000   // the time between two signs of life of a rank
#define SILENT_USUAL 30 // seconds
#define LOST_MOST 5     // the most times that a point is handed out again

// The messages between the first rank and the others. All are bytes: the number of a point, and behind TAG_DONE the files of its
// result.
enum tag { TAG_FREE = 1, TAG_DONE, TAG_LOST, TAG_FAILED, TAG_ALIVE, TAG_POINT, TAG_END };

#define NO_POINT UINT64_MAX

static double now(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void tell(int rank, enum tag tag, uint64_t point)
{
	(void)MPI_Send(&point, sizeof point, MPI_BYTE, rank, tag, MPI_COMM_WORLD);
}

// Looks for a message. Returns its tag, or 0; *from is its sender, *bytes is malloc'ed.
static int hear(int *from, char **bytes, int *n)
{
	MPI_Status status;
	int there = 0;
	(void)MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
	if (!there)
		return 0;
	(void)MPI_Get_count(&status, MPI_BYTE, n);
	*bytes = malloc((size_t)*n + 1);
	if (!*bytes)
		return 0;
	*from = status.MPI_SOURCE;
	(void)MPI_Recv(*bytes, *n, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return status.MPI_TAG;
}

// --- The other ranks ---------------------------------------------------------------------------------------------------

// Sends the files of a point's result, and removes them here.
static void send_result(const struct worker *w, uint64_t point)
{
	struct bytes all = {0};
	if (bytes_add(&all, &point, sizeof point) && files_take(&all, w->folder))
		(void)MPI_Send(all.at, (int)all.n, MPI_BYTE, 0, TAG_DONE, MPI_COMM_WORLD);
	else
		tell(0, TAG_LOST, point);
	free(all.at);
}

// Carries out the first rank's orders until all is done. Returns true if some rank is lost.
static bool serve(struct worker *w)
{
	uint64_t point = NO_POINT, done;
	double told = 0;
	bool ended = false, any_lost = false;
	while (!ended) {
		char *bytes;
		int from, n;
		const enum worker_word word = worker_hear(w, &done, POLL_MS);
		if (word == WORKER_READY)
			tell(0, TAG_FREE, NO_POINT);
		if (word == WORKER_DONE) {
			send_result(w, done);
			point = NO_POINT;
		}
		if (word == WORKER_FAILED)
			tell(0, TAG_FAILED, point);
		if (word == WORKER_DIED) {
			if (point != NO_POINT)
				tell(0, TAG_LOST, point);
			point = NO_POINT;
			worker_begin(w);
		}
		const int tag = hear(&from, &bytes, &n);
		ended = tag == TAG_END;
		if (tag == TAG_POINT) {
			memcpy(&point, bytes, sizeof point);
			worker_give(w, point);
		}
		if (ended)
			any_lost = bytes[0];
		if (tag)
			free(bytes);
		if (now() - told > ALIVE_MS / 1e3) {
			tell(0, TAG_ALIVE, NO_POINT);
			told = now();
		}
	}
	return any_lost;
}

// --- The first rank ----------------------------------------------------------------------------------------------------

// The first rank's knowledge of a rank.
struct rank {
	double heard; // the time of its last message
	uint64_t point;
	bool is_free, is_lost;
};

struct host {
	struct worker *own;
	const char *folder; // the journal
	struct rank *ranks; // the first rank's entry is that of its own worker
	int n_ranks;
	double silent; // seconds after which a silent rank counts as lost
	uint64_t n_done;
	unsigned *lost;        // by point: how often it was lost
	bool failed, any_lost; // any_lost: at the end
};

// Puts a point back, in front of all others.
static void put_back(struct host *h, uint64_t point)
{
	if (point == NO_POINT || point >= h->own->n_points)
		return;
	if (++h->lost[point] > LOST_MOST)
		h->failed = true; // flitloom will run it at the end, and report the fault
	h->own->order[--h->own->next] = point;
}

static void hand_out(struct host *h)
{
	for (int k = 0; k < h->n_ranks && h->own->next < h->own->n_order; k++) {
		struct rank *rank = &h->ranks[k];
		if (!rank->is_free || rank->is_lost)
			continue;
		rank->point = h->own->order[h->own->next++];
		rank->is_free = false;
		if (k == 0)
			worker_give(h->own, rank->point);
		else
			tell(k, TAG_POINT, rank->point);
	}
}

// Takes in the result of a point. It may come twice, if a rank was only late.
static void note_done(struct host *h, struct rank *rank, uint64_t point)
{
	if (rank->point == point) {
		h->n_done++;
		rank->point = NO_POINT;
	}
	rank->is_free = true;
}

static void hear_own(struct host *h)
{
	uint64_t point;
	const enum worker_word word = worker_hear(h->own, &point, POLL_MS);
	if (word == WORKER_READY)
		h->ranks[0].is_free = true;
	if (word == WORKER_DONE)
		note_done(h, &h->ranks[0], point);
	if (word == WORKER_FAILED)
		h->failed = true;
	if (word == WORKER_DIED) {
		put_back(h, h->ranks[0].point);
		h->ranks[0].point = NO_POINT;
		worker_begin(h->own);
	}
}

// Takes in one message of another rank. Returns false if there is none.
static bool hear_others(struct host *h)
{
	char *bytes;
	int from, n;
	uint64_t point;
	const int tag = hear(&from, &bytes, &n);
	if (!tag)
		return false;
	struct rank *rank = &h->ranks[from];
	memcpy(&point, bytes, sizeof point);
	rank->heard = now();
	rank->is_lost = false;
	if (tag == TAG_FREE)
		rank->is_free = true;
	if (tag == TAG_FAILED)
		h->failed = true;
	if (tag == TAG_DONE && files_put(h->folder, bytes + sizeof point, (size_t)n - sizeof point))
		note_done(h, rank, point);
	else if (tag == TAG_DONE || tag == TAG_LOST) {
		put_back(h, rank->point);
		rank->point = NO_POINT;
		rank->is_free = tag == TAG_DONE;
	}
	free(bytes);
	return true;
}

static void look_for_silent(struct host *h)
{
	for (int k = 1; k < h->n_ranks; k++) {
		struct rank *rank = &h->ranks[k];
		if (rank->is_lost || now() - rank->heard < h->silent)
			continue;
		(void)fprintf(stderr, "flitloom-mpi: rank %d has said nothing for %g s; its point is run again\n", k,
		              h->silent);
		rank->is_lost = true;
		rank->is_free = false;
		put_back(h, rank->point);
		rank->point = NO_POINT;
	}
}

static bool all_done(const struct host *h)
{
	bool busy = false;
	for (int k = 0; k < h->n_ranks; k++)
		busy = busy || h->ranks[k].point != NO_POINT;
	return h->own->is_ready && h->own->next == h->own->n_order && !busy;
}

// Tells a rank that all is done, and whether all ranks are there to end together. A rank that counts as lost may only
// be late, or never receive it.
static void tell_end(const struct host *h, int k)
{
	static const uint64_t yes = 1;
	MPI_Request request;
	if (!h->ranks[k].is_lost)
		tell(k, TAG_END, h->any_lost);
	else if (MPI_Isend(&yes, sizeof yes, MPI_BYTE, k, TAG_END, MPI_COMM_WORLD, &request) == MPI_SUCCESS)
		(void)MPI_Request_free(&request);
}

// Hands out all points and gathers the results. Returns false if memory runs out.
static bool host(struct host *h)
{
	h->ranks = calloc((size_t)h->n_ranks, sizeof *h->ranks);
	if (!h->ranks)
		return false;
	for (int k = 0; k < h->n_ranks; k++)
		h->ranks[k] = (struct rank){.heard = now(), .point = NO_POINT};
	while (!h->failed && !all_done(h)) {
		hear_own(h);
		if (h->own->is_ready && !h->lost && !(h->lost = calloc(h->own->n_points + 1, sizeof *h->lost)))
			return false;
		while (hear_others(h))
			;
		look_for_silent(h);
		if (h->lost)
			hand_out(h);
	}
	for (int k = 1; k < h->n_ranks; k++)
		h->any_lost = h->any_lost || h->ranks[k].is_lost;
	for (int k = 1; k < h->n_ranks; k++)
		tell_end(h, k);
	return true;
}

// --- Both --------------------------------------------------------------------------------------------------------------

static double silent_of(int *argc, char ***argv)
{
	double silent = SILENT_USUAL;
	if (*argc > 2 && strcmp((*argv)[1], "--silent") == 0) {
		silent = strtod((*argv)[2], NULL);
		(*argv)[2] = (*argv)[0];
		*argc -= 2;
		*argv += 2;
	}
	return silent;
}

static const char *journal_of(int argc, char **argv)
{
	const char *out = NULL;
	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], "--journal=", 10) == 0)
			out = argv[i] + 10;
		else if (strcmp(argv[i], "--journal") == 0 && i + 1 < argc)
			out = argv[i + 1];
	return out;
}

int main(int argc, char **argv)
{
	char own_folder[] = "/tmp/flitloom-mpi.XXXXXX";
	int rank, status = 0;
	struct host h = {.silent = silent_of(&argc, &argv)};
	const char *journal = journal_of(argc, argv);
	if (argc < 2 || strcmp(argv[1], "sweep") != 0 || !(h.silent > 0)) {
		(void)fprintf(stderr, "usage: mpirun flitloom-mpi [--silent SECONDS] sweep FABRICS PATTERN "
		                      "[OPTION...]\n");
		return 2;
	}
	if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
		return 4;
	(void)MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	(void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	(void)MPI_Comm_size(MPI_COMM_WORLD, &h.n_ranks);
	if (!mkdtemp(own_folder)) {
		(void)fprintf(stderr, "flitloom-mpi: no folder below /tmp: %s\n", strerror(errno));
		return 4;
	}
	h.folder = journal && rank == 0 ? journal : own_folder;
	struct worker w = {.argv = argv, .argc = argc, .folder = h.folder, .in = -1, .out = -1};
	h.own = &w;
	worker_begin(&w);
	if (rank > 0)
		h.any_lost = serve(&w);
	else if (!host(&h))
		(void)fprintf(stderr, "flitloom-mpi: out of memory\n");
	worker_end(&w);
	if (rank == 0) // a fault of the request is not one of the folder
		status = worker_finish(&w, journal || !w.is_ready ? NULL : own_folder);
	files_remove(own_folder);
	free(h.ranks);
	free(h.lost);
	if (h.any_lost)
		_exit(status);               // MPI_Finalize would wait for all ranks
	(void)alarm((unsigned)h.silent + 1); // one may have died at the very end
	(void)MPI_Finalize();
	return status;
}
