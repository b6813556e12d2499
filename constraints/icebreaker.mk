# iCEBreaker. What each name means: docs/boards.md.
FLOW := ice40
TITLE := iCEBreaker (iCE40 up5k)
TOP := board_icebreaker
SYNTH := synth_ice40 -abc9 -device u
PLACE := --up5k --package sg48
MHZ := 12
USB := 0403:6010
INTERFACE := B
LOADER := ice40_generic
FABRIC ?= cube:1
SIZES := 1 2
