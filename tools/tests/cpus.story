# Every kind of record on three CPUs: wake-ups, also early ones; forks, ids that are used again; losses.
cpus 3
type 40 2 1 later
task 10 10 bash
task 11 11 make
task 12 11 thread
task 13 13 never
batch 0 10 1100
@1200 waking 11
@1300 switch 11 2
@1400 fork 20 20 cc1
@1400 migrate 20 1
@1500 exec 11 prog
@1600 switch 0 3
lose 5
batch 0 12 2000
@2010 rename 12 other
@2020 exec 12 other
@2030 mark a text
@2040 waking 10
@2050 switch 10 1
batch 2 0 1010
@1020 waking/hard 14
@1030 switch 14 0
@1900 switch 0 8
batch 1 0 1350
@1400 switch 20 0
@1450 waking/soft 14
@1600 waking/3 11
@1700 exit 20 cc1
@1750 later 1 300 text
@1800 switch 15 7
@1850 fork 20 20 again
@1900 switch 20 2
batch 1 20 2100
@2200 switch 11 1
lose 2
batch 1 0 2300
