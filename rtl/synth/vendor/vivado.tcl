# Vivado run for one queue out of context, not run by this project.
#   vivado -mode batch -source rtl/synth/vendor/vivado.tcl -tclargs bbq Levels=3 Width=8 Entries=511
# from the project's root. Part and file list by the environment: PART, FILES.
set top [lindex $argv 0]
set part [expr {[info exists env(PART)] ? $env(PART) : "xcu250-figd2104-2L-e"}]
set list_file [expr {[info exists env(FILES)] ? $env(FILES) : "rtl/$top/$top.f"}]

set channel [open $list_file]
foreach line [split [read $channel] "\n"] {
  set file [string trim $line]
  if {$file ne "" && [string index $file 0] ne "#"} { read_verilog -sv rtl/$file }
}
close $channel

set generics {}
foreach parameter [lrange $argv 1 end] { lappend generics -generic $parameter }
synth_design -top $top -part $part -mode out_of_context -verilog_define SYNTHESIS=1 {*}$generics
create_clock -name clk -period 2.0 [get_ports clk_i]
opt_design
place_design
phys_opt_design
route_design
file mkdir target/rtl/vivado/$top
report_utilization -file target/rtl/vivado/$top/utilization.txt
report_timing_summary -file target/rtl/vivado/$top/timing.txt
# Out of context, paths from and to ports have no delays outside; this is between flip-flops.
set slack [get_property SLACK [get_timing_paths -max_paths 1 -setup]]
puts [format "clock %.1f MHz" [expr {1000.0 / (2.0 - $slack)}]]
