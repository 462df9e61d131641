TARGET='/v1/payments/norwegian-domestic-credit-transfers?allowLogicalDuplicate=true'
BODY='{"instructedAmount":{"amount":"250.00","currency":"NOK"},"debtorAccount":{"bban":"09232911044","currency":"NOK"},"creditorAccount":{"bban":"90491105991","currency":"NOK"},"creditorName":"Company 123","remittanceInformationUnstructured":"Kredittrente"}'
DATE=$(LC_ALL=C date -u '+%a, %d %b %Y %H:%M:%S GMT')
DIGEST="SHA-256=$(printf %s "$BODY" | openssl dgst -sha256 -binary | openssl base64 -A)"
REQUEST_ID=$(openssl rand -hex 16 | sed -E 's/(.{8})(.{4}).(.{3}).(.{3})(.{12})/\1-\2-4\3-8\4-\5/')
REDIRECT=$BANK/sandbox/landed
SIGNATURE=$(printf 'date: %s\ndigest: %s\nx-request-id: %s\ntpp-redirect-uri: %s' "$DATE" "$DIGEST" "$REQUEST_ID" "$REDIRECT" |
  openssl dgst -sha256 -sign mine.key.pem | openssl base64 -A)
curl -sS -w '%{http_code}\n' "$BANK$TARGET" \
  -H "Date: $DATE" -H "Digest: $DIGEST" -H "X-Request-ID: $REQUEST_ID" -H "TPP-Redirect-URI: $REDIRECT" \
  -H "TPP-Signature-Certificate: $(openssl x509 -in mine.cert.pem -outform DER | openssl base64 -A)" \
  -H "Signature: keyId=\"$KEY_ID\",algorithm=\"rsa-sha256\",headers=\"date digest x-request-id tpp-redirect-uri\",signature=\"$SIGNATURE\"" \
  -H 'Content-Type: application/json' -H 'Accept: application/json' -H 'PSU-IP-Address: 127.0.0.1' \
  -H 'TPP-Session-ID: mine' -H 'X-PSU-IDENTITY: 13039319955' -H 'PSU-Context: PRIVATE' \
  --data-raw "$BODY"
