import pathlib, sys
from pay import digest, prove

for folder in map(pathlib.Path, sys.argv[1:]):
    hash = digest((folder / "body").read_bytes())
    lines = (folder / "signed").read_text().splitlines()
    signed = dict(line.split(": ", 1) for line in lines)
    if "digest" in signed:
        signed["digest"] = hash
    files = [(folder / name).read_text() for name in ("mine.cert.pem", "mine.key.pem", "key-id")]
    print(hash, *prove(signed, *files).values(), sep="\n")
