// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "ref_net.h"

#include "ref_otis_net.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool wraps(const struct ref_net *net)
{
	return net->kind == REF_RING || net->kind == REF_TORUS;
}

static void to_coordinates(unsigned *out, const struct ref_net *net, unsigned node)
{
	for (unsigned d = 0; d < net->n_extents; d++) {
		out[d] = node % net->extent[d];
		node /= net->extent[d];
	}
}

static unsigned to_node(const struct ref_net *net, const unsigned *coordinate)
{
	unsigned node = 0;
	unsigned weight = 1;

	for (unsigned d = 0; d < net->n_extents; d++) {
		node += coordinate[d] * weight;
		weight *= net->extent[d];
	}
	return node;
}

struct ref_net ref_net_cube(unsigned n_dims)
{
	struct ref_net net = {.kind = REF_CUBE, .n_extents = n_dims};

	for (unsigned d = 0; d < n_dims; d++)
		net.extent[d] = 2;
	return net;
}

// Reads a number of at most REF_NODES_MAX. Returns the text behind it; NULL: there are no digits, or the number is too
// large.
static const char *read_number(unsigned *out, const char *text)
{
	const char *at = text;

	for (*out = 0; *at >= '0' && *at <= '9'; at++) {
		*out = *out * 10 + (unsigned)(*at - '0');
		if (*out > REF_NODES_MAX)
			return NULL;
	}
	return at == text ? NULL : at;
}

static int parse_network(struct ref_net *out, const char *name)
{
	static const struct {
		const char *prefix;
		enum ref_kind kind;
	} kinds[] = {{"cube:", REF_CUBE},
	             {"line:", REF_LINE},
	             {"ring:", REF_RING},
	             {"mesh:", REF_MESH},
	             {"torus:", REF_TORUS}};
	struct ref_net net = {0};
	unsigned number[REF_EXTENTS_MAX] = {0};
	unsigned n_numbers = 0;
	size_t n_nodes = 1;
	const char *at = NULL;

	if (strncmp(name, "otis-mesh:", 10) == 0)
		return ref_otis_parse(out, name + 10);
	if (strncmp(name, "table-", 6) == 0) {
		net.has_tables = true;
		name += 6;
	}
	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		if (strncmp(name, kinds[k].prefix, strlen(kinds[k].prefix)) == 0) {
			net.kind = kinds[k].kind;
			at = name + strlen(kinds[k].prefix);
		}
	}
	while (at && n_numbers < REF_EXTENTS_MAX) {
		at = read_number(&number[n_numbers], at);
		n_numbers++;
		if (!at || *at != 'x')
			break;
		at++;
	}
	unsigned n_vcs = 1;
	if (at && at[0] == 'v' && at[1] >= '1' && at[1] <= '8' && at[2] == '\0') {
		n_vcs = (unsigned)(at[1] - '0');
		at += 2;
	}
	if (!at || *at != '\0' || (n_numbers > 1 && net.kind != REF_MESH && net.kind != REF_TORUS))
		return -EINVAL;
	if (net.kind == REF_CUBE) {
		if (number[0] > REF_EXTENTS_MAX)
			return -EINVAL;
		bool has_tables = net.has_tables;

		net = ref_net_cube(number[0]);
		net.has_tables = has_tables;
	} else {
		net.n_extents = n_numbers;
		for (unsigned d = 0; d < n_numbers; d++)
			net.extent[d] = number[n_numbers - 1 - d];
	}
	net.n_vcs = n_vcs;
	for (unsigned d = 0; d < net.n_extents; d++) {
		n_nodes *= net.extent[d];
		if (n_nodes > REF_NODES_MAX)
			return -EINVAL;
	}
	if (n_nodes < 2)
		return -EINVAL;
	*out = net;
	return 0;
}

// Removes the letter and a number from the end of a name, if it has them.
static void take_end(unsigned *number, char *name, char letter)
{
	char *at = strrchr(name, letter), *colon = strchr(name, ':');
	unsigned found;
	const char *end = at && colon && at > colon ? read_number(&found, at + 1) : NULL;

	if (!end || *end != '\0')
		return;
	*number = found;
	*at = '\0';
}

// Removes "d" and numbers with dots between them, the delays of links that differ, from the end of a name. *most: the
// largest.
static void take_delays(struct ref_net *net, unsigned *most, char *name)
{
	char *at = strrchr(name, 'd'), *colon = strchr(name, ':');
	const char *end = at;
	unsigned n = 0, delay[REF_EXTENTS_MAX + 1];

	if (!at || !colon || at < colon || !strchr(at, '.'))
		return;
	while (end && (*end == 'd' || *end == '.') && n <= REF_EXTENTS_MAX)
		end = read_number(&delay[n++], end + 1);
	if (!end || *end != '\0')
		return;
	net->n_delays = n;
	for (unsigned k = 0; k < n; k++) {
		net->class_delay[k] = delay[k];
		*most = delay[k] > *most ? delay[k] : *most;
	}
	*at = '\0';
}

int ref_net_parse(struct ref_net *out, const char *name)
{
	char network[160];
	struct ref_net net, differ = {0};
	unsigned n_slots = 2, link_delay = 0, router_delay = 0, flit_bits = 0; // no cycle depends on the latter

	if (strlen(name) >= sizeof network)
		return -EINVAL;
	strcpy(network, name);
	take_end(&flit_bits, network, 'f');
	take_end(&router_delay, network, 'r');
	take_delays(&differ, &link_delay, network);
	take_end(&link_delay, network, 'd');
	take_end(&n_slots, network, 'b');
	if (n_slots < 1 || parse_network(&net, network) != 0)
		return -EINVAL;
	net.n_slots = n_slots;
	net.link_delay = link_delay;
	net.n_delays = differ.n_delays;
	memcpy(net.class_delay, differ.class_delay, sizeof net.class_delay);
	net.router_delay = router_delay;
	*out = net;
	return 0;
}

unsigned ref_net_delay(const struct ref_net *net, unsigned node, unsigned link)
{
	unsigned here[REF_EXTENTS_MAX], there[REF_EXTENTS_MAX], other, back;
	unsigned d = net->kind == REF_CUBE ? link : link / 2;

	if (net->delays)
		return net->delays[node * ref_net_links(net) + link];
	if (net->n_delays == 0)
		return net->link_delay;
	if (net->n_delays > net->n_extents && ref_net_link(&other, &back, net, node, link)) {
		to_coordinates(here, net, node);
		to_coordinates(there, net, other);
		if (here[d] > there[d] + 1 || there[d] > here[d] + 1)
			return net->class_delay[net->n_extents];
	}
	return net->class_delay[d];
}

unsigned ref_net_slots(const struct ref_net *net)
{
	return net && net->n_slots ? net->n_slots : 2;
}

unsigned ref_net_nodes(const struct ref_net *net)
{
	unsigned n = 1;

	for (unsigned d = 0; d < net->n_extents; d++)
		n *= net->extent[d];
	return n;
}

unsigned ref_net_vcs(const struct ref_net *net)
{
	return net->n_vcs ? net->n_vcs : 1;
}

// Returns the sum of the digits of `destination` modulo n_vcs. The base is 2 for 2 channels, 4 for 3 and 4, 8 for 5 to
// 8.
static unsigned cube_vc(unsigned n_vcs, unsigned destination)
{
	unsigned base = n_vcs > 4 ? 8 : n_vcs > 2 ? 4 : 2, sum = 0;

	for (; destination > 0; destination /= base)
		sum += destination % base;
	return sum % n_vcs;
}

unsigned ref_net_vc(const struct ref_net *net, const struct ref_way *way, unsigned node, unsigned link)
{
	unsigned at[REF_EXTENTS_MAX];
	unsigned from[REF_EXTENTS_MAX];
	unsigned to[REF_EXTENTS_MAX];
	unsigned d = link / 2;
	unsigned last, pair;

	if (ref_net_vcs(net) == 1)
		return 0;
	if (net->kind == REF_GRAPH)
		return net->graph->vc[way->source * net->extent[0] + way->destination];
	if (net->has_tables)
		return (unsigned)way->order;
	if (net->kind == REF_OTIS) {
		struct ref_otis_way rest;

		ref_otis_way(&rest, net->extent[0], node, way->destination, way->order);
		return ref_otis_vc(&rest);
	}
	if (net->kind == REF_CUBE)
		return cube_vc(net->n_vcs, way->destination);
	last = net->extent[d] - 1;
	to_coordinates(at, net, node);
	to_coordinates(from, net, way->source);
	to_coordinates(to, net, way->destination);
	pair = to[d] % (net->n_vcs / 2) * 2;
	if (link % 2 == 0) { // up
		if (to[d] > from[d])
			return to[d] % net->n_vcs;
		return at[d] >= from[d] && at[d] < last ? pair : pair + 1;
	}
	if (to[d] < from[d])
		return to[d] % net->n_vcs;
	return at[d] <= from[d] && at[d] > 0 ? pair : pair + 1;
}

unsigned ref_net_links(const struct ref_net *net)
{
	if (net->kind == REF_GRAPH)
		return net->graph->n_links;
	if (net->kind == REF_OTIS)
		return REF_OTIS_LIGHT + 1;
	return net->kind == REF_CUBE ? net->n_extents : 2 * net->n_extents;
}

static bool end_of(unsigned *out_node, unsigned *out_link, const struct ref_end *end)
{
	if (end->node == REF_NOWHERE)
		return false;
	*out_node = end->node;
	*out_link = end->link;
	return true;
}

bool ref_net_input(unsigned *out_node, unsigned *out_link, const struct ref_net *net, unsigned node, unsigned link)
{
	if (net->kind == REF_GRAPH)
		return end_of(out_node, out_link, &net->graph->in[node * net->graph->n_links + link]);
	return ref_net_link(out_node, out_link, net, node, link);
}

bool ref_net_link(unsigned *out_node, unsigned *out_back, const struct ref_net *net, unsigned node, unsigned link)
{
	unsigned at[REF_EXTENTS_MAX];
	unsigned d = net->kind == REF_CUBE ? link : link / 2;
	bool up = link % 2 == 0; // without meaning on a cube
	unsigned back = up ? link + 1 : link - 1;
	unsigned last;

	if (net->kind == REF_GRAPH)
		return end_of(out_node, out_back, &net->graph->out[node * net->graph->n_links + link]);
	if (net->kind == REF_OTIS && link == REF_OTIS_LIGHT) {
		if (!ref_otis_light(out_node, net->extent[0], node))
			return false;
		*out_back = REF_OTIS_LIGHT;
		return true;
	}
	last = net->extent[d] - 1;
	to_coordinates(at, net, node);
	if (net->kind == REF_CUBE) {
		at[d] = 1 - at[d];
		back = link;
	} else if (last == 0) {
		return false;
	} else if (wraps(net) && last == 1) {
		if (!up)
			return false;
		at[d] = 1 - at[d];
		back = link;
	} else if (up && at[d] == last) {
		if (!wraps(net))
			return false;
		at[d] = 0;
	} else if (!up && at[d] == 0) {
		if (!wraps(net))
			return false;
		at[d] = last;
	} else if (up) {
		at[d]++;
	} else {
		at[d]--;
	}
	*out_node = to_node(net, at);
	*out_back = back;
	return true;
}

// True if the way from coordinate `from` to another coordinate `to` goes up.
static bool goes_up(const struct ref_net *net, unsigned extent, unsigned from, unsigned to, enum ref_order order)
{
	unsigned steps_up;

	if (!wraps(net))
		return to > from;
	if (order == REF_UP_ASCENDING || order == REF_UP_DESCENDING)
		return true;
	steps_up = to > from ? to - from : to + extent - from;
	return steps_up <= extent - steps_up;
}

unsigned ref_net_next(const struct ref_net *net, unsigned node, unsigned destination, enum ref_order order)
{
	unsigned from[REF_EXTENTS_MAX];
	unsigned to[REF_EXTENTS_MAX];
	if (net->has_tables)
		order = (enum ref_order)((unsigned)order % 4);
	bool lowest_first = order == REF_ASCENDING || order == REF_UP_ASCENDING;

	if (net->kind == REF_GRAPH && node != destination)
		return net->graph->next[node * net->extent[0] + destination];
	if (net->kind == REF_OTIS && node != destination) {
		struct ref_otis_way way;

		ref_otis_way(&way, net->extent[0], node, destination, order);
		return way.link[0];
	}
	to_coordinates(from, net, node);
	to_coordinates(to, net, destination);
	for (unsigned i = 0; i < net->n_extents; i++) {
		unsigned d = lowest_first ? i : net->n_extents - 1 - i;

		if (from[d] == to[d])
			continue;
		if (net->kind == REF_CUBE)
			return d;
		return goes_up(net, net->extent[d], from[d], to[d], order) ? 2 * d : 2 * d + 1;
	}
	return ref_net_links(net);
}

size_t ref_net_channels(const struct ref_net *net)
{
	return (size_t)ref_net_nodes(net) * (ref_net_links(net) + 2);
}

size_t ref_net_channel(const struct ref_net *net, unsigned node, unsigned link)
{
	return (size_t)node * (ref_net_links(net) + 2) + link;
}

size_t ref_net_ejection(const struct ref_net *net, unsigned node)
{
	return ref_net_channel(net, node, ref_net_links(net));
}

size_t ref_net_injection(const struct ref_net *net, unsigned node)
{
	return ref_net_channel(net, node, ref_net_links(net) + 1);
}

size_t ref_net_walk(size_t *out, const struct ref_net *net, const struct ref_way *way)
{
	unsigned node = way->source;
	unsigned back;
	size_t n = 0;

	if (way->source == way->destination)
		return 0;
	out[n++] = ref_net_injection(net, node);
	while (node != way->destination) {
		unsigned link = ref_net_next(net, node, way->destination, way->order);

		out[n++] = ref_net_channel(net, node, link);
		if (!ref_net_link(&node, &back, net, node, link))
			abort(); // a route does not leave the network
	}
	out[n++] = ref_net_ejection(net, node);
	return n;
}

bool ref_net_is_legal(const struct ref_net *net, const struct ref_way *way, size_t n_ways)
{
	size_t n_nodes = 1;

	if (net->n_extents > REF_EXTENTS_MAX)
		return false;
	for (unsigned d = 0; d < net->n_extents; d++) {
		if (net->extent[d] < 1 || net->extent[d] > REF_NODES_MAX ||
		    (net->kind == REF_CUBE && net->extent[d] != 2))
			return false;
		n_nodes *= net->extent[d];
		if (n_nodes > REF_NODES_MAX)
			return false;
	}
	for (size_t m = 0; m < n_ways; m++) {
		if (way[m].source >= n_nodes || way[m].destination >= n_nodes)
			return false;
	}
	return true;
}

int ref_net_load(unsigned *out_load, const struct ref_net *net, const struct ref_way *way, size_t n_ways)
{
	size_t *channel;

	if (!ref_net_is_legal(net, way, n_ways))
		return -EINVAL;
	channel = malloc((ref_net_nodes(net) + 2) * sizeof(*channel));
	if (!channel)
		return -ENOMEM;
	for (size_t c = 0; c < ref_net_channels(net); c++)
		out_load[c] = 0;
	for (size_t m = 0; m < n_ways; m++) {
		size_t length = ref_net_walk(channel, net, &way[m]);

		for (size_t k = 0; k < length; k++)
			out_load[channel[k]]++;
	}
	free(channel);
	return 0;
}
