link/uart_rx.sv
