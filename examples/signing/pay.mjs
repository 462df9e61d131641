import { createHash, randomUUID, sign, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

export function digest(body) {
  return `SHA-256=${createHash('sha256').update(body).digest('base64')}`;
}

/** The headers that prove these headers, which are signed in their order. */
export function prove(signed, certificate, key, keyId) {
  const string = Object.entries(signed)
    .map(([name, value]) => `${name}: ${value.trim()}`)
    .join('\n');
  const signature = sign('sha256', Buffer.from(string), key).toString('base64');
  return {
    'tpp-signature-certificate': new X509Certificate(certificate).raw.toString('base64'),
    signature: `keyId="${keyId}",algorithm="rsa-sha256",headers="${Object.keys(signed).join(' ')}",signature="${signature}"`,
  };
}

async function pay({ BANK, KEY_ID }) {
  const target = '/v1/payments/norwegian-domestic-credit-transfers?allowLogicalDuplicate=true';
  const body = JSON.stringify({
    instructedAmount: { amount: '250.00', currency: 'NOK' },
    debtorAccount: { bban: '09232911044', currency: 'NOK' },
    creditorAccount: { bban: '90491105991', currency: 'NOK' },
    creditorName: 'Company 123',
    remittanceInformationUnstructured: 'Kredittrente',
  });
  const signed = {
    date: new Date().toUTCString(),
    digest: digest(body),
    'x-request-id': randomUUID(),
    'tpp-redirect-uri': `${BANK}/sandbox/landed`,
  };
  const answer = await fetch(BANK + target, {
    method: 'POST',
    headers: {
      ...signed,
      ...prove(signed, readFileSync('mine.cert.pem'), readFileSync('mine.key.pem'), KEY_ID),
      'content-type': 'application/json',
      accept: 'application/json',
      'psu-ip-address': '127.0.0.1',
      'tpp-session-id': 'mine',
      'x-psu-identity': '13039319955',
      'psu-context': 'PRIVATE',
    },
    body,
  });
  console.log(await answer.text(), answer.status);
}

if (process.argv[1]?.endsWith('pay.mjs')) await pay(process.env);
