#!/bin/sh
# A kernel developer: the PMU's node in a device tree, its registers, and what a machine takes.
. "$(dirname "$0")/journey.sh"
needs dtc

cat >board.dts <<'END'
/dts-v1/;
/ {
    #address-cells = <1>;
    #size-cells = <1>;
    interrupt-parent = <&gic>;
    gic: interrupt-controller@8000000 {
        compatible = "arm,cortex-a15-gic";
        #interrupt-cells = <3>;
        interrupt-controller;
        reg = <0x8000000 0x1000>;
    };
    cpus {
        #address-cells = <1>;
        #size-cells = <0>;
        cpu@0 { device_type = "cpu"; compatible = "arm,cortex-a15"; reg = <0>; };
    };
};
END
try 0 dtc -q -I dts -O dtb board.dts -o board.dtb
try 0 armpmu dtb board.dtb a8.dtb --core cortex-a8 --irq spi:100
try 0 dtc -q -I dtb -O dts a8.dtb
says 'arm,cortex-a8-pmu' 'interrupts = <0x0*0 0x0*64 '
try 125 armpmu dtb board.dtb a8.dtb --core cortex-a8 --irq spi:1000
says 'spi'

# How the driver's writes read, and how they are written.
try 0 armpmu regs decode cortex-a8 PMNC 0x41002009
says 'E '
try 0 armpmu regs encode cortex-a8 EVTSEL2 SEL=L1D_CACHE_REFILL
says '0x'
try 125 armpmu regs decode cortex-a8 PMCN 1
says 'did you mean PMNC'

# What the plugin takes in a command line of one's own; without a QEMU that can, what is missing.
try 0 armpmu guest --machine cortex-a8 --irq spi:100 --print-args
says 'plugin' 'cortex-a8'
try 127 armpmu guest -- qemu-system-nowhere -M virt
says 'qemu-system-nowhere'
