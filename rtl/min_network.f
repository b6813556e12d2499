chip/regmap.sv
chip/header_view.sv
chip/history.sv
min/min_preset.sv
cells/stream_buffer.sv
wh/wh_input.sv
min/min_switch.sv
min/min_network.sv
