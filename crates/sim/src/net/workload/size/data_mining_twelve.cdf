# Data mining in twelve sizes. The points of the distribution are those of data mining in bytes (10 % up to 180 B, 20 % up to
# 216 B, ..., 98 % up to 100 MB, the rest up to 1 GB); each interval is replaced by its lower end, the first by a flow of
# 100 bytes. Mean 2,116,608.6.
discrete, bytes
100 0.1
180 0.2
216 0.3
560 0.4
900 0.5
1100 0.6
1870 0.7
3160 0.8
10000 0.9
400000 0.95
3160000 0.98
100000000 1
