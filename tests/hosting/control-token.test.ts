import { beforeAll, expect, test } from '@jest/globals';
import { ConsoleClient } from '../console/console-client.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { bearer, hostToken } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

/* docs/spec/control-plane.md K18: one control token opens everything, and there is one trust. */

const now = '2027-03-24T12:00:00+01:00';
const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
const as = (token: string) => ({ ...bearer(token), 'content-type': 'application/json' });
const server = testBank(now, ['--control-token', hostToken]);

beforeAll(async () => {
  const made = await server.raw('PUT', '/sandbox/banks/ci', as(hostToken), Buffer.from('{}'));
  expect(made.status).toBe(201);
});

const places = [
  '/sandbox/banks',
  '/sandbox/clock',
  '/banks/ci/sandbox/clock',
  '/banks/ci/sandbox/as/shop/openapi.json',
];

test.each(places)('K18: %s: 401 without the control token and with another one', async (path) => {
  for (const given of [{}, bearer('another-token-of-ours'), bearer(`${hostToken}x`), { authorization: hostToken }])
    expect((await server.raw('GET', path, given)).status).toBe(401);
  expect((await server.raw('GET', path, bearer(hostToken))).status).not.toBe(401);
});

test('K18: a name that no bank has is told so, with the names that there are', async () => {
  for (const given of [{}, bearer(hostToken)]) {
    const { status, body } = await server.raw('GET', '/banks/nobody/sandbox/clock', given);
    expect([status, body.allowed]).toEqual([404, ['ci']]);
  }
});

test('K18: any number of wrong tokens takes nothing from who has the right one', async () => {
  for (let count = 0; count < 30; count += 1)
    expect((await server.raw('GET', '/sandbox/clock', bearer(`wrong-${count}`))).status).toBe(401);
  expect((await server.raw('GET', '/sandbox/clock', bearer(hostToken))).status).toBe(200);
});

test('K18: one session opens the consoles of all banks, and another token none', async () => {
  const client = new ConsoleClient(server.address);
  const wrong = await client.post('/console/session', { 'control-token': 'another-token-of-ours' });
  expect([wrong.status, wrong.text.includes('This is not the control token of the server.')]).toEqual([401, true]);
  expect((await client.get('/banks/ci/console')).status).toBe(401);
  await client.post('/banks/ci/console/session', { 'control-token': hostToken });
  for (const path of ['/console', '/console/banks', '/banks/ci/console'])
    expect((await client.get(path)).status).toBe(200);
});

test('K18: a TPP that signs needs no token, at no bank; changes of sandbox data need it', async () => {
  for (const base of ['', '/banks/ci']) {
    const paid = await server.signed('POST', base + singlePath, { headers: psu, body: singlePayment() });
    expect(paid.status).toBe(201);
    const reset = (headers = {}) => server.signed('POST', `${base}/v1/sandbox/initialize`, { headers });
    expect((await reset()).body.tppMessages).toMatchObject([{ code: 'FORBIDDEN', path: 'sandbank-control-token' }]);
    expect((await reset({ 'sandbank-control-token': hostToken })).status).toBeLessThan(300);
  }
});
