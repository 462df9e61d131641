import { createHash, randomUUID, sign, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

const { BANK, KEY_ID } = process.env;
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
  digest: `SHA-256=${createHash('sha256').update(body).digest('base64')}`,
  'x-request-id': randomUUID(),
  'tpp-redirect-uri': `${BANK}/sandbox/landed`,
};
const string = Object.entries(signed)
  .map(([name, value]) => `${name}: ${value}`)
  .join('\n');
const signature = sign('sha256', Buffer.from(string), readFileSync('mine.key.pem')).toString('base64');
const answer = await fetch(BANK + target, {
  method: 'POST',
  headers: {
    ...signed,
    'tpp-signature-certificate': new X509Certificate(readFileSync('mine.cert.pem')).raw.toString('base64'),
    signature: `keyId="${KEY_ID}",algorithm="rsa-sha256",headers="${Object.keys(signed).join(' ')}",signature="${signature}"`,
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
