// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLAN_JSON_H
#define LOOM_PLAN_JSON_H

// Declarations that plan_write.c, plan_read.c and plan_read_predicted.c share; no other file includes it.
//
// A plan as a file. One JSON object with these keys and no others; those with "only" or "missing" may be absent:
//
//   {
//     "flitloom": "plan",
//     "version": 2,
//     "fabric": "cube:2",                  as loom_topo_parse takes it
//     "graph": {                           only for a graph: its links
//       "nodes": ["a", "b"],               by number
//       "links": [[from, to, directions], ...]     1: from there to there, 2: and back
//     },
//     "failed": {                          only for a network with failures; "fabric" is then a name for people, and
//       "whole": "mesh:8x8",               this one for loom_topo_parse; "graph" is then that of the whole
//       "text": "5->6",                    as the request had it
//       "links": [channel, ...],           for each link the lower number of its channels
//       "nodes": [node, ...],
//       "lanes": 1                         for each remaining link
//     },
//     "turns": [[node, in, out], ...],     only for rule turns: the forbidden ones, from the input beside a link of the node to
//                                          another link
//     "pattern": "transpose",              for people; one line
//     "planner": "lcc",                    likewise
//     "map": [0, 2, 1, 3],                 physical node of each virtual processor
//     "order": [1, 0] or null,             the bit order behind the map: physical bit d is virtual bit order[d]
//     "passes": 1,
//     "free_running": false,               true: the passes follow each other without a barrier
//     "half_duplex": false,                true: no pass uses both directions of a link
//     "member_of_pass": [0],               for each pass, its communication of the set
//     "select": 2,                         how routers choose (enum loom_select); missing if it is 0
//     "messages": [                        in ascending order of pass
//       [pass, source, destination, flits, rule, from_slot, keep_slot, origin], ...
//     ],
//     "routes": [[channel, ...], ...],     for each message its chosen links; missing if routes were not chosen
//     "detours": 2,                        hops that these may have more than a shortest one; missing if it is 0
//     "labels": [label, ...],              for each message its label in the routers' tables; missing if the routes give it
//     "dark": 10,                          only for circuit switches: cycles without light while one turns
//     "timing": [                          only for programs that wait, in ascending order of place
//       [place, "at", cycle], [place, "delay", cycles], [place, "wait", k, source], ...
//     ],                                   place: in front of the message of that number; number of messages + v: behind the
//                                          last one of processor v
//     "predicted": {
//       "contention": 1,                   over all passes, without local channels
//       "cycles": [20] or [null],          per pass; null: not known, because the pass has contention
//       "lower_bound": 1,                  at most the contention; where routers choose, "contention" and "load" are the least
//       "lower_bound_flits": 90,           the same in flits; only if routes were chosen by flits
//       "passes_bound": 1,                 fewest passes in which these messages can be free of contention
//       "optimal": true,                   free of contention, in the fewest passes
//       "passes_proved": null or           what the planner proved beyond passes_bound
//           {"passes": 2, "by": "clique"},     or "search"
//       "objective": null or {"name": "maxmax", "value": 1},
//       "members": [1],                    contention of each member
//       "load": [[pass, channel, messages], ...],   all entries that are not 0, ascending
//       "theory": null or [[for every group], ...]  a row per pass; null in a row: no statement
//     }
//   }
//
// Numbers are integers. The reader recomputes all that can be recomputed, and it must come out the same.

#define LOOM_PLAN_VERSION 2
#define LOOM_THEORY_NONE UINT32_MAX // null in a row of theory

#endif
