cells/stream_buffer.sv
