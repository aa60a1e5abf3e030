"""Whether a second solver confirmed what was proved: reads what `laneproof prove --json --check-with`
printed, and ends with 1 where a proof has no question that it confirmed, or one that it left open or
answers otherwise. Proofs listed in `open.txt` beside this file may have questions that it leaves open.

python3 proofs/second-solver/confirmed.py FILE.json
"""

import json
import pathlib
import sys

listed = pathlib.Path(__file__).with_name("open.txt").read_text(encoding="utf-8").splitlines()
may_be_open = {line for line in listed if line and not line.startswith("#")}
results = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))["results"]

proofs = confirmed = 0
wrong = []
for result in results:
    if result["verdict"] != "proved":
        continue
    proofs += 1
    opinion = result.get("second") or {}
    confirmed += opinion.get("confirmed", 0)
    if opinion.get("contradicted"):
        wrong.append(f"{result['name']}: contradicted")
    elif opinion.get("open", 0) and result["name"] not in may_be_open:
        wrong.append(f"{result['name']}: {opinion['open']} questions left open")
    elif not opinion.get("confirmed", 0) and result["name"] not in may_be_open:
        wrong.append(f"{result['name']}: no question confirmed")
print(f"{confirmed} questions of {proofs} proofs confirmed")
print(*wrong, sep="\n")
sys.exit(1 if wrong or not confirmed else 0)
