import { request as httpRequest } from 'node:http';
import { expect, test } from '@jest/globals';
import { connectBank } from '../../api/harness/index.ts';
import { ConsoleClient } from '../console/console-client.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { type TestBank, validCertificate } from '../lab/server.ts';
import { as, certified, clock, host, hostToken, make, signedStatus, startHost } from './credentials.ts';

/* docs/spec/control-plane.md H Strangers, H Rates, H One answer, C2b: who has no token of a bank learns nothing and costs it nothing. */

const rate = 5;
let server: TestBank;
const flags = ['--bank-rate', String(rate), '--trust-proxy', '1'];
const wall = startHost((started) => (server = started), { flags, stands: true });

/** A request that a proxy forwards for this address. */
const from = (address: string, path: string, headers: Record<string, string> = {}) =>
  server.raw('GET', path, { ...headers, 'x-forwarded-for': address });

const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };

test('H Strangers: the root trusts the CAs given alone; a certificate of a bank opens nothing there', async () => {
  const ofBank = await certified(server, 'trusted', await make(server, 'trusted'));
  for (const certificate of [validCertificate(), ofBank]) {
    const answer = await server.signed('POST', singlePath, { headers: psu, body: singlePayment(), certificate });
    expect([answer.status, answer.body.tppMessages[0].code]).toEqual([401, 'CERTIFICATE_INVALID']);
    wall.pass(10_000);
  }
  const made = await server.raw('POST', '/sandbox/certificates', as(hostToken), Buffer.from('{"name":"own"}'));
  const own = { ...validCertificate(), certificatePem: made.body.certificate, keyPem: made.body.key };
  const paid = await server.signed('POST', singlePath, { headers: psu, body: singlePayment(), certificate: own });
  expect(paid.status).toBe(201);
});

test('H Strangers: signed calls at the root have the rate of the banks, calls with the token of the host have none', async () => {
  const made = await server.raw('POST', '/sandbox/certificates', as(hostToken), Buffer.from('{"name":"fast"}'));
  const own = { ...validCertificate(), certificatePem: made.body.certificate, keyPem: made.body.key };
  const statuses: number[] = [];
  for (let call = 0; call <= rate; call += 1) {
    const { status } = await server.signed('GET', '/v1/sandbox/customers', { headers: psu, certificate: own });
    statuses.push(status);
  }
  expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
  const ofHost = await Promise.all(Array.from({ length: 3 * rate }, () => server.raw('GET', '/sandbox/clock', host)));
  expect(new Set(ofHost.map(({ status }) => status))).toEqual(new Set([200]));
});

test('H Rates: calls without a token have a bucket for each address, cost the bank nothing and are no use of it', async () => {
  const token = await make(server, 'quiet');
  const certificate = await certified(server, 'quiet', token);
  const used = async () => {
    const { body } = await server.raw('GET', '/sandbox/banks', host);
    return (body.banks as { name: string; used: string }[]).find(({ name }) => name === 'quiet')?.used;
  };
  wall.pass(10_000);
  const before = await used();
  const paths = ['/v1/accounts', '/docs', '/llms.txt', '/favicon.ico', '/', '/sandbox/info'];
  const flood = await Promise.all(
    Array.from({ length: 60 }, (_, at) => from('192.0.2.7', `/banks/quiet${paths[at % paths.length]}`)),
  );
  const statuses = flood.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(statuses.filter((status) => status === 401)).toHaveLength(rate);
  expect((await from('192.0.2.8', '/banks/quiet/docs')).status).toBe(401);
  expect(await used()).toBe(before);
  expect(flood.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1');
  // Its own calls pass, from the flooded address too.
  expect((await from('192.0.2.7', '/banks/quiet/sandbox/clock', as(token))).status).toBe(200);
  const signed = server.signedParts('GET', '/banks/quiet/v1/sandbox/customers', { certificate });
  expect((await from('192.0.2.7', '/banks/quiet/v1/sandbox/customers', signed.headers)).status).toBe(200);
});

test('H Rates: wrongly signed calls with a certificate of the bank are told why, and have a bucket of their own', async () => {
  const certificate = await certified(server, 'wrong', await make(server, 'wrong'));
  const target = '/banks/wrong/v1/sandbox/customers';
  const { headers } = server.signedParts('GET', target, { certificate });
  const wrong = Object.fromEntries(Object.entries(headers).filter(([header]) => !/^signature$/i.test(header)));
  const answers = [];
  // One certificate counts as one, in however many ways it is written.
  const spelled = (call: number): string =>
    Buffer.from(certificate.certificatePem.trim() + '\n'.repeat(call)).toString('base64');
  for (let call = 0; call <= rate; call += 1)
    answers.push(await server.raw('GET', target, { ...wrong, 'tpp-signature-certificate': spelled(call) }));
  expect(answers[0]?.body.tppMessages[0].code).toBe('SIGNATURE_MISSING');
  expect(answers.at(-1)?.status).toBe(429);
  // The rate of the bank is as it was.
  expect(await clock(server, 'wrong', hostToken)).toBe(200);
});

test('H One answer: without its token a bank and no bank answer alike, on every path', async () => {
  const [token, other] = [await make(server, 'there'), await make(server, 'other')];
  const certificate = await certified(server, 'there', token);
  const foreign = await certified(server, 'other', other);
  const paths = [
    ...['', '/', '/docs', '/docs/first-payment', '/llms.txt', '/favicon.ico', '/openapi.json', '/v1', '/v1/accounts'],
    ...['/api-sandbox/v1/accounts', '/sca/x', '/sca/6a1c5f3e-6c1e-4f0b-9d2a-3a9f1f0b7c55', '/sandbox', '/sandbox/info'],
    ...['/sandbox/landed', '/sandbox/landed/x', '/sandbox/landed?sca=x', '/sandbox/as/shop/v1/accounts', '/nothing'],
  ];
  const texts = new Set<string>();
  for (const path of paths) {
    for (const accept of ['*/*', 'text/html']) {
      for (const more of [{}, { authorization: `Bearer ${other}` }]) {
        const [one, none] = await Promise.all(
          ['there', 'nobank'].map(async (name) => {
            wall.pass(120_000);
            const { status, body } = await server.raw('GET', `/banks/${name}${path}`, { accept, ...more });
            return [status, JSON.stringify(body).replaceAll(name, 'NAME')];
          }),
        );
        expect([path, ...(one ?? [])]).toEqual([path, ...(none ?? [])]);
        expect([path, one?.[0]]).toEqual([path, 401]);
        texts.add(/No bank of this name is open to you/.exec(String(one?.[1]))?.[0] ?? `${path}: ${one?.[1]}`);
      }
    }
  }
  expect([...texts]).toEqual(['No bank of this name is open to you']);
  wall.pass(10_000);
  for (const signer of [foreign, validCertificate()])
    expect([await signedStatus(server, 'there', signer), await signedStatus(server, 'nobank', signer)]).toEqual([
      401, 401,
    ]);
  expect(await signedStatus(server, 'there', certificate)).toBe(200);
  wall.pass(10_000);
  const client = new ConsoleClient(server.address);
  const login = (await client.get('/banks/nobank/console')).text.replaceAll('nobank', 'there');
  expect((await client.get('/banks/there/console')).text).toBe(login);
  await client.post('/banks/there/console/session', { 'control-token': token });
  expect((await client.get('/banks/there/docs')).status).toBe(200);
});

test('H One answer: a live SCA opens its pages, and where it lands, to a PSU without a token', async () => {
  const token = await make(server, 'psu');
  const bank = await connectBank(server.address, { name: 'psu', token });
  const { scaRedirect } = await (async () => {
    const initiation = { headers: psu, body: JSON.stringify(singlePayment()) };
    const made = await (await bank.tpp().fetch(singlePath, { method: 'POST', ...initiation })).json();
    return { scaRedirect: (made as { _links: { scaRedirect: { href: string } } })._links.scaRedirect.href };
  })();
  const { pathname } = new URL(scaRedirect);
  const id = pathname.split('/').at(-1) ?? '';
  wall.pass(10_000);
  expect((await from('192.0.2.9', pathname)).status).toBe(200);
  expect((await from('192.0.2.9', `/banks/psu/sandbox/landed?sca=${id}`)).status).toBe(200);
  expect((await from('192.0.2.9', `/banks/psu/sca/${'0'.repeat(id.length)}`)).status).toBe(401);
});

test('H One answer, A7e: the id of a page of access opens it, to a PSU without a token; a wrong id opens nothing', async () => {
  const token = await make(server, 'access');
  const path = '/banks/access/sandbox/access/13039319955';
  const { body } = await server.raw('GET', path, as(token));
  const { pathname } = new URL(body.address);
  wall.pass(10_000);
  expect((await from('192.0.2.11', pathname)).status).toBe(200);
  expect((await from('192.0.2.11', `${pathname}x`)).status).toBe(401);
});

test('C2b: Expect: 100-continue with too large a length is 413 without a 100; a small one is told to go on', async () => {
  const ask = (length: number) =>
    new Promise<readonly [continued: boolean, status: number]>((resolve, reject) => {
      let continued = false;
      const headers = { expect: '100-continue', 'content-length': length, 'content-type': 'application/json', ...host };
      const asked = httpRequest(`${server.address}/sandbox/faults`, { method: 'POST', headers }, (answer) => {
        answer.resume();
        resolve([continued, answer.statusCode ?? 0]);
        asked.destroy();
      });
      asked.on('error', reject).on('continue', () => {
        continued = true;
        asked.end('x'.repeat(length));
      });
      asked.flushHeaders();
    });
  expect(await ask(2_000_000)).toEqual([false, 413]);
  expect(await ask(4)).toEqual([true, 400]);
});
