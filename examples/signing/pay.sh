# The Digest of the body on standard input.
digest() { printf 'SHA-256=%s' "$(openssl dgst -sha256 -binary | openssl base64 -A)"; }

# Prints the headers that prove the headers on standard input, which are signed in their order.
prove() {
  STRING=$(sed 's/: */: /; s/ *$//')
  NAMES=$(printf '%s\n' "$STRING" | cut -d: -f1 | paste -sd ' ' -)
  SIGNATURE=$(printf %s "$STRING" | openssl dgst -sha256 -sign mine.key.pem | openssl base64 -A)
  printf 'tpp-signature-certificate: %s\n' "$(openssl x509 -in mine.cert.pem -outform DER | openssl base64 -A)"
  printf 'signature: keyId="%s",algorithm="rsa-sha256",headers="%s",signature="%s"\n' "$KEY_ID" "$NAMES" "$SIGNATURE"
}

[ "${0##*/}" = pay.sh ] || return 0
TARGET='/v1/payments/norwegian-domestic-credit-transfers?allowLogicalDuplicate=true'
BODY='{"instructedAmount":{"amount":"250.00","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"bban":"90491105991","currency":"NOK"},"creditorName":"Company 123","remittanceInformationUnstructured":"Kredittrente"}'
REQUEST_ID=$(openssl rand -hex 16 | sed -E 's/(.{8})(.{4}).(.{3}).(.{3})(.{12})/\1-\2-4\3-8\4-\5/')
SIGNED="date: $(LC_ALL=C date -u '+%a, %d %b %Y %H:%M:%S GMT')
digest: $(printf %s "$BODY" | digest)
x-request-id: $REQUEST_ID
tpp-redirect-uri: $BANK/sandbox/landed"
{ echo "$SIGNED"; echo "$SIGNED" | prove; } | curl -sS -w '%{http_code}\n' "$BANK$TARGET" -H @- \
  -H 'Content-Type: application/json' -H 'Accept: application/json' -H 'PSU-IP-Address: 127.0.0.1' \
  -H 'TPP-Session-ID: mine' -H 'X-PSU-IDENTITY: 13039319955' -H 'PSU-Context: PRIVATE' \
  --data-raw "$BODY"
