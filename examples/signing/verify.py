import base64, hashlib, json, os, re, urllib.request
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding

bank = os.environ["BANK"]
with urllib.request.urlopen(bank + "/sandbox/bank-certificate") as answer:
    certificate = x509.load_pem_x509_certificate(json.load(answer)["certificate"].encode())
with urllib.request.urlopen(bank + "/sandbox/as/mine/v1/sandbox/customers") as answer:
    body, headers, status = answer.read(), answer.headers, answer.status
assert headers["digest"] == "SHA-256=" + base64.b64encode(hashlib.sha256(body).digest()).decode(), "digest"
parts = dict(re.findall(r'(\w+)="([^"]*)"', headers["signature"]))
values = {**{name.lower(): value for name, value in headers.items()}, "(status)": str(status)}
string = "\n".join(f"{name}: {values[name]}" for name in parts["headers"].split(" "))
# Raises InvalidSignature.
certificate.public_key().verify(base64.b64decode(parts["signature"]), string.encode(), padding.PKCS1v15(), hashes.SHA256())
print("verified")
