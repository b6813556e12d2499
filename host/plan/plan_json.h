// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLAN_JSON_H
#define LOOM_PLAN_JSON_H

// Declarations that plan_write.c, plan_read.c and plan_read_predicted.c share; nobody else includes it.
//
// A plan as a file. One JSON object, every key present, no other:
//
//   {
//     "flitloom": "plan",
//     "version": 2,
//     "fabric": "cube:2",                  as loom_topo_parse takes it
//     "graph": {                           of a graph, its links; elsewhere the key is missing
//       "nodes": ["a", "b"],               by number
//       "links": [[from, to, directions], ...]     1: from there to there, 2: and back
//     },
//     "failed": {                          of a network of which something failed, which "fabric" says for people, and
//       "whole": "mesh:8x8",               this for loom_topo_parse; "graph" is then of the whole; elsewhere the key is missing
//       "text": "5->6",                    how it was asked for
//       "links": [channel, ...],           of each link its channels' lower number
//       "nodes": [node, ...],
//       "lanes": 1                         of each link that is left
//     },
//     "turns": [[node, in, out], ...],     of rule turns: those that nobody takes, from what comes in beside a link of the node to
//                                          another link; elsewhere the key is missing
//     "pattern": "transpose",              for people; one line
//     "planner": "lcc",                    likewise
//     "map": [0, 2, 1, 3],                 physical node of each virtual processor
//     "order": [1, 0] or null,             the bit order behind the map: physical bit d is virtual bit order[d]
//     "passes": 1,
//     "free_running": false,               whether the passes follow each other without a barrier
//     "half_duplex": false,                whether no pass uses both directions of a link
//     "member_of_pass": [0],               which communication of the set each pass belongs to
//     "select": 2,                         by which rule of preference routers choose (enum loom_select); 0: the key is missing
//     "messages": [                        in ascending order of pass
//       [pass, source, destination, flits, rule, from_slot, keep_slot, origin], ...
//     ],
//     "routes": [[channel, ...], ...],     of each message the links that were chosen for it; where none were, the key is missing
//     "detours": 2,                        hops that these may have more than a shortest one; 0: the key is missing
//     "labels": [label, ...],              of each message in the routers' tables; where the routes tell, the key is missing
//     "dark": 10,                          of circuit switches: cycles without light while one turns; elsewhere the key is missing
//     "timing": [                          of programs that wait, in ascending order of place; elsewhere the key is missing.
//       [place, "at", cycle], [place, "delay", cycles], [place, "wait", k, source], ...
//     ],                                   place: in front of the message of that number; number of messages + v: behind the
//                                          last one of processor v
//     "predicted": {
//       "contention": 1,                   over all passes, local channels left out
//       "cycles": [20] or [null],          per pass; null: not known, the pass has contention
//       "lower_bound": 1,                  at most the contention; where routers choose, "contention" and "load" are the least
//       "lower_bound_flits": 90,           the same in flits, where routes were chosen by these; elsewhere the key is missing
//       "passes_bound": 1,                 passes that these messages need at least to be free of contention
//       "optimal": true,                   free of contention, in as few passes as that takes
//       "passes_proved": null or           what the planner proved beyond passes_bound
//           {"passes": 2, "by": "clique"},     or "search"
//       "objective": null or {"name": "maxmax", "value": 1},
//       "members": [1],                    contention of each member
//       "load": [[pass, channel, messages], ...],   what is not 0, ascending
//       "theory": null or [[of every group], ...]   a row per pass; null in a row: no statement
//     }
//   }
//
// Numbers are integers. The reader recomputes all that can be recomputed, and it must come out the same.

#define LOOM_PLAN_VERSION 2
#define LOOM_THEORY_NONE UINT32_MAX // null in a row of theory

#endif
