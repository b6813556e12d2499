net/route_order.sv
net/route_table.sv
cells/stream_buffer.sv
wh/wh_input.sv
wh/wh_order.sv
wh/wh_output.sv
wh/wh_router.sv
net/net_router.sv
