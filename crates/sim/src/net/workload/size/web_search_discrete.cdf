# Web search in eleven sizes. The points of the distribution are those of web-search in bytes (15 % up to 10 KB, 20 % up to
# 20 KB, …, 97 % up to 10 MB); each interval is replaced by its lower end, the first by a flow of one byte. Mean 987,600.
discrete, bytes
1 0.15
10000 0.2
20000 0.3
30000 0.4
50000 0.53
80000 0.6
200000 0.7
1000000 0.8
2000000 0.9
5000000 0.97
10000000 1
