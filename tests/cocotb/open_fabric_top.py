# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
"""Writes a Verilog module around fabric_open for the cocotb test, with separate names for each node's streams (s3_axis_tdata) and
axil_wishbone on the register port, because cocotbext-axi finds a bus by the prefix of its signals.
"""

S_AXIS = (("input", "DATA_W", "tdata"), ("input", "1", "tlast"), ("input", "1", "tvalid"), ("output", "1", "tready"),
          ("input", "DEST_W", "tdest"))
M_AXIS = (("output", "DATA_W", "tdata"), ("output", "1", "tlast"), ("output", "1", "tvalid"), ("input", "1", "tready"),
          ("output", "DEST_W", "tuser"))
AXIL = (("input", "32", "awaddr"), ("input", "3", "awprot"), ("input", "1", "awvalid"), ("output", "1", "awready"),
        ("input", "32", "wdata"), ("input", "4", "wstrb"), ("input", "1", "wvalid"), ("output", "1", "wready"),
        ("output", "2", "bresp"), ("output", "1", "bvalid"), ("input", "1", "bready"),
        ("input", "32", "araddr"), ("input", "3", "arprot"), ("input", "1", "arvalid"), ("output", "1", "arready"),
        ("output", "32", "rdata"), ("output", "2", "rresp"), ("output", "1", "rvalid"), ("input", "1", "rready"))
WISHBONE = (("1", "cyc"), ("1", "stb"), ("1", "we"), ("32", "adr"), ("32", "dat_w"), ("1", "stall"), ("1", "ack"),
            ("32", "dat_r"))


def top(parameters, fields):
    """The text of the module open_fabric_top. parameters: of the network, by name, as `flitloom rtl` prints them; fields:
    those of NODE that are not as by default, FLIT_W among them."""
    data_w = fields["FLIT_W"]
    nodes = int(parameters["NODES"])
    # As fabric_open has it by default, where the network does not say.
    dest_w = int(parameters.get("LABEL_W", (nodes - 1).bit_length()))
    ports = ["input wire clk", "input wire rst", "output wire busy"]
    ports += [f"{way} wire [{width}-1:0] s_axil_{name}" for way, width, name in AXIL]
    for letter, signals in (("s", S_AXIS), ("m", M_AXIS)):
        ports += [f"{way} wire [{width}-1:0] {letter}{u}_axis_{name}"
                  for u in range(nodes) for way, width, name in signals]
    text = ["`default_nettype none", "module open_fabric_top #(",
            f"  parameter integer DATA_W = {data_w}, parameter integer DEST_W = {dest_w}",
            ") (", ",\n".join("  " + p for p in ports), ");"]
    text += [f"  wire [{width}-1:0] wb_{name};" for width, name in WISHBONE]
    connect = [".clk(clk)", ".rst(rst)", ".busy(busy)"] + [f".wb_{name}(wb_{name})" for _, name in WISHBONE]
    for letter, signals in (("s", S_AXIS), ("m", M_AXIS)):
        for way, width, name in signals:
            all_nodes = ", ".join(f"{letter}{u}_axis_{name}" for u in reversed(range(nodes)))
            connect.append(f".{letter}_axis_{name}({{{all_nodes}}})")
    network = [f".{name}({value})" for name, value in parameters.items()]
    node = "node_config::DEFAULT"
    for name, value in fields.items():
        node = f"node_config::set({node}, node_config::{name}, {value})"
    network.append(f".NODE({node})")
    text += [f"  fabric_open #({', '.join(network)}) u_dut ({', '.join(connect)});"]
    bridge = [".clk(clk)", ".rst(rst)"] + [f".s_axil_{name}(s_axil_{name})" for _, _, name in AXIL]
    bridge += [f".wb_{name}(wb_{name})" for _, name in WISHBONE]
    text += [f"  axil_wishbone u_bridge ({', '.join(bridge)});", "endmodule", "`default_nettype wire", ""]
    return "\n".join(text)
