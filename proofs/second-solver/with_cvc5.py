"""Answers a question in SMT-LIB 2 with cvc5 (PyPI: cvc5).

laneproof prove rotate --check-with 'python3 proofs/second-solver/with_cvc5.py'
"""

import sys

import cvc5

solver = cvc5.Solver()
# Half precision; cvc5 calls it experimental.
solver.setOption("fp-exp", "true")
symbols = cvc5.SymbolManager(solver)
parser = cvc5.InputParser(solver, symbols)
parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.argv[1])
while not (command := parser.nextCommand()).isNull():
    print(command.invoke(solver, symbols), end="")
