# Data mining in seven sizes: the points of data-mining, each interval replaced by its lower end, as in
# web-search-discrete. No publication states these sizes; they follow from that rule.
discrete, packets of 1460 bytes
1 0.6
2 0.7
3 0.8
7 0.9
267 0.95
2107 0.99
66667 1
