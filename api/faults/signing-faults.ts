import type { FaultAdvice } from './fault-advice.ts';

/** Certificate and signature (rules.md G1-G8). */
export const signingFaults = {
  CERTIFICATE_BLOCKED: {
    when: 'The bank or the authority has blocked the certificate.',
    remedy: 'Sign with another certificate, and ask the bank why.',
    provoke:
      '`sandbank sign GET /v1/accounts --fault blocked`; of your own: `POST /sandbox/certificates/{serial}/block`.',
  },
  CERTIFICATE_EXPIRED: {
    when: 'The certificate is past its last day, by the wall clock.',
    remedy: 'Sign with a renewed certificate.',
    provoke: '`sandbank sign GET /v1/accounts --fault expired`.',
  },
  CERTIFICATE_INVALID: {
    when:
      'The certificate cannot be used: it is no single DER certificate in base64, not valid yet, has no RSA key of 2048 bits or ' +
      'more, is signed with SHA-1 or MD5, is self-signed with a broken signature, or, with `SANDBANK_TPP_TRUST=ca`, comes from no trusted authority or states no PSD2 roles.',
    remedy: 'The text names what is wrong. Send the PEM body without its first and last line and without line breaks.',
    provoke: '`sandbank sign GET /v1/accounts --fault weak-key`; [signing.md](signing.md) lists more.',
  },
  CERTIFICATE_MISSING: {
    when: 'There is a Signature and no `TPP-Signature-Certificate`.',
    remedy: 'Send the certificate that belongs to the signing key.',
    provoke: '`curl -H "Signature: x" $BANK/v1/accounts`.',
  },
  CERTIFICATE_REVOKED: {
    when: 'The certificate has been revoked.',
    remedy: 'Sign with another certificate: a revoked one does not come back.',
    provoke:
      '`sandbank sign GET /v1/accounts --fault revoked`; of your own: `POST /sandbox/certificates/{serial}/revoke`.',
  },
  ROLE_INVALID: {
    when: 'The certificate states PSD2 roles, and not the one that the call needs: `PSP_PI` to initiate, `PSP_AI` to read accounts.',
    remedy: 'Use a certificate with the role, or leave the call to a TPP that has it.',
    provoke: '`sandbank sign GET /v1/accounts --fault wrong-role`.',
  },
  SIGNATURE_INVALID: {
    when: 'The signature or a part of the Signature header does not fit the request. A Digest that does not fit the body is FORMAT_ERROR.',
    remedy:
      'The text says what you did where the signature shows it, and what to do, then the signing string as the bank saw it. ' +
      '`sandbank doctor < request.txt` tells the same without sending, with both strings.',
    provoke: '`sandbank sign GET /v1/accounts --fault other-key`, or change one of the signed headers after signing.',
  },
  SIGNATURE_MISSING: {
    when: 'The request is not signed.',
    remedy:
      'Sign every call below `/v1`: [signing.md](signing.md) shows how. Without a certificate, send it to `/sandbox/as/shop/v1/...`: the bank ' +
      'signs it for you.',
    provoke: '`curl $BANK/v1/accounts`.',
  },
  TIMESTAMP_INVALID: {
    when: 'The Date header is more than 60 seconds from the wall clock.',
    remedy: 'Set the Date of each call when you sign it. The bank clock has no part in this.',
    provoke: '`sandbank sign GET /v1/accounts --date 2020-01-01T00:00:00Z`.',
  },
} as const satisfies Readonly<Record<string, FaultAdvice>>;
