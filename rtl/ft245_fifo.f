cells/async_fifo.sv
link/ft245_fifo.sv
