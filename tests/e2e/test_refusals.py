#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Makes bad requests of all kinds, each of which gets one line and nothing else, and tries the advice in such lines. Also pipes
that are closed, files that never end, and pictures under other names. Nothing is simulated. tests/golden/refusals.txt has the
lines; after an intended change write it anew: test_refusals.py --write.
"""
import os
import re
import resource
import subprocess
import sys
import threading

from command import FLITLOOM, HOME, check, main, output, refused, run

GOLDEN = f"{HOME}/tests/golden/refusals.txt"

# Commands that are refused, a line each; {x} stands for a file that write_files makes.
BAD = """
plam cube:3 identity
help nothing
help run plan
--versoin
plan
plan cube:3
plan cube:3 transpose three
plan cube:4 transpose --mpa best
plan cube:4 transpose -z
plan cube:4 transpose --m=best
plan cube:4 transpose --map
plan cube:4 transpose --map=
plan cube:4 transpose --json=yes
plan cube:4 transpose --link sim
plan mesh:4x4 transpose --link-delay 0:2,2:5
plan mesh:4x4 transpose --link-delay 0:1,0:2
plan cube:3 transpose --link-delay 0:64
plan omega:8 transpose --link-delay 0:2
plan otis-mesh:4 transpose --link-delay 0:2
plan dragonfly:4,2 uniform:9 --link-delay 0:2
plan random:8,3,1 uniform:9 --link-delay 0:2
plan mesh:4x4d1.2 transpose --link-delay 1:3
plan mesh:4x4d1.2.3 transpose
plan omega:8d1.2 transpose
plan cube:4 transpose --flits 0
plan cube:4 transpose --flits 16777216
plan cube:4 transpose --flits 99999999999999999999
plan cube:4 transpose --flits -1
plan cube:4 transpose --flits 1e3
plan cube:4 transpose --seed -1
plan cube:4 transpose --seed 18446744073709551616
plan icube:16 fft --svg behind.svg --certificate behind.json
plan cube:4 transpose --rule p-cube --svg behind.svg --html behind.html --messages behind.csv --certificate behind.json
plan mesh:4x4 transpose --svg behind.svg --tables-out behind.csv
plan slim-fly:3v2 shift:3 --cost otis=4
plan dragonfly:2,1v2 random-perm --half-duplex --detours 2
plan table-cube:3 tornado --load flits --half-duplex
plan mesh:3x3 shift:1 --load flits --half-duplex --detours 2 --rule ascending
plan omega:8 all-to-all --detours 1
check omega:8 --link-delay 1
plan cube:4 transpose --objective best
plan cube:4 fft --objective maxsun
plan cube:4 all-to-all --objective maxmax
plan cube:4 fft --objective cyclse
plan cube:24 transpose --objective cycles
plan mesh:4x4 transpose --planner reroute --objective cycles
plan mesh:4x4 transpose --planner nobody --objective cycles
sweep cube:3 transpose --objective cycles
sweep mesh:4x4 uniform --load 0.1 --rule odd-even,odd-even
sweep mesh:4x4 uniform --load 0.1 --rule ascending,e-cube
sweep mesh:4x4 transpose --load 0.1 --compare identity,mesh:4x4
sweep mesh:4x4 transpose --load 0.1 --compare odd-even@identity,identity@odd-even
sweep random:8,3,1 uniform --load 0.1 --planner all-pairs --rule turns:best
plan cube:4 transpose --detours 3
plan mesh:4x4 transpose --fail 5--7
plan mesh:4x4 transpose --fail 5--6,6--5
plan mesh:4x4 transpose --fail 16
plan mesh:4x4 transpose --fail 5-
plan mesh:4x4 transpose --fail 5,
plan mesh:4x4 transpose --fail 5%
plan mesh:4x4 transpose --fail random:0%:1
plan mesh:4x4 transpose --fail random:nan%:1
plan mesh:4x4 transpose --fail random:100%:1
plan mesh:4x4 transpose --fail @{empty}
plan mesh:4x4 transpose --fail 4
plan mesh:4x4 transpose --fail 4--0,4--5,4--8
plan mesh:4x4 transpose --fail 0--1 --lanes 9
plan mesh:4x4 transpose --lanes 2
plan mesh:4x4 transpose --fail 0--1@5
plan mesh:4x4 nbody --fail 4 --place search
plan omega:8 identity --fail 0--1
plan otis-mesh:4 shuffle --fail 0--1
plan mesh:33x32 transpose --fail 0--1
run mesh:4x4 transpose --fail 0--1@5 --link model
run mesh:4x4d1 transpose --fail 0--1@5
sweep mesh:4x4 hotspot:5 --load 0.1 --fail 5
sweep mesh:4x4 uniform --load 0.1 --fail 0:10%
sweep mesh:4x4 uniform --load 0.1 --fail 10%:0:1%
sweep mesh:4x4 uniform --load 0.1 --fail 0:5%:5% --precision 5%
sweep mesh:4x4 uniform --load 0.1 --fail 0:5%:5% --seeds 2 --link sim
plan mesh:4x4 uniform:9 --planner reroute --detours 65
run otis-mesh:4 shift:1 --planner reroute
run torus:4x4 shift:1 --planner routes+passes
plan cube:4 transpose --load 0.1
plan cube:4 transpose --budget 0
plan cube:4 transpose --budget nan
plan cube:4 transpose --pass 1
plan cube:4 transpose --picture chart
plan cube:4 transpose --svg x.svg --picture chrt
plan cube:4 transpose --svg x.jpg
plan cube:4 transpose --html no/such/x.html
plan cube:4 transpose --html {folder}
plan cube:4 transpose --html x --svg x
plan cube:4 transpose --html x.pdf
sweep cube:3 complement --html x.csv
plan cube:4 transpose --html - --json
plan cube:4 transpose --html - --perfetto -
plan cube:4 transpose --compare --perfetto x.perfetto
run cube:4 transpose --compare --perfetto x.perfetto --link model
run ring:5 all-to-all --link model --perfetto x.perfetto
plan cube:30 transpose --html x.html
plan cube:30 transpose --perfetto x.perfetto
run cube:3 fft --stages --html x.html
run cube:3 fft --stages --perfetto x.perfetto
check cube:3 --perfetto x.perfetto
sweep cube:3 complement --perfetto x.perfetto
sweep mesh:3x3 uniform --load 0.1 --by channel
sweep cube:2 uniform --load 0.1 --take j --merge
list fabrics --html x.html
rtl cube:3 --html x.html
view
view no/such.json
view {folder}
view {empty}
view {empty} extra
view {empty} --json
view {empty} --html no/such/x.html
plan cube:4 transpose --svg x.eps
plan cube:4 transpose --svg no/such/x.pdf
plan cube:4 transpose --svg {folder}
plan cube:4 transpose --svg x.svg --before nobody
plan cube:4 transpose --before xy
plan cube:4 transpose --compare --map best
plan cube:4 transpose --compare -o p.json
plan cube:4 transpose --compare --messages m.csv
plan cube:4 transpose --map 0,1
plan cube:4 transpose --map 0,1,2,2
plan cube:4 transpose --map 0,1,2,9
plan cube:4 transpose --map a.b
plan cube:4 transpose --map {noise}
plan cube:4 transpose --map best --place greedy
plan cube:4 transpose --planner nobody
plan cube:4 all-to-all --planner lcc
plan cube:4 transpose --rule one-way
plan cube:4 transpose --rule sideways
plan cube:4 transpose --rule duato
plan cube:4 transpose --rule odd-even
plan torus:4x4 transpose --rule west-first
plan omega:8 shuffle --rule west-first
plan table-mesh:4x4 transpose --rule west-first
plan cube:4 transpose --select lru
plan cube:4 transpose --rule descending --select random
plan cube:4 transpose --rule p-cube --select sideways
plan cube:4d2 transpose --rule p-cube --select credits
plan cube:4 transpose --rule p-cube --half-duplex
plan cube:4 transpose --rule p-cube --objective cycles
plan cube:4 transpose --rule p-cube --planner best
plan cube:4 all-to-all --rule p-cube --planner greedy
plan mesh:4x4 transpose --rule west-first --planner xy
plan mesh:4x4 transpose --rule west-first --planner reroute --detours 2
plan cube:24 transpose --rule p-cube
run cube:4 fft --stages --select lru
plan cube:4 transpose --bytes 5
plan cube:4 transpose --calc-cycles 1/0
plan cube:4 allreduce:ring --calc-cycles 1/0
plan cube:4 allreduce:ring --flit-bytes 0
plan cube:4f64 allreduce:ring --flit-bytes 9
plan cube:4 allreduce:ring --flit-bits 12 --flit-bytes 2
plan cube:3 complement --flit-bits 9
plan cube:3 complement --flit-bits 513
plan cube:3 complement --flit-bits x
plan cube:3f9 complement
plan cube:3f0 complement
plan cube:3f600 complement
plan cube:3f64 complement --flit-bits 65
plan cube:25 transpose --flit-bits 64
check mesh:8x8 --flit-bits 15
sweep cube:3 uniform --load 0.1 --flit-bits 5
goal allreduce:ring 4 --flit-bits 64
run mesh:8x8v2f18 transpose --rule valiant --planner direct --link sim
plan cube:3 complement --loggops usual
plan cube:3 allreduce:ring --loggops Q=1
run cube:3 demand:allreduce:ring --loggops usual
run cube:2 fft --stages --loggops usual
plan cube:25 transpose --loggops usual
sweep cube:3 allreduce:ring --loggops usual
plan cube:4 allreduce:ring --flits 9
plan cube:4 allreduce:ding
plan cube:4 goal:{goal} --flits 9
plan cube:4 goal:{goal} --bytes 9
plan cube:4 messages:{own} --flits 9
plan cube:4 matrix:
plan cube:4 matrix:/dev/zero
plan cube:4 matrix:{noise}
plan cube:4 matrix:{own} --bytes 4
plan cube:4 demand:
plan cube:4 demand:0*transpose
plan cube:4 demand:transpose+2*demand:transpose
plan cube:4 demand:moe:8
plan cube:4 demand:skew:0,1,2
plan cube:4 demand:transpose --flit-bytes 4
plan cube:4 demand:1*allreduce:ring --calc-cycles 3
plan cube:4 gaussian:5/3 --flits 9
plan cube:4 perfect-broadcast:8/2 --flits 9
plan omega:8 bit-reverse --half-duplex
plan cube:0 transpose
plan cube:99 transpose
plan cube transpose
plan cub:4 transpose
plan xyzzy:4 transpose
plan mesh:4x4v9 transpose
plan omega:8v2 transpose
plan omega:12 transpose
plan mesh:0x4 transpose
plan mesh:4x transpose
plan ring:1 transpose
plan torus:4x4v9 transpose
plan cube:3v0 transpose
plan otis-mesh:8 transpose
plan graph:no/such/file transpose
plan hyperx:0 transpose
plan hyperx:33x33 transpose
plan dragonfly:4 transpose
plan dragonfly:0,1 transpose
plan fat-tree:1,3 transpose
plan fat-tree:2,20 transpose
plan slim-fly:6 transpose
plan random:5,3,1 transpose
plan random:8,3 transpose
plan random:1000000,4,1 transpose
plan twisted-torus:4x8t8 transpose
plan hyperx:4x4v9 transpose
sweep hyperx complement --nodes 4:16
plan fat-tree:2,2 uniform:9 --map search
plan fat-tree:2,2 uniform:9 --map 0,1,2,4
plan fat-tree:2,2 perm:4,0,1,2
plan graph:{empty} transpose
plan graph:{noise} transpose
plan graph:{folder} transpose
plan graph:/dev/zero transpose
plan cube:4 trasnpose
plan cube:3 transpose
plan cube:4 xyzzy
plan cube:4 uniform
plan cube:4 uniform:0
plan cube:4 shift:16
plan cube:4 hotspot:16
plan cube:4 gather:0/3
plan cube:4 transpose:3
plan cube:4 perm:0,1,2
plan cube:2 perm:0,1,2,2
plan cube:2 bpc:[0,0]
plan cube:4 lcc:no/such/file
plan cube:4 lcc:{empty}
plan cube:4 lcc:{noise}
plan cube:4 lcc:{folder}
plan cube:4 set:{noise}
plan cube:4 set:transpose+
plan cube:4 set:transpose+all-to-all
plan cube:4 messages:{empty}
plan cube:4 messages:{noise}
plan cube:4 messages:{folder}
plan cube:4 messages:{far}
plan cube:4 messages:/dev/zero
plan cube:4 perm:/dev/zero
plan cube:4 goal:/dev/zero
plan cube:4 goal:{noise}
plan no-such-plan.json
plan {empty}
plan {noise}
plan {folder}
plan {cut}
plan /dev/zero
plan {plan} --flits 3
plan {plan} --compare
plan cube:4 transpose -o no/such/p.json
plan cube:4 transpose -o {folder}
plan cube:4 transpose --json -o -
plan cube:4 transpose --tables-out t.csv
plan mesh:4x4 transpose --tables {own}
plan table-mesh:4x4 transpose --tables {noise}
plan table-mesh:4x4 transpose --tables /dev/zero
plan cube:30 transpose --svg x.svg
plan cube:99999999999 transpose
run cube:3
run cube:4 transpose --output p.json
run cube:3 complement --machine slow
run cube:3 complement --max-cycles 0
run cube:3 complement --timeout 0
run cube:3 complement --link nowhere
run cube:3 complement --link uart
run cube:3 complement --preset
run cube:3 complement --trace w.vcd
run cube:3 complement --trace -
run cube:3 complement --trace-from 5
run cube:3 complement --trace-json no/such/t.json
run cube:3 complement --messages m.csv --channels m.csv
run cube:4 transpose --compare --messages m.csv
run cube:3 complement --points 8
run cube:3 complement --stages
run cube:3 fft --stages --points 9
run cube:3 fft --stages --flits 9
run cube:3 fft --stages --svg x.svg
run cube:3 fft --stages --costs software=much
run cube:30 transpose
run cube:1 uniform:2000 --link sim-uart:cube:1
run omega:8 all-to-all --schedule sometimes
run omega:8 bit-reverse --schedule generated
check
check cube:3 two
check cube:3 --rule nobody
check mesh:3x3 --rule one-way
check omega:8 --rule mixed --tables {own}
check mesh:4x4 --rule duat
check mesh:4x4 --rule nothing
check mesh:4x4 --rule turns
check mesh:4x4 --rule turns:
check mesh:4x4 --rule turns:no/such/file
check mesh:4x4 --rule turns:{noise}
check mesh:4x4 --rule o1turn
check mesh:4x4 --rule romm
check mesh:4x4 --rule valiant
check mesh:4x4v3 --rule romm
check cube:4v2 --rule o1turn
check torus:4x4v2 --rule valiant
check omega:8 --rule romm
plan mesh:4x4 transpose --rule valiant
plan mesh:4x4v2 transpose --rule valiant --planner greedy
plan mesh:4x4v2 transpose --rule valiant --planner best
plan mesh:4x4v2 transpose --rule valiant --select random
plan mesh:4x4v2 transpose --rule romm --objective cycles
plan mesh:4x4v2 transpose --rule romm --half-duplex
plan ring:8v2 random-perm --rule romm
sweep mesh:4x4v2 uniform --load 0.1 --rule romm --planner xy
sweep mesh:4x4v2 uniform --load 0.1 --rule romm --select lru
sweep mesh:4x4 uniform --load 0.1 --rule romm
run mesh:32x32v2 transpose --rule valiant --link sim
check omega:8 --rule turns:best
check omega:8 --rule duato
check otis-mesh:4 --rule west-first
check torus:4x4 --rule p-cube
sweep torus:4x4 uniform --load 0.1 --rule odd-even,p-cube
sweep torus:4x4 uniform --load 0.1 --compare torus:4x4v2@p-cube
sweep torus:4x4 uniform --load 0.1 --rule p-cube,negative-first
plan dragonfly:4,2 shift:1 --rule e-cube
sweep cube:3 uniform --load 0.1 --rule p-cube --requests 2,reply=3,rule=e-cube
check ring:8 --rule west-first
check torus:8x8v2 --rule duato
check cube:3 --rule duato
check cube:3 --rule odd-even
check cube:11 --rule p-cube
check cube:9v8 --rule p-cube
check mesh:4x4 --rule west-first --fail 0--1
check mesh:4x4 --rule west-first --all-pairs
check mesh:4x4 --rule west-first --tables {own}
run mesh:4x4 transpose --rule turns
run mesh:4x4 transpose --rule turns:
run mesh:4x4 transpose --rule turns:no/such/file
run mesh:4x4 transpose --rule turns:{noise}
run mesh:4x4 transpose --rule turns:best --planner greedy
run mesh:4x4 transpose --rule turns:best --half-duplex
run omega:8 bit-reverse --rule turns:best
run otis-mesh:4 transpose --rule turns:best
run ocs:8 transpose --rule turns:best
plan cube:11 transpose --rule turns:best
run mesh:3x3x3x5 uniform:9 --rule turns:best --link sim
sweep mesh:4x4 uniform --load 0.1 --rule turns
sweep mesh:4x4 uniform --load 0.1 --rule ascending,turns:
sweep mesh:4x4,omega:16 uniform --load 0.1 --rule turns:best
check table-mesh:4x4 --tables no/such/file
check omega:8 --all-pairs
check cube:3 --lanes 2
check cube:3 --all-pairs --lanes 17
check cube:3 --by-destination
check cube:3 --all-pairs --by-destination --budget 1
run cube:3 complement --planner by-destination
check cube:3 --all-pairs --rule mixed
check cube:11 --all-pairs
run cube:3 complement --planner all-pairs
check table-mesh:4x4 --tables {noise}
check cube:3 --tables {own}
sweep cube:3
sweep cube all-to-all
sweep cube:3,cube:3 all-to-all
sweep cube,,omega all-to-all --nodes 2:4
sweep cube:3 all-to-all --nodes 2:4
sweep cube all-to-all --nodes 4:2
sweep cube all-to-all --nodes 1:x
sweep cube:3 complement --flits 9:5
sweep cube:3 complement --flits 5:9:0
sweep cube:3 complement --flits 5:20000:1
sweep cube:3 complement --seeds 0
sweep cube:3 complement --machine fast,slow
sweep cube:3 complement --planner exchange,nobody
sweep cube:3 complement --csv no/such/r.csv
sweep cube:3 complement --svg x.gif
sweep cube:3 complement --map best
sweep cube:3 complement --warmup 5
sweep cube:3 complement --compare best
sweep cube:3 messages:{own} --flits 4
sweep cube:3 messages:{own} --flits 5:9
sweep cube:3 allreduce:ring --bytes 64 --flits 5:9
sweep cube:3 transpose --plan-only
sweep cube:3 complement --load 0
sweep cube:3 complement --load 1.5
sweep cube:3 complement --load 0.1:0.9
sweep cube:3 complement --load 0.9:0.1:0.1
sweep cube:3 complement --load 0.1:0.9:0
sweep cube:3 complement --load 0.3,0.2
sweep cube:3 complement --load 0.3,,0.4
sweep cube:3 complement --load 0.3,max
sweep cube:3 complement --load much
sweep cube:3 complement --load 0.1 --seeds 0
sweep cube:3 complement --load 0.1 --precision 2
sweep cube:3 complement --load 0.1 --precision 0%
sweep cube:3 complement --load 0.1 --precision 200%
sweep cube:3 complement --load 0.1 --precision 2% --seeds 4
sweep cube:3 complement --load max --precision 2%
sweep cube:3 complement --precision 2%
sweep cube:3 complement --requests 4
sweep cube:3 complement --load 0.1 --requests any
sweep cube:3 complement --load 0.1 --requests 4,reply=5,service=3
sweep cube:3 complement --load 0.1 --requests 4,reply=5,rule=up
sweep cube:3 complement --load 0.1 --requests 4,queue=5
sweep cube:3 complement --load 0.1 --requests 4,reply=5,queue=3
sweep mesh:3x3 uniform --load 0.1 --requests 4,reply=5,rule=descending
sweep cube:3 complement --batch 0
sweep cube:3 complement --batch 4 --load 0.1
sweep cube:3 complement --batch 4 --svg x.svg
sweep cube:3 complement --batch 4 --requests any,reply=5
sweep cube:3 complement --load 0.1 --plan-only
sweep cube:3 complement --load 0.1 --schedule best
sweep cube:3 complement --load 0.1 --arrivals regular
sweep cube:3 complement --load 0.1 --measure 0
sweep cube:3 complement --load 0.1 --jobs 0
sweep cube:3 complement --load 0.1 --flits 4:9
sweep cube:3 messages:{own} --load 0.1 --flits 4
sweep cube:3 messages:{own} --load 0.1
sweep cube:3 allreduce:ring --load 0.1
sweep cube:3 all-to-all --load 0.1
sweep cube:3 uniform_random --load 0.1
sweep cube:3 uniform:9 --load 0.1
sweep cube:3 hotspot:8 --load 0.1
sweep cube:3 hotspot:1:2 --load 0.1
sweep cube uniform --load 0.1
check mesh4x4
check mehs-4x4v2
check cube99
check {chords}
check mesh:3x2b0
sweep mesh:4x4 uniform --load 0.1 --journal {own}
sweep mesh:4x4 transpose --load 0.1 --flits 4,8
sweep torus:4x4 uniform --load 0.1 --rule ascending,duato,valiant
sweep mesh:4x4b8 uniform --load 0.1 --rule odd-even,romm --planner xy
sweep mesh:4x4b8 uniform --load 0.1 --rule odd-even,romm --compare xy
sweep mesh:4x4,cube:4 uniform --load 0.1 --rule ascending,o1turn
check {pipe}
run mesh4x4 transpose
rtl mesh4x4 -o x.sv
probe sim --fabric cube3
sweep torus4x4 complement
sweep cube:3,mesh4x4 uniform --load 0.1
sweep ring:8 uniform --load 0.1
sweep torus:4x4 uniform --load 0.1
sweep table-torus:4x4 uniform --load 0.1
sweep table-torus:4x4v2 shift:2,0 --load 0.1 --requests 2,reply=3
sweep table-torus:4x4 uniform --load 0.1 --planner xy
plan table-torus:4x4 shift:2,1 --planner direct
sweep benes:8 uniform --load 0.1
sweep ocs:8 uniform --load 0.1
sweep ocs:8 uniform --batch 3
plan ocs:1 all-to-all
plan ocs:8x1 all-to-all
plan ocs-benes:6 all-to-all
plan ocs-benes:8x1 all-to-all
plan ocs-benes:12x2 all-to-all
plan ocs-benes:8192 all-to-all
plan benes:8 all-to-all --planner light
plan omega:8 shift:1 --planner rotor
plan benes:8 all-to-all --dark 5
sweep benes:8,omega:8 all-to-all --dark 0:10:5
sweep ocs-benes:8 uniform --load 0.1
rtl ocs-benes:8
rtl ocs-benes:8 --form router
plan ocs:8x all-to-all
plan ocs:8b4 all-to-all
plan ocs:8d3 all-to-all
plan ocs:8 shift:1 --planner direct
plan ocs:8 shift:1 --map 1,0,2,3,4,5,6,7
plan ocs:8 shift:1 --place search
plan ocs:8 shift:1 --objective cycles
plan ocs:8 shift:1 --dark 16777216
plan ocs:8 shift:1 --dark 0:10:5
sweep ocs:8 shift:1 --dark 0:10
sweep ocs:8 shift:1 --dark 10:0:5
sweep ocs:8 shift:1 --dark 0:10:0
sweep ocs:8 shift:1 --dark 0:1000:1
sweep ocs:8 shift:1 --dark 0:10:5:1
sweep ocs:8 shift:1 --dark 0:16777216:16777216
sweep ocs:8 shift:1 --dark -1
sweep ocs:8 shift:1 --dark :10:1
sweep mesh:2x4,cube:3 shift:1 --dark 0:10:5
sweep ocs:8,cube:3 uniform --load 0.1 --dark 0:10:5
plan ocs:8 shift:1 --rule descending
plan ocs:8 shift:1 --rule ascending --planner rotor
run ocs:8 all-to-all --rule one-way --link model
plan ocs:8 shift:1 --load flits
plan ocs:8 shift:1 --detours 2
plan ocs:8 shift:1 --machine paper
plan mesh:2x4 shift:1 --dark 3
plan mesh:2x4 shift:1 --relay
plan mesh:2x4 shift:1 --planner light
run ocs:8 allreduce:ring --link model
run ocs:8 fft --stages --link model
plan ocs:8 fft
plan ocs:8 set:shift:1+shift:2 --planner best
run ocs:8 shift:1 --fail 3 --link model
check ocs:8 --all-pairs
plan ocs:8 messages:{late} -o x.txt
plan ocs:8 messages:{late} -o x.csv
plan ocs:8 messages:{late} --certificate x.json
rtl ocs:8
rtl ocs:8 --form router
rtl ocs:8 --small --form chip
serve ocs:8
sweep cube:3 uniform --load 0.1 --map direct
sweep cube:3 complement --rule descending
sweep cube:3 complement --load 0.1 --rule one-way
sweep cube:3 complement --load 0.1 --rule p-cube,sideways
sweep graph:{chords}:v3 uniform --load 0.1 --rule ascending,one-way
sweep graph:{chords} uniform --load 0.1 --rule ascending,one-way
sweep mesh:3x3 transpos --load 0.1 --rule ascending,descending
sweep ring:5 shift:2 --load 0.1 --rule ascending,descending
sweep cube:3 hotspot:1 --load 0.1 --requests 2,reply=3 --planner xy
sweep cube:3 uniform --load 0.1 --requests 2,reply=3 --planner xy
plan line:3 transpose
sweep cube:3 complement --load 0.1 --rule p-cube,duato
sweep cube:3 complement --load 0.1 --rule p-cube,ascending --planner direct
sweep cube:3 complement --load 0.1 --rule p-cube --planner direct
sweep cube:3 complement --load 0.1 --select lru
sweep cube:3 complement --select lru
sweep cube:3 uniform --load 0.1 --rule p-cube --requests 2,reply=3,rule=descending
sweep cube:3 uniform --load 0.1 --rule p-cube --requests 2,reply=3,queue=9
sweep cube:3 complement --load 0.1 --compare p-cube@nobody
sweep cube:3 complement --load 0.1 --by colour
sweep cube:3 complement --load 0.1 --by latency
sweep cube:3 complement --load 0.1 --by source --window 7
sweep cube:3 complement --load 0.1 --by-csv x.csv
sweep cube:3 complement --load 0.1:0.3:0.1 --by channel --by-svg x.svg
sweep cube:3 complement --load 0.1 --by length --by-csv x.svg --by-svg x.svg
sweep cube:3 complement --by source
sweep cube:3 complement --load 0.1 --show splat
sweep cube:3 complement --load 0.1 --show split,
sweep cube:3 complement --show split
sweep cube:3 complement --load 0.1 --planner exact
sweep cube:3 complement --load 0.1 --planner best
sweep cube:3 complement --load 0.1 --planner nobody
sweep cube:3 complement --load 0.1 --planner xy,
sweep cube:3 complement --load 0.1 --planner block
sweep cube:3 complement --load 0.1 --planner tables
sweep cube:3 complement --load 0.1 --planner xy --rule descending
sweep cube:3 complement --load 0.1 --detours 2
sweep cube:3 complement --load 0.1 --budget 2
sweep cube:3 complement --detours 2
sweep table-mesh:4x4 uniform --load 0.1 --planner block
sweep torus:4x4 uniform --load 0.1 --planner direct
sweep omega:8 uniform --load 0.1 --planner yx
sweep cube:11 uniform --load 0.1 --planner xy
sweep cube:3 matrix: --load 0.1
sweep cube:3 complement --flits 1:0.6,5:0.4
sweep cube:3 complement --load 0.1 --flits 1:0.6,5:0.5
sweep cube:3 complement --load 0.1 --flits 1:0.6,1:0.4
sweep cube:3 complement --load 0.1 --flits 1,5
sweep cube:3 complement --load 0.1 --flits 8-2
sweep cube:3 complement --load 0.1 --flits 2-99
sweep cube:3 complement --flits 2-8
run cube:3 complement --flits 1:0.6,5:0.4
sweep cube:3 complement --load 0.1 --arrivals burst
sweep cube:3 complement --load 0.1 --arrivals burst:0:5
sweep cube:3 complement --load 0.9 --arrivals burst:20:80 --flits 1
sweep cube:3 complement --load 0.000001 --flits 100000 --arrivals burst:1:1
sweep cube:3 traffic:no/such/file --load 0.1
sweep cube:3 traffic: --load 0.1
sweep cube:3 matrix:/dev/zero --load 0.1
sweep cube:3 traffic:/dev/zero --load 0.1
sweep cube:3 traffic:{noise} --load 0.1
sweep cube:3 matrix:{noise} --load 0.1
sweep cube:3 0.7*uniform+0.3*traffic:no/such/file --load 0.1
sweep cube:3 0.7*uniform+0.3*nothing --load 0.1
sweep cube:3 0*uniform --load 0.1
sweep cube:3 0.7*uniform
run cube:3 traffic:{noise}
run cube:3 0.7*uniform+0.3*complement
sweep cube:3 uniform --load 0.1 --link uart:/dev/null
list nothing
list fabrics patterns
list fabrics --json
goal allreduce:ring
goal allreduce:ring 1
goal allreduce:ring x
goal nothing 4
goal allreduce:ring 4 --bytes x
goal allreduce:ring 4 -o no/such/g.goal
rtl
rtl nothing:4
rtl cube
rtl cube:11
rtl cube:2 cube:3
rtl omega:8 --form router
rtl omega:8 --small
rtl cube:2 --form nothing
rtl cube:2 --flit-bits 4
rtl cube:2 --flit-bits x
rtl cube:2 --form chip --flit-bits 999
rtl cube:2 --form parameters --files x
rtl cube:2 --files -
rtl cube:2 -o no/such/net.sv
rtl cube:2 -o {folder}
rtl graph:{noise}
rtl cube:2 --json
probe
probe nowhere
probe sim
probe sim --fabric cube:0
probe uart:/no/such/tty
probe sim --fabric cube:3 --timeout x
peek sim
peek sim NOTHING --fabric cube:3
peek sim 0x100000000 --fabric cube:3
peek sim 0 0 --fabric cube:3
peek sim 0xffffffff 2 --fabric cube:3
peek sim 0 99999 --fabric cube:3
poke sim SEED --fabric cube:3
poke sim SEED x --fabric cube:3
poke sim SEED 4294967296 --fabric cube:3
serve
serve cube:0
serve sim
program
program nothing
program hx8k no-such-file
program hx8k {folder}
program hx8k {empty}
plan cube:3 stencil2d:4
plan cube:3 allreduce:rin
plan mesh:3x4 fft
plan cube:3 bit-reverse:9
plan mesh:3x5 bit-reverse
plan cube:4 set:set:transpose+shuffle
plan cube:3 set:uniform:9+shuffle
plan mesh:3x3 stencil:wrong
plan mesh:3x3 stencil:3x3,3x3
plan mesh:3x3 stencil:1x1
plan otis-mesh:4 random-perm --cost electronic=0,otis=0
plan otis-mesh:4 bpc:[0,0,1,2]
plan mesh:2x2 nbody --place {own}
plan mesh:4x4 uniform:9 --rule odd-even --perfetto x.pftrace
plan mesh:4x4 uniform:9 --rule odd-even --svg x.svg --picture paths
run mesh:4x4 uniform:9 --rule odd-even --link model --perfetto x.pftrace
plan mesh:4x4 uniform:9 --rule odd-even --certificate c.json
plan mesh:4x4 transpose --picture moves --svg x.svg
plan mesh:4x4 transpose --picture moves --svg x.png --json
plan mesh:4x4 transpose --picture moves --svg x.svg --compare
run mesh:4x4 transpose --picture moves --svg x.svg --link model
run mesh:4x4 transpose --picture moves --svg x.svg
run mesh:4x4 uniform:9 --rule odd-even --svg x.svg --picture chart --link model
plan mesh:4x4 uniform:40 --svg x.svg --picture chart
plan mesh:65x65 transpose --svg x.svg --picture paths
plan omega:8 shift:1 --certificate c.json
plan mesh:4x4 transpose --output x.csv --json
plan mesh:4x4 transpose --tables-out t.csv
check ring:8 --certificate c.json
check ring:8 --rule turns:{empty} --certificate c.json
plan mesh:4x4 transpose --rule turns
plan ocs:8 uniform:9 --dark 99999999999
run cube:3 fft --stages --costs point=0.5
run cube:3 fft --stages --costs cycle=1e-9
run cube:3 fft --stages --costs cycle=0.0000001
run cube:3 complement --fail 0->1@0
run cube:3 complement --fail 0->1@100,1->3@200
run cube:3 complement --fail 0->3@100
run cube:3 complement --link model --trace w.fst
run cube:3 complement --link model --timeout 100
run cube:3 complement --link sim:cube:3
run cube:3 complement --link ftdi:x --trace w.fst
run cube:3 complement --link uart:/dev/x --trace w.fst
run cube:3 complement --link fault
run cube:2 complement --link sim-uart:cube:2,clock=39999,baud=10000
run cube:2 complement --link sim-uart:cube:2,clock=999
sweep cube:3 uniform --load 0.1 --fail 1,1
sweep cube:3 uniform --load 0.1 --requests x
sweep cube:3 uniform --load 0.1 --requests 3,speed=1
sweep cube:3 uniform --load 0.1 --arrivals sometimes
sweep cube:3 uniform --load 0.1 --shard 0/3
sweep cube:3 uniform --load 0.1 --shard x --journal j
sweep cube:3 uniform --load 0.1 --flits a:b
sweep cube:3 uniform --load 0.1 --flits 1:2:3:4
sweep cube:3 uniform --load 0.1 --check-on simm
sweep cube:3 uniform --load 0.1 --map 0,1
list options nobody
list nobody
goal goal:{own}
serve cube:2 {own}
view {own}
view {plan}
view {plan} {plan} {plan}
""".strip().splitlines()


def write_files():
    os.mkdir("folder")
    os.mkfifo("pipe")
    for name, data in (
        ("empty", b""),
        ("noise", b"1,2\x003\xff\n\x00"),
        ("own", b"0,1,5\n2,3,9\n"),
        ("far", b"0,16,5\n"),
        ("late", b"source,destination,release\n0,1,5\n"),
        ("cut", b'{"flitloom":"plan","version":2,'),
        ("chords", b"0 1\n1 2\n2 0\n"),
        ("goal", b"num_ranks 2\nrank 0 {\nsend 4b to 1\n}\nrank 1 {\nrecv 4b from 0\n}\n"),
		("chords", b"0 1\n1 2\n2 0\n"),
    ):
        with open(name, "wb") as file:
            file.write(data)
    output("plan cube:3 complement -o plan")
    return {name: "./" + name for name in ("folder", "empty", "noise", "own", "far", "late", "cut", "goal", "chords", "pipe", "plan")}


def compare(said):
    """Compares the lines with earlier ones; --write replaces them. Leaves out lines that other programs of this machine write."""
    said = {line: text for line, text in said.items() if not line.startswith("program ") and "plugged in" not in text}
    if "--write" in sys.argv:
        with open(GOLDEN, encoding="utf-8") as file:
            head = [text for text in file if text.startswith("#")]
        with open(GOLDEN, "w", encoding="utf-8") as file:
            file.write("".join(head) + "".join(f"{line}\n\t{text}\n" for line, text in said.items()))
    with open(GOLDEN, encoding="utf-8") as file:
        rows = [text.rstrip("\n") for text in file if not text.startswith("#")]
    was = dict(zip(rows[::2], (text[1:] for text in rows[1::2])))
    check(list(was) == list(said), f"other requests than in tests/golden/refusals.txt: {set(was) ^ set(said)}")
    for line, text in said.items():
        check(was.get(line) == text, f"{line}: {text}\nbefore: {was.get(line)}")


def test_bad():
    files = write_files()
    before = set(os.listdir("."))
    check(len(BAD) >= 130 and len(set(BAD)) == len(BAD), f"{len(BAD)} bad requests")
    commands = set(re.findall(r"^  ([a-z]+) ", output("help"), re.M))
    check(commands <= {line.split()[0] for line in BAD}, "a command without a bad request")
    said = {line: refused(line.format_map(files), status=(2, 3)).strip().replace(os.getcwd(), "HERE").replace(HOME, "HOME") for line in BAD}
    compare(said)
    for words in ([], [""], ["plan", ""], ["plan", "", ""], ["plan", "cube:3", ""], ["plan", "cube:3", "perm:\n"], ["plan", "a\nb", "x"], ["plan", "cube:3", "x" * 5000], ["plan", "x" * 5000, "shuffle"],
                  ["plan", "cube:3", "messages:" + "x" * 5000], ["run", "cube:3", "complement", "--svg", "x" * 5000], [b"plan", b"cube:3", b"\xff\xfe"]):
        refused(words, status=(2, 3))
    check(set(os.listdir(".")) == before, f"left behind: {set(os.listdir('.')) - before}")


# Advice: a command that is refused, a pattern that finds the advice in its error, and the command with that advice, which must be
# accepted.
ADVICE = [
    ("sweep cube:3 uniform_random --load 0.1 --link nowhere", r'calls it "(\S+)"', "sweep cube:3 {} --load 0.1 --link nowhere"),
    ("sweep cube:3 random --load 0.1 --link nowhere", r'calls it "(\S+)"', "sweep cube:3 {} --load 0.1 --link nowhere"),
    ("plan cube:3 bitrev", r'calls it "(\S+)"', "plan cube:3 {}"),
    ("plan cube:3 randperm", r'calls it "(\S+)"', "plan cube:3 {}"),
    ("plan omega:8v2 identity", r"give (\S+),", "plan {} identity"),
    ("sweep torus:4x4 uniform --load 0.1 --rule ascending,duato,valiant", r"go on (\S+)$", "sweep {} uniform --load 0.1 --rule ascending,duato,valiant"),
    ("check torus4x4v2", r'did you mean "(\S+)"', "check {} --quiet"),
    ("plan cub:4 transpose", r'did you mean "(\w+)"', "plan {}:4 transpose"),
    ("plan cube:4 trasnpose", r'did you mean "(\S+)"', "plan cube:4 {}"),
    ("plan cube:3b4v2 bit-reverse", r'did you mean "(\S+)"', "plan {} bit-reverse"),
    ("plan cube:4 transpose --mpa best", r"did you mean (--\w+)\?", "plan cube:4 transpose {} best"),
    ("plan cube:4 transpose --planner dierct", r'did you mean "(\w+)"', "plan cube:4 transpose --planner {}"),
    ("plan cube:4", r"such as: flitloom (.*)$", "{}"),
    ("plam cube:4 transpose", r'did you mean "(\w+)"', "{} cube:4 transpose"),
    ("plan cube:4 transpose --xyzzy", r"see: flitloom (.*)$", "{}"),
    ("helo", r'did you mean "(\w+)"', "{}"),
    ("sweep cube all-to-all --plan-only", r"such as (--nodes \S+),", "sweep cube all-to-all --plan-only {}"),
    ("sweep cube all-to-all --plan-only", r"or (\S+)$", "sweep {} all-to-all --plan-only"),
    ("list fabrisc", r'did you mean "(\w+)"', "list {}"),
    ("plan cube:4 uniform", r"argument: (\w+):COUNT", "plan cube:4 {}:9"),
    ("plan ring:4 shift:2 --rule one-way --planner direct", r"use fabric (\S+)$", "plan {} shift:2 --rule one-way --planner direct"),
]


def test_advice():
    for words, pattern, taken in ADVICE:
        line = refused(words, status=(2, 3)).strip()
        found = re.search(pattern, line)
        if not check(found, f"{words}: no advice in: {line}"):
            continue
        again = taken.format(found[1])
        done = run(again)
        # A link that does not exist ends requests that would be simulated, after all checks that the advice is about.
        good = done.returncode == 0 or "nowhere" in again and 'unknown link "nowhere"' in done.stderr
        check(good, f"{words}: {line}: but {again}: status {done.returncode}: {done.stderr}")
    line = refused("sweep table-torus:4x4 uniform --load 0.1 --planner xy")
    check(line.endswith("; use planner all-pairs\n"), f"a planner at a load: {line}")
    # Advice at a load. Nothing is simulated, because the command looks for the link last.
    for fabric in ("ring:8", "torus:4x4", "ring:5", "otis-mesh:4", "table-torus:4x5d2"):
        for pattern in ("uniform", "tornado") if not fabric.startswith("otis") else ("uniform",):
            text = run(f"sweep {fabric} {pattern} --load 0.1").stderr if fabric != "torus:4x4" or pattern == "uniform" else ""
            found = re.search(r"for ever: .*; on fabric (\S+) they cannot(, nor by the ways of planner all-pairs)?$", text.strip())
            if text and check(found, f"{fabric} {pattern} --load: {text}"):
                done = run(f"sweep {found[1]} {pattern} --load 0.1 --link uart:/no/such")
                check("for ever" not in done.stderr and "cannot feed messages" in done.stderr, f"{found[1]} {pattern}: {done.stderr}")
                check(bool(found[2]) == fabric.startswith("table"), f"{fabric}: {text}")
                if found[2]:
                    done = run(f"sweep {fabric} {pattern} --load 0.1 --planner all-pairs --link uart:/no/such")
                    check("cannot feed messages" in done.stderr, f"{fabric} by all-pairs: {done.stderr}")
    line = refused("run benes:4 uniform:5000 --planner direct")
    check("chip" in line and "board" not in line, f"where there is no board: {line}")


def test_closed_pipe():
    """Checks commands whose reader has gone: no word on standard error, and the status of a program that the signal ends, never 0."""
    for words in ("list", "list fabrics", "list patterns --names", "help", "help run", "--help", "--version", "plan cube:3 complement", "plan cube:3 complement --json",
                  "plan cube:4 transpose --compare", "plan cube:4 transpose --compare --json", "plan cube:3 complement -o -", "plan cube:3 complement --svg -", "check cube:3", "check cube:3 --json",
                  "sweep cube complement --nodes 2:64 --plan-only", "sweep cube complement --nodes 2:8 --plan-only --json", "sweep cube complement --nodes 2:8 --plan-only --csv -", "goal allreduce:ring 8"):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([FLITLOOM, *words.split()], stdout=writer, stderr=subprocess.PIPE, text=True)
        os.close(writer)
        check(done.returncode == -13 and not done.stderr, f"{words} | : status {done.returncode}: {done.stderr}")
    # The calling program may have set the signal to be ignored.
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(["sh", "-c", 'trap "" PIPE; exec "$0" list', FLITLOOM], stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    check(done.returncode == 2 and not done.stderr, f"list | : with SIGPIPE ignored: status {done.returncode}: {done.stderr}")
    # With a closed pipe the command still reports other errors; a full disk is not a closed pipe.
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([FLITLOOM, "plan", "cub:3", "complement"], stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    check(done.returncode == 2 and done.stderr.count("\n") == 1, f"a bad request | : status {done.returncode}: {done.stderr}")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([FLITLOOM, "list"], stdout=full, stderr=subprocess.PIPE, text=True)
    check(done.returncode == 2 and "No space left" in done.stderr, f"a full disk: {done.returncode} {done.stderr}")
    words = "run cube:2 transpose --compare --link model --json --svg behind.svg".split()
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([FLITLOOM, *words], stdout=full, stderr=subprocess.PIPE, text=True)
    check(done.returncode == 2 and "No space left" in done.stderr, f"a comparison on a full disk: {done.returncode} {done.stderr}")
    check(not os.path.exists("behind.svg"), "a comparison that could not be written goes on to its pictures")


def modest():
    resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))


def test_endless():
    """Reads files without an end, and long ones, within 400 MB of memory."""
    with open("long", "wb") as file:
        file.truncate(8 << 30)
    readers = ("plan {}", "plan graph:{} transpose", "plan cube:3 perm:{}", "plan cube:3 lcc:{}", "plan cube:3 set:{}", "plan cube:3 messages:{}", "plan cube:3 goal:{}",
               "plan table-mesh:2x2 transpose --tables {}", "plan mesh:2x2 nbody --place {}", "check table-mesh:2x2 --tables {}")
    for words in readers:
        for name, text in (("/dev/zero", "not a text file"), ("./long", "more than"), ("-", "")):
            with open("/dev/zero", "rb") as zero:
                done = subprocess.run([FLITLOOM, *words.format(name).split()], stdin=zero, capture_output=True, text=True, preexec_fn=modest)
            check(done.returncode == 2 and text in done.stderr and done.stderr.count("\n") == 1, f"{words} with {name}: {done.returncode} {done.stderr}")
    # A named pipe into which another process writes text as long as it is read.
    os.mkfifo("fifo")

    def write():
        try:
            with open("fifo", "wb", buffering=0) as file:
                while True:
                    file.write(b"[1, 2, 3],\n" * 6000)
        except OSError:
            pass

    for words in ("plan ./fifo", "plan cube:3 messages:fifo"):
        writer = threading.Thread(target=write)
        writer.start()
        done = subprocess.run([FLITLOOM, *words.split()], capture_output=True, text=True, preexec_fn=modest)
        writer.join()
        check(done.returncode == 2 and "more than 64 MiB" in done.stderr and done.stderr.count("\n") == 1, f"{words}: {done.returncode} {done.stderr}")
    os.remove("long")


def test_pictures():
    """Checks that the ending of the name sets the kind of file, for every command that draws, or that the command says that it cannot."""
    kinds = {"svg": b"<?xml", "pdf": b"%PDF-", "png": b"\x89PNG", "PDF": b"%PDF-", "none": b"<?xml", "tmp.aB3dE6gH9k": b"<?xml"}
    draws = ["plan cube:3 complement --svg {}", "plan mesh:4x4 transpose --picture paths --svg {}", "plan cube:4 transpose --compare --svg {}",
             "plan line:7 identity --picture chart --svg {}", "plan table-mesh:4x4 transpose --planner reroute --before xy --svg {}",
             "run cube:3 complement --svg {}"]
    if subprocess.run(["sh", "-c", "command -v gnuplot"], capture_output=True).returncode == 0:
        draws += ["sweep cube complement --nodes 2:8 --plan-only --svg {}",
                  "sweep cube:3 uniform --load 0.1:0.2:0.1 --flits 4 --warmup 50 --measure 200 --svg {}"]
    converts = subprocess.run(["sh", "-c", "command -v rsvg-convert"], capture_output=True).returncode == 0
    os.mkdir("out")
    for words in draws:
        for kind, begins in kinds.items():
            name = f"out/{kind}" if kind == "none" or "." in kind else f"out/x.{kind}"
            if begins != b"<?xml" and not converts:
                refused(words.format(name), "librsvg2-bin")
                continue
            done = run(words.format(name) + " -q")
            with open(name, "rb") as file:
                data = file.read()
            check(done.returncode == 0 and data.startswith(begins), f"{words.format(name)}: status {done.returncode} {done.stderr}: {data[:20]!r}")
            os.remove(name)
        for kind in ("jpg", "gif", "ps", "txt", "json"):
            refused(words.format(f"out/x.{kind}"), "NAME.svg, NAME.pdf, NAME.png")
    check(not os.listdir("out"), f"left behind: {os.listdir('out')}")
    # Without the converter: nothing is planned or left.
    os.mkdir("without")
    done = subprocess.run([FLITLOOM, "plan", "cube:3", "complement", "--svg", "out/x.pdf"], env={**os.environ, "PATH": os.getcwd() + "/without"}, capture_output=True, text=True)
    check(done.returncode == 2 and "librsvg2-bin" in done.stderr and done.stderr.count("\n") == 1 and not done.stdout and not os.listdir("out"), f"no rsvg-convert: {done.returncode} {done.stderr}{done.stdout[:100]}")


if __name__ == "__main__":
    main(test_bad, test_advice, test_closed_pipe, test_endless, test_pictures)
