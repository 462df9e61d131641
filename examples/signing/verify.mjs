import { createHash, verify, X509Certificate } from 'node:crypto';

const { BANK } = process.env;
const { certificate } = await (await fetch(`${BANK}/sandbox/bank-certificate`)).json();
const answer = await fetch(`${BANK}/sandbox/as/mine/v1/sandbox/customers`);
const body = Buffer.from(await answer.arrayBuffer());
if (answer.headers.get('digest') !== `SHA-256=${createHash('sha256').update(body).digest('base64')}`)
  throw new Error('digest');
const parts = Object.fromEntries(
  [...answer.headers.get('signature').matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
);
const string = parts.headers
  .split(' ')
  .map((name) => `${name}: ${name === '(status)' ? answer.status : answer.headers.get(name)}`)
  .join('\n');
const bank = new X509Certificate(certificate);
if (bank.validToDate < new Date()) throw new Error('expired');
if (!verify('sha256', Buffer.from(string), bank.publicKey, Buffer.from(parts.signature, 'base64')))
  throw new Error('signature');
console.log('verified');
