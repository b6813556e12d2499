chip/header_fields.sv
axi/axis_packetiser.sv
