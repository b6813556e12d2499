chip/regmap.sv
ocs/ocs_stages.sv
ocs/ocs_schedule.sv
ocs/ocs_switch.sv
