chip/header_fields.sv
axi/axis_depacketiser.sv
