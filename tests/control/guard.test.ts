import { describe, expect, test } from '@jest/globals';
import { changeRows } from '../lab/rows.ts';
import { openControl } from './control-client.ts';
import { forAll } from '../support/test-bank.ts';

const now = '2027-03-24T12:00:00+01:00';
const control = forAll(
  () => openControl(now, { flags: ['--allowed-hosts', 'bank.test, Other.Test:7263'] }),
  (own) => own.close(),
);
const locked = forAll(
  () => openControl(now, { flags: ['--control-token', 'the-secret-token-1'] }),
  (own) => own.close(),
);

describe('the Host must be one of ours, so that a rebound name does not reach the control plane', () => {
  test.each([
    ['localhost', 200],
    ['LOCALHOST:7263', 200],
    ['127.0.0.1:1', 200],
    ['[::1]:7263', 200],
    ['[::1]', 200],
    ['bank.test:9', 200],
    ['other.test:7263', 200],
    ['other.test:8081', 403],
    ['evil.test', 403],
    ['localhost.evil.test', 403],
    ['evil.test:localhost', 403],
    ['127.0.0.1.evil.test', 403],
    ['192.168.0.1', 403],
  ])('%j: %i', async (host, status) => {
    const answer = await control.send('GET', '/sandbox/clock', { headers: { host } });
    expect(answer.status).toBe(status);
    if (status === 403)
      expect(answer.body).toMatchObject({ status, title: 'Forbidden', allowed: expect.arrayContaining(['localhost']) });
  });
});

describe('a request of a web page is taken from the same host only', () => {
  test.each([
    ['http://localhost:7263', 'localhost:7263', 200],
    ['http://localhost', 'localhost:80', 200],
    ['https://localhost', 'localhost:443', 200],
    ['http://localhost:3000', 'localhost:7263', 403],
    ['http://evil.test', 'localhost', 403],
    ['null', 'localhost', 403],
    ['file://', 'localhost', 403],
  ])('Origin %s on %s: %i', async (origin, host, status) => {
    expect((await control.send('GET', '/sandbox/clock', { headers: { origin, host } })).status).toBe(status);
  });

  test('no answer carries a CORS header, a preflight neither', async () => {
    const preflight = { origin: 'http://evil.test', 'access-control-request-method': 'POST' };
    for (const headers of [{}, preflight, { ...preflight, origin: 'http://localhost', host: 'localhost' }]) {
      const answer = await control.send('OPTIONS', '/sandbox/reset', { headers });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('C19: the bearer token, where one is set', () => {
  test.each([
    [null, 401],
    ['Bearer the-secret-token-1', 200],
    ['bearer the-secret-token-1', 200],
    ['Bearer the-secret-token-2', 401],
    ['Bearer the-secret-token-11', 401],
    ['Bearer', 401],
    ['Basic the-secret-token-1', 401],
  ])('%j: %i', async (authorization, status) => {
    const answer = await locked.send('GET', '/sandbox/clock', { headers: { authorization } });
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  test('it is never shown', async () => {
    const info = await locked.send('GET', '/sandbox/info', { headers: { authorization: 'Bearer the-secret-token-1' } });
    expect(info.status).toBe(200);
    expect(info.body.configuration.controlTokenIsSet).toBe(true);
    expect(JSON.stringify(info.body)).not.toContain('the-secret-token-1');
  });
});

describe('what is no call of the control plane', () => {
  test.each([
    ['GET', '/sandbox', 404],
    ['GET', '/sandbox/clocks', 404],
    ['GET', '/sandbox/CLOCK', 404],
    ['GET', '/sandbox/payment', 404],
    ['DELETE', '/sandbox/clock', 405],
    ['GET', '/sandbox/reset', 405],
    ['POST', '/sandbox/payments/x', 405],
    ['GET', '/sandbox/payments/%E0%A4%A', 400],
    ['GET', '/sandbox/clock?mode=frozen', 400],
  ])('%s %s: %i, as a problem', async (method, target, status) => {
    const answer = await control.send(method, target);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.body).toMatchObject({
      type: 'about:blank',
      status,
      title: expect.any(String),
      detail: expect.any(String),
    });
  });

  test('405 names the methods', async () => {
    const answer = await control.send('DELETE', '/sandbox/clock');
    expect(answer.headers['allow']).toBe('GET, PUT');
    expect(answer.body.allowed).toEqual(['GET', 'PUT']);
  });

  test.each([
    [null],
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['application/jsonp'],
    ['application/json; charset=latin1'],
  ])(
    'C1: a call that changes something with content type %j: 415 with a body, and none is needed without',
    async (type) => {
      const headers = { 'content-type': type };
      expect((await control.send('POST', '/sandbox/reset', { headers, body: '{}' })).status).toBe(415);
      expect((await control.send('POST', '/sandbox/reset', { headers })).status).toBe(200);
      expect((await control.send('DELETE', '/sandbox/faults', { headers })).status).toBe(200);
      // It misses its members then, and not its type.
      expect((await control.send('PUT', '/sandbox/clock', { headers })).status).toBeLessThan(401);
      const chunked = { ...headers, 'transfer-encoding': 'chunked' };
      expect((await control.send('POST', '/sandbox/reset', { headers: chunked })).status).toBe(415);
    },
  );

  test.each([
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://evil.test' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'none' }, 200],
  ])('C1: a write with %j: %i before its token, its type and its body are looked at', async (headers, status) => {
    const all = [
      ['POST', '/sandbox/reset'],
      ['DELETE', '/sandbox/faults'],
      ['PUT', '/sandbox/clock'],
      ['POST', '/sandbox/nothing'],
    ] as const;
    for (const [method, path] of all.slice(0, status === 200 ? 2 : 4)) {
      expect((await control.send(method, path, { headers: { ...headers, 'content-type': null } })).status).toBe(status);
      if (status !== 403) continue;
      for (const client of [control, locked]) {
        const more = { ...headers, 'content-type': 'text/plain', authorization: null };
        expect((await client.send(method, path, { headers: more, body: 'x' })).status).toBe(403);
      }
    }
  });

  test.each([
    ['{"by": "P1D"', 400, 'not JSON'],
    ['{"__proto__":{}}', 400, '__proto__'],
    ['[]', 400, 'a list'],
    ['null', 400, 'null'],
    ['"x"', 400, 'string'],
    ['{"by":"P1D","by":"P2D"}', 400, 'twice'],
    [`${'['.repeat(1_000)}`, 400, 'nested'],
    [`${'['.repeat(100_000)}`, 400, 'more than any call takes'],
    [`{"by":"${'P'.repeat(256 * 1024)}"}`, 413, 'too large'],
  ])('a body that is none (%#)', async (body, status, detail) => {
    const answer = await control.send('POST', '/sandbox/clock/advance', { body });
    expect([answer.status, answer.body.detail]).toEqual([status, expect.stringContaining(detail)]);
  });

  test('a compressed body: 415', async () => {
    const headers = { 'content-encoding': 'gzip' };
    expect((await control.send('POST', '/sandbox/reset', { headers, body: '{}' })).status).toBe(415);
  });

  test('every fault of a body is told, with its path', async () => {
    const { status, body } = await control.send('PUT', '/sandbox/clock', {
      body: { now: 'noon', mode: 'fast', zone: 1 },
    });
    expect(status).toBe(400);
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(['mode', 'now', 'zone']);
  });

  test('nothing of all this was logged: a refusal is no error', () => {
    expect([...control.logged, ...locked.logged]).toEqual([]);
  });
});

test('what nobody expected is a 500 without detail, and logged', async () => {
  await using broken = await openControl(now);
  await changeRows(broken.bank, 'drop table bank_state');
  const answer = await broken.get('/sandbox/clock');
  expect([answer.status, Object.keys(answer.body)]).toEqual([500, ['type', 'title', 'status', 'detail']]);
  expect(answer.body.detail).not.toMatch(/bank_state|table|driver/);
  expect(broken.logged).toHaveLength(1);
});

test('K1: health answers at once, ready when it is, and neither to no host in particular', async () => {
  const headers = { host: '10.1.2.3' };
  const ask = async (path: string) => {
    const { status, body } = await control.send('GET', path, { headers });
    return [status, body.status];
  };
  expect(await ask('/health')).toEqual([200, 'alive']);
  expect(await ask('/ready')).toEqual([503, 'starting']);
  control.readiness.ready(control.bank.ledger);
  expect(await ask('/ready')).toEqual([200, 'ready']);
  control.bank.ledger.stop('the books');
  expect(await ask('/ready')).toEqual([503, 'broken']);
  expect(await ask('/health')).toEqual([200, 'alive']);
});
