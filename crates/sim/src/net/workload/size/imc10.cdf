# Flows of several data centres: Benson, Akella and Maltz, Network traffic characteristics of data centers in the wild,
# IMC 2010, section 5 (80 % of flows below about 10 KB, hardly any above a few megabytes). The points are those used in the
# simulations of Gao et al., pHost, CoNEXT 2015, section 4: sizes in packets of 1,460 bytes.
interpolated, packets of 1460 bytes
1 0.5
2 0.6
3 0.7
5 0.75
7 0.8
40 0.8125
72 0.825
137 0.85
267 0.9
1187 0.95
2107 1
