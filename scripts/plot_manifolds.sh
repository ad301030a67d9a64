#!/bin/sh
# Draws data/manifolds.svg with gnuplot: 400 samples of two_moons, two_spirals and two_circles by their definition (data/README.md).
cd "$(dirname "$0")/.." || exit 1
exec gnuplot <<'EOF'
set terminal svg size 960,310 font "sans-serif,13" background "white"
set output "data/manifolds.svg"
set multiplot layout 1,3 margins 0.035,0.99,0.08,0.9 spacing 0.04
set size ratio -1
set tics 1 nomirror scale 0.5
set border 3
unset key
set samples 200   # of each class
set style data points
set style line 1 pointtype 6 pointsize 0.5 linecolor rgb "#0060ad"
set style line 2 pointtype 1 pointsize 0.5 linecolor rgb "#d95f02"
e(dummy) = noise * invnorm(rand(0))   # noise times a standard normal number
u(dummy) = rand(0)

set title "two\\_moons, noise 0.1"
noise = 0.1
x = rand(1)   # seeds
set xrange [-1.5:2.5]
set yrange [-1.5:2]
plot "+" using (a = pi*u(0), cos(a) + e(0)):(sin(a) + e(0)) linestyle 1, \
     "+" using (a = pi*u(0), 1 - cos(a) + e(0)):(0.5 - sin(a) + e(0)) linestyle 2

set title "two\\_spirals, turns 1, noise 0.02"
noise = 0.02
set xrange [-1.2:1.2]
set yrange [-1.05:1.05]
plot "+" using (t = u(0), a = 2*pi*t, r = 0.125 + 0.875*t, r*cos(a) + e(0)):(r*sin(a) + e(0)) linestyle 1, \
     "+" using (t = u(0), a = 2*pi*t + pi, r = 0.125 + 0.875*t, r*cos(a) + e(0)):(r*sin(a) + e(0)) linestyle 2

set title "two\\_circles, noise 0.05"
noise = 0.05
set xrange [-1.4:1.4]
set yrange [-1.225:1.225]
plot "+" using (a = 2*pi*u(0), cos(a) + e(0)):(sin(a) + e(0)) linestyle 1, \
     "+" using (a = 2*pi*u(0), 0.5*cos(a) + e(0)):(0.5*sin(a) + e(0)) linestyle 2
unset multiplot
EOF
