# Web search. Flow sizes in a cluster of 6,000 servers: Alizadeh et al., Data Center TCP (DCTCP), SIGCOMM 2010,
# figure 4. The points are those used in the simulations of Alizadeh et al., pFabric, SIGCOMM 2013, section 5, and
# since: shares in steps of a few percent, sizes in packets of 1,460 bytes (6 packets are about 10 KB). The simulations
# state a mean of 1,138 packets.
interpolated, packets of 1460 bytes
6 0.15
13 0.2
19 0.3
33 0.4
53 0.53
133 0.6
667 0.7
1333 0.8
3333 0.9
6667 0.97
20000 1
