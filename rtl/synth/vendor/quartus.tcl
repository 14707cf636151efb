# Quartus Prime project for one queue, not run by this project.
#   quartus_sh -t rtl/synth/vendor/quartus.tcl bbq Levels=3 Width=8 Entries=511
# from the project's root. Family, device and file list by the environment: FAMILY, DEVICE, FILES.
package require ::quartus::project
package require ::quartus::flow

set top [lindex $argv 0]
set device [expr {[info exists env(DEVICE)] ? $env(DEVICE) : "1SM21BHU2F53E1VG"}]
set family [expr {[info exists env(FAMILY)] ? $env(FAMILY) : "Stratix 10"}]
set list_file [expr {[info exists env(FILES)] ? $env(FILES) : "rtl/$top/$top.f"}]
set root [pwd]
file mkdir target/rtl/quartus/$top
cd target/rtl/quartus/$top

project_new $top -overwrite
set_global_assignment -name FAMILY $family
set_global_assignment -name DEVICE $device
set_global_assignment -name TOP_LEVEL_ENTITY $top
set_global_assignment -name VERILOG_MACRO "SYNTHESIS=1"
set_global_assignment -name OPTIMIZATION_MODE "HIGH PERFORMANCE EFFORT"
# Ports are pins without this; virtual pins are flip-flops in the fabric's place.
set_instance_assignment -name VIRTUAL_PIN ON -to *
set_instance_assignment -name VIRTUAL_PIN OFF -to clk_i
set channel [open "$root/$list_file"]
foreach line [split [read $channel] "\n"] {
  set file [string trim $line]
  if {$file ne "" && [string index $file 0] ne "#"} {
    set_global_assignment -name SYSTEMVERILOG_FILE "$root/rtl/$file"
  }
}
close $channel
foreach parameter [lrange $argv 1 end] {
  lassign [split $parameter =] name value
  set_parameter -name $name $value
}
set sdc [open clock.sdc w]
puts $sdc "create_clock -name clk -period 2.0 \[get_ports clk_i\]"
close $sdc
set_global_assignment -name SDC_FILE clock.sdc
export_assignments
execute_flow -compile
project_close
puts "Fmax and ALMs are in target/rtl/quartus/$top/$top.sta.rpt and $top.fit.rpt"
