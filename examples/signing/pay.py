import base64, hashlib, json, os, urllib.error, urllib.request, uuid
from email.utils import formatdate
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding


def digest(body):
    return "SHA-256=" + base64.b64encode(hashlib.sha256(body).digest()).decode()


def prove(signed, certificate, key, key_id):
    """The headers that prove these headers, which are signed in their order."""
    string = "\n".join(f"{name}: {value.strip()}" for name, value in signed.items())
    private = serialization.load_pem_private_key(key.encode(), password=None)
    signature = base64.b64encode(private.sign(string.encode(), padding.PKCS1v15(), hashes.SHA256())).decode()
    return {
        "tpp-signature-certificate": "".join(line for line in certificate.splitlines() if "-----" not in line),
        "signature": f'keyId="{key_id}",algorithm="rsa-sha256",headers="{" ".join(signed)}",signature="{signature}"',
    }


def pay(bank, certificate, key, key_id):
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
        "digest": digest(body),
        "x-request-id": str(uuid.uuid4()),
        "tpp-redirect-uri": bank + "/sandbox/landed",
    }
    request = urllib.request.Request(bank + target, data=body, method="POST", headers={
        **signed,
        **prove(signed, certificate, key, key_id),
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


if __name__ == "__main__":
    with open("mine.cert.pem") as certificate, open("mine.key.pem") as key:
        pay(os.environ["BANK"], certificate.read(), key.read(), os.environ["KEY_ID"])
