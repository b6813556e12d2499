link/uart_tx.sv
