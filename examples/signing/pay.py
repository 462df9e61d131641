import base64, hashlib, json, os, urllib.error, urllib.request, uuid
from email.utils import formatdate
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

target = "/v1/payments/norwegian-domestic-credit-transfers?allowLogicalDuplicate=true"
body = json.dumps({
    "instructedAmount": {"amount": "250.00", "currency": "NOK"},
    "debtorAccount": {"bban": "09232911044", "currency": "NOK"},
    "creditorAccount": {"bban": "90491105991", "currency": "NOK"},
    "creditorName": "Company 123",
    "remittanceInformationUnstructured": "Kredittrente",
}).encode()
signed = {
    "date": formatdate(usegmt=True),
    "digest": "SHA-256=" + base64.b64encode(hashlib.sha256(body).digest()).decode(),
    "x-request-id": str(uuid.uuid4()),
    "tpp-redirect-uri": os.environ["BANK"] + "/sandbox/landed",
}
string = "\n".join(f"{name}: {value}" for name, value in signed.items())
with open("mine.key.pem", "rb") as file:
    key = serialization.load_pem_private_key(file.read(), password=None)
signature = base64.b64encode(key.sign(string.encode(), padding.PKCS1v15(), hashes.SHA256())).decode()
with open("mine.cert.pem") as file:
    certificate = "".join(line.strip() for line in file if "-----" not in line)
request = urllib.request.Request(os.environ["BANK"] + target, data=body, method="POST", headers={
    **signed,
    "tpp-signature-certificate": certificate,
    "signature": f'keyId="{os.environ["KEY_ID"]}",algorithm="rsa-sha256",headers="{" ".join(signed)}",signature="{signature}"',
    "content-type": "application/json",
    "accept": "application/json",
    "psu-ip-address": "127.0.0.1",
    "tpp-session-id": "mine",
    "x-psu-identity": "13039319955",
    "psu-context": "PRIVATE",
})
try:
    with urllib.request.urlopen(request) as answer:
        print(answer.read().decode(), answer.status)
except urllib.error.HTTPError as refusal:
    print(refusal.read().decode(), refusal.code)
