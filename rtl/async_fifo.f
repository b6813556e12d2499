cells/async_fifo.sv
