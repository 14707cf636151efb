# Data mining. Flow sizes in a cluster of 1,500 servers: Greenberg et al., VL2, SIGCOMM 2009, figure 2. The points are those
# used in the simulations of Alizadeh et al., pFabric, SIGCOMM 2013, section 5, and since: sizes in packets of 1,460 bytes.
# The simulations state a mean of 5,117 packets.
interpolated, packets of 1460 bytes
1 0.5
2 0.6
3 0.7
7 0.8
267 0.9
2107 0.95
66667 0.99
666667 1
