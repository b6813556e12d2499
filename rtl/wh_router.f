cells/stream_buffer.sv
wh/wh_input.sv
wh/wh_order.sv
wh/wh_output.sv
wh/wh_share.sv
wh/wh_ports.sv
wh/wh_cross.sv
wh/wh_router.sv
