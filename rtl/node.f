chip/regmap.sv
node/node_program.sv
node/xorshift.sv
node/payload.sv
node/node_receiver.sv
node/node_sender.sv
node/node_store.sv
node/node.sv
