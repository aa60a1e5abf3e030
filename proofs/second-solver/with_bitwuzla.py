"""Answers a question in SMT-LIB 2 with Bitwuzla (PyPI: bitwuzla).

laneproof prove rotate --check-with 'python3 proofs/second-solver/with_bitwuzla.py'
"""

import sys

import bitwuzla

bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options()).parse(sys.argv[1])
