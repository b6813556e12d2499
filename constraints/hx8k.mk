# Lattice iCE40-HX8K breakout board. What each name means: docs/boards.md.
FLOW := ice40
TITLE := Lattice iCE40-HX8K breakout board
TOP := board_hx8k
SYNTH := synth_ice40 -abc9 -device hx
PLACE := --hx8k --package ct256
MHZ := 12
USB := 0403:6010
LOADER := ice40_generic
FABRIC ?= cube:2
SIZES := 1 2 3
