"""Sound files of every text format that is read."""

TSP = """NAME: square
TYPE: TSP
DIMENSION: 5
EDGE_WEIGHT_TYPE: EUC_2D
NODE_COORD_SECTION
1 0 0
2 0 10
3 10 10.5
4 1e1 0
5 5 5
EOF
"""
MATRIX = """NAME: matrix
TYPE: ATSP
DIMENSION: 3
EDGE_WEIGHT_TYPE: EXPLICIT
EDGE_WEIGHT_FORMAT: FULL_MATRIX
EDGE_WEIGHT_SECTION
0 1 2
3 0 4
5 6 0
EOF
"""
CSV = "name,x,y\nBremen,53.1,8.8\nTunis,36.8,10.2\nLyon,45.7,4.8\nOslo,59.9,10.7\n"
MAP = "id;name;lat;lon\n1;Bremen;53,1;8,8\n2;Tunis;36,8;10,2\n3;Oslo;59,9;10,7\n"
DISTANCES = ",a,b,c\na,0,1,2.5\nb,,0,4\nc,,,0\n"
QAP = "3\n\n0 1 2\n1 0 3\n2 3 0\n\n0 5 2\n5 0 3\n2 3 0\n"
SHOP = "3 2 873654221 20 18\n1 2 3\n4 5 6\n"
RUDY = "4 3\n1 2 1\n2 3 -2.5\n4 1 1e1\n"
COL = "c a path\np edge 4 3\ne 1 2\ne 2 3\ne 3 4\n"
WCSP = "path 3 3 3 9\n2 3 2\n2 0 1 0 2\n0 1 7\n1 2 9\n1 2 1 1\n0 3\n0 2 0\n"
UAI = "MARKOV\n3\n2 2 3\n3\n1 0\n2 0 1\n2 2 1\n\n2\n 0.25 0.75\n4\n 1 2\n 3 0\n6\n 1 2 3\n 4 5 6\n"
CFN = """{"problem": {"name": "path", "mustbe": "<10.0"},
"variables": {"a": ["x", "y"], b: 2},
"functions": {"f": {"scope": ["a", "b"], "defaultcost": 0, "costs": ["x", 1, 2.5]}, {scope: [b] costs: [0 1]}}}
"""
COO = "# vartype=SPIN\n0 0 1.5\n0 7 -2\n3 7 0.5\n"
QUBO = "c bits\np qubo 0 8 2 1\n0 0 1.5\n7 7 0.5\n0 7 -1\n"
BQM = """{"type": "BinaryQuadraticModel", "version": {"bqm_schema": "3.0.0"}, "use_bytes": false,
"variable_labels": ["a", 7], "variable_type": "BINARY", "offset": 0.5, "linear_biases": [1.0, -1.5],
"quadratic_biases": [2.0], "quadratic_head": [0], "quadratic_tail": [1]}
"""
COVERING = "2 3\n1 2 3\n2\n1 2\n1\n3\n"
KNAPSACK = "1\n3 2 0\n5 4 3\n1 2 3\n3 2 1\n4 4\n"
AGENTS = "1\n2 3\n1 2 3\n3 2 1\n1 1 2\n2 1 1\n3 3\n"
OPB = "* #variable= 3 #constraint= 2\nmin: +1 x1 -2 x2 ;\n+1 x1 +1 ~x2 +2 x3 >= 1 ;\n+1 x1 +1 x2 = 1 ;\n"
MPS = """NAME square
OBJSENSE
    MAX
ROWS
 N profit
 L weight
 G few
 E both
COLUMNS
    M1 'MARKER' 'INTORG'
    a profit 3 weight 2
    a few 1
    b profit 4 weight 3
    b few 1 both 1
    M1 'MARKER' 'INTEND'
RHS
    RHS weight 4 few 1
    RHS both 1
RANGES
    RNG few 1
BOUNDS
 BV BND a
 UP BND b 2
ENDATA
"""
LP = """\\ a bag
Maximize
 profit: 3 a + 4 b - 2 c + 1
Subject To
 weight: 2 a + 3 b + c <= 7
 -a + b >= -1
Bounds
 0 <= c <= 3
Binary
 a b
General
 c
End
"""
EXPERIMENT = """runs = 2
seed = 3
polish = "none"

[budget]
looks = 1000

[[problems]]
name = "synthetic"
options = { n = 8, planted = true }
sweep = { seed = [1, 2] }

[[problems]]
name = "tsp"
label = "cities"
options.n = 6

[[solvers]]
name = "random"

[[solvers]]
name = "ga"
sweep = { population = [4, 6] }
budget = { iterations = 10 }
"""
CORPUS = """<?xml version="1.0" encoding="UTF-8"?>
<corpus lang="en"><text id="d000"><sentence id="d000.s000">
<wf lemma="they" pos="PRON">They</wf>
<instance id="d000.s000.t000" lemma="sit" pos="VERB">sat</instance>
<instance id="d000.s000.t001" lemma="bank" pos="NOUN">bank</instance>
<wf lemma="." pos=".">.</wf>
</sentence></text></corpus>
"""
COARSE = """<corpus lang="en"><text id="d001"><sentence id="d001.s001">
The
<instance id="d001.s001.t001" lemma="bank" pos="n">bank</instance>
<instance id="d001.s001.t002" lemma="open" pos="v">opened</instance>
.
</sentence></text></corpus>
"""
KEY = "d000.s000.t000 sit%2:35:00::\nd000.s000.t001 bank%1:17:01:: bank%1:14:00::\n"
ANSWERS = "d000.s000.t000 sit%2:35:00::\nd000.s000.t001 bank%1:17:01::\n"
TEXT = "They sat on the bank of the river. The bank's manager doesn't like New York, e.g. in 2014 (3.5 %)!\n"
LINES = """{"id": 1, "text": "They sat on the bank of the river."}
{"id": "two", "text": "Doctor Who isn't here \\u2013 is he?", "known": {"0": "doctor%1:18:00::"}}
{"id": null, "text": ""}
"""
CONLLU = """# sent_id = 1
# text = They sat on the bank.
1\tThey\tthey\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\tsat\tsit\tVERB\tVBD\tMood=Ind|Tense=Past\t0\troot\t_\t_
3-4\tonthe\t_\t_\t_\t_\t_\t_\t_\t_
3\ton\ton\tADP\tIN\t_\t5\tcase\t_\t_
4\tthe\tthe\tDET\tDT\t_\t5\tdet\t_\t_
5\tbank\tbank\tNOUN\tNN\tNumber=Sing\t2\tobl\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""
HTML = """<!DOCTYPE html><html><head><title>A bank</title><style>p { color: red }</style></head>
<body><h1>The river</h1><p>They sat on the <b>bank</b> of the&nbsp;river &amp; talked.</p>
<ul><li>A <i>d</i>og</li><li>A cat<br>ran &#8211; away</li></ul><script>if (a < b) run();</script></body></html>
"""
CLUSTERS = "bank%1:17:01:: bank%1:17:00::\nbank%1:14:00:: bank%1:06:00::\n"
SUBSTITUTIONS = """bright.a\t1\t3\tHe was a bright boy , they said .
bank.n\t2\t4\tThey sat on the bank of the river .
"""
LEXELTS = """<?xml version="1.0"?><corpus lang="english"><lexelt item="bright.a"><instance id="1">
<context>He was a <head>bright</head> boy , they said .</context></instance></lexelt></corpus>
"""
SUBSTITUTES = "bright.a 1 :: intelligent 3;clever 3;smart 1;\nbank.n 2 :: shore 4;side 1;\n"
OFFERED = "bright.a 1 ::: intelligent;clever;shiny\nbank.n 2 ::: shore;edge\n"
STARTS = ("0,1,2,3\n3,2,1,0\n", "0\n1\n2\n3\n", "[[0, 1, 2, 3], [1, 0, 2, 3]]", "stage,candidate\n0,1\n1,0\n2,2\n3,3\n")
OTHERS = "method,instance,seed,score,seconds,f1\nA,x,0,1.5,2,0.7\nA,x,1,,3,\nB,x,0,2,1,0.8\nB,x,1,3,1,0.9\n"
