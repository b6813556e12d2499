# ULX3S 85F. What each name means: docs/boards.md.
FLOW := ecp5
TITLE := ULX3S 85F (ECP5)
TOP := board_ulx3s
SYNTH := synth_ecp5 -abc9 -nowidelut
PLACE := --85k --package CABGA381 --speed 6
MHZ := 25
USB := 0403:6015
LOADER := ulx3s
FABRIC ?= cube:4
ALSO := mesh:4x4 otis-mesh:4
TRY ?= cube:4 cube:5 line:16 line:32 ring:16 ring:32 mesh:4x4 mesh:4x5 torus:4x4 torus:4x5
