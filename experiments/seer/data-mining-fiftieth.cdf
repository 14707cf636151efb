# Data mining, a fiftieth of the published sizes: the points of the size `data-mining` (VL2, SIGCOMM'09, figure 2; pFabric, SIGCOMM'13,
# section 5), in packets of 29 bytes in place of 1,460. 148 KB on average.
interpolated, packets of 29 bytes
1 0.5
2 0.6
3 0.7
7 0.8
267 0.9
2107 0.95
66667 0.99
666667 1
