# Lattice iCE40-HX8K breakout board. What each name means: docs/boards.md. CONSTANTS takes away what serves links that a
# node at an edge does not have.
FLOW := ice40
TITLE := Lattice iCE40-HX8K breakout board
TOP := board_hx8k
SYNTH = proc; flatten; opt; $(CONSTANTS); opt; synth_ice40 -abc9 -device hx
PLACE := --hx8k --package ct256
MHZ := 12
USB := 0403:6010
LOADER := ice40_generic
FABRIC ?= cube:2
ALSO := mesh:2x2 ring:4
TRY ?= cube:1 cube:2 cube:3 line:2 line:3 line:4 line:5 line:6 ring:3 ring:4 ring:5 mesh:1x2 mesh:2x2 mesh:2x3 torus:1x3 torus:2x2 torus:2x3
