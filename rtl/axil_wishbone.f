axi/axil_wishbone.sv
