import { readFileSync } from 'node:fs';
import { get as getOverHttp } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { systemClock } from '../../engine/time/clock.ts';
import { signHeaders } from '../../api/signing/signature/sign-request.ts';
import { periodicPath, periodicPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { interfaceItems } from '../support/interface-document.ts';
import { startTestBank, validCertificate } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const uuid = '4eba4445-1a4b-47b8-bdd5-4e56ef026b19';
const singleSca = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
const bank = testBank('2027-03-24T12:00:00+01:00');

/** What a TPP forwards or prefers; the signer adds Digest, Date, certificate, signature and X-Request-ID, fetch Host. */
const optional = {
  Accept: 'application/json',
  'Accept-Charset': 'utf-8',
  'Accept-Encoding': 'gzip, br',
  'Accept-Language': 'nb-NO, en;q=0.5',
  'x-accept-fix': 'longer-names,groupBatchTransactions',
  'TPP-Session-ID': 'session-1',
  'TPP-Redirect-URI': 'https://tpp.example/back',
  'TPP-Redirect-Preferred': 'false',
  'X-PSU-IDENTITY': '13039319955',
  'X-PSU-AuthMethod-Preferred': 'HA2',
  'PSU-Context': 'PRIVATE',
  'PSU-IP-Address': '2001:db8::1',
  'PSU-IP-Port': '443',
  'PSU-User-Agent': 'Mozilla/5.0 (X11; Linux)',
  'PSU-Accept': 'text/html',
  'PSU-Accept-Charset': 'utf-8',
  'PSU-Accept-Encoding': 'gzip',
  'PSU-Accept-Language': 'nb-NO',
  'PSU-HTTP-Method': 'POST',
  'PSU-Device-ID': uuid,
  'PSU-Geo-Location': 'GEO:59.91,10.75',
  'ASPSP-ID': '9057',
};
const lowerCase = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));

describe('interface, Request headers', () => {
  test('interface, Request headers: E8: all of them at once are taken, and then PSU-ID and PSU-Corporate-ID', async () => {
    const first = await bank.signed('POST', periodicPath, { body: periodicPayment(), headers: lowerCase(optional) });
    expect(first.status).toBe(201);
    expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(first.headers.get('content-encoding')).toBeNull();
    const users = await bank.signed('GET', '/v1/users');
    const more = { psu: '18129215603', context: 'CORPORATE' };
    const { searchParams } = await bank.approve(users.body, more.psu, more);
    const ids = {
      'psu-id': searchParams.get('psu-id') ?? '',
      'psu-corporate-id': searchParams.get('psu-corporate-id') ?? '',
    };
    const headers = { ...lowerCase(optional), ...ids, 'x-psu-identity': null, 'psu-context': 'CORPORATE' };
    const body = periodicPayment({ debtorAccount: { bban: '34110000016', currency: 'NOK' } });
    expect((await bank.signed('POST', periodicPath, { body, headers })).status).toBe(201);
    const sent = new Set([
      ...Object.keys({ ...lowerCase(optional), ...ids }),
      'host',
      'x-request-id',
      'date',
      'digest',
    ]);
    for (const name of ['signature', 'tpp-signature-certificate']) sent.add(name);
    const document = readFileSync('docs/spec/interface.md', 'utf8');
    const section = 'Request headers of the periodic initiation operation';
    const named = interfaceItems(document).filter((item) => item.section === section);
    expect(named.map(({ key }) => key.toLowerCase()).sort()).toEqual([...sent].sort());
  });
});

test('interface, What the service does 4: a body in another charset is refused', async () => {
  const headers = { ...singleSca, 'content-type': 'application/json; charset=iso-8859-1' };
  const { status, body } = await bank.signed('POST', singlePath, { body: singlePayment(), headers });
  expect([status, body.tppMessages[0].code]).toEqual([415, 'FORMAT_ERROR']);
});

test('interface, Limits: an iban of more than 34 characters is refused', async () => {
  const creditorAccount = { iban: `NO${'1'.repeat(33)}`, currency: 'NOK' };
  const { status, body } = await bank.signed('POST', singlePath, {
    body: singlePayment({ creditorAccount }),
    headers: singleSca,
  });
  expect([status, body.tppMessages[0]]).toMatchObject([400, { code: 'FORMAT_ERROR', path: 'creditorAccount.iban' }]);
});

test('interface, TPP authentication 4: E8: answers carry no signature', async () => {
  const { status, headers } = await bank.signed('GET', '/v1/sandbox/customers');
  expect(status).toBe(200);
  for (const name of ['signature', 'digest', 'tpp-signature-certificate']) expect(headers.get(name)).toBeNull();
});

test('interface, Transport: Host: the SCA address is on the host that was asked, or on the public address', async () => {
  const proxied = await startTestBank('2027-03-24T12:00:00+01:00', ['--public-url', 'https://bank.example']);
  const offered = await proxied.signed('GET', '/v1/users');
  expect(offered.body._links.scaRedirect.href).toMatch(/^https:\/\/bank\.example\/sca\/[\w-]{32}$/);
  await proxied.stop();
  expect(await askedAs('sandbox.test:9999')).toMatch(/^http:\/\/sandbox\.test:9999\/sca\/[\w-]{32}$/);
});

/** The scaRedirect of GET /v1/users with a Host that fetch would not send. */
async function askedAs(host: string): Promise<string> {
  const target = '/v1/users';
  const { certificatePem: certificate, keyPem: key } = validCertificate();
  const headers = { 'tpp-redirect-uri': 'https://tpp.example/back' };
  const signing = { method: 'GET', target, headers, body: new Uint8Array(), certificate, key, date: systemClock.now() };
  const signed = signHeaders({ ...signing, requestId: uuid });
  const text = await new Promise<string>((resolve, reject) => {
    getOverHttp(bank.address + target, { headers: { ...headers, ...signed, host } }, (response) => {
      response.setEncoding('utf8');
      let received = '';
      response.on('data', (part: string) => (received += part));
      response.on('end', () => resolve(received));
    }).on('error', reject);
  });
  return (JSON.parse(text) as { _links: { scaRedirect: { href: string } } })._links.scaRedirect.href;
}
