# iCEBreaker. What each name means: docs/boards.md. A clock enable for less than five registers spoils a tile of eight.
FLOW := ice40
TITLE := iCEBreaker (iCE40 up5k)
TOP := board_icebreaker
SYNTH := proc; flatten; opt_clean; synth_ice40 -abc9 -dff -dffe_min_ce_use 5 -device u
PLACE := --up5k --package sg48
MHZ := 12
USB := 0403:6010
LOADER := ice40_generic
FABRIC ?= cube:2
TRY ?= cube:1 cube:2 line:2 line:3 line:4 ring:3 ring:4 mesh:1x2 mesh:2x2 torus:1x3 torus:2x2
