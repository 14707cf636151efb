# Web search, a tenth of the published sizes: the points of the size `web-search` (DCTCP, SIGCOMM'10, figure 4; pFabric, SIGCOMM'13,
# section 5), in packets of 146 bytes in place of 1,460. 167 KB on average.
interpolated, packets of 146 bytes
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
