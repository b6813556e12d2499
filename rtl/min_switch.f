cells/stream_buffer.sv
wh/wh_input.sv
min/min_switch.sv
