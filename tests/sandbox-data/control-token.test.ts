import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { endpoints } from '../../api/interface/index.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { startTestBank, type Reply, type TestBank } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const token = 'the-secret-token-1';
const header = 'sandbank-control-token';
const initialize = '/v1/sandbox/initialize';
let bank: TestBank;
const open = testBank('2027-03-24T12:00:00+01:00');

/** So that each test has its ten wrong tokens. */
let minutes = 0;
const wall = { now: systemClock.now, monotonic: () => systemClock.monotonic() + minutes * 60_000 };
beforeEach(() => {
  minutes += 1;
});

beforeAll(async () => {
  bank = await startTestBank('2027-03-24T12:00:00+01:00', ['--control-token', token, '--tpp-trust', 'any'], { wall });
});
afterAll(() => bank.stop());

const changing = endpoints
  .filter(({ method, path }) => path.startsWith('/sandbox') && method !== 'GET')
  .map(({ method, path }) => [method, `/v1${path.replace(/:\w+/g, 'x')}`] as const);

test('the table has every way to change sandbox data', () => {
  const methods = new Set(changing.map(([method]) => method));
  expect([changing.length > 10, methods.has('POST'), methods.has('DELETE')]).toEqual([true, true, true]);
});

describe('G1: where a control token is set, what changes sandbox data asks for it', () => {
  test.each(changing)('%s %s', async (method, target) => {
    for (const value of [null, 'the-secret-token-2', 'the-secret-token-11', `Bearer ${token}`]) {
      const { status, body } = await bank.signed(method, target, { headers: { [header]: value }, body: {} });
      expect(status).toBe(403);
      expect(body.tppMessages).toEqual([
        { category: 'ERROR', code: 'FORBIDDEN', path: header, text: expect.stringContaining('Sandbank-Control-Token') },
      ]);
      expect(JSON.stringify(body)).not.toContain(token);
    }
    const right = await bank.signed(method, target, { headers: { [header]: token }, body: {} });
    // What it then says of a resource or a body that is none is another matter.
    expect(right.body?.tppMessages?.[0].code).not.toBe('FORBIDDEN');
  });

  test('nothing was done without it', async () => {
    const before = (await bank.bank.ledger.read((reader) => reader.selectFrom('customer').select('id').execute()))
      .length;
    const customer = { customerNumber: '11111111111', name: 'Kari', customerType: 'private' };
    expect((await bank.signed('POST', '/v1/sandbox/customers', { body: customer })).status).toBe(403);
    const after = (await bank.bank.ledger.read((reader) => reader.selectFrom('customer').select('id').execute()))
      .length;
    expect(after).toBe(before);
  });

  test('under /api-sandbox/v1 and in a named bank alike', async () => {
    expect((await bank.signed('POST', `/api-sandbox${initialize}`)).status).toBe(403);
    const authorization = `Bearer ${token}`;
    const json = { authorization, 'content-type': 'application/json' };
    await bank.raw('POST', '/sandbox/banks', json, Buffer.from('{"name":"demo"}'));
    expect((await bank.signed('POST', `/banks/demo${initialize}`)).status).toBe(403);
    const right = await bank.signed('POST', `/banks/demo${initialize}`, { headers: { [header]: token } });
    expect(right.status).toBe(200);
  });

  test('E6b: a provoked FORBIDDEN names the header as the real one does', async () => {
    const control = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await bank.raw('POST', '/sandbox/faults', control, Buffer.from('{"code":"FORBIDDEN"}'));
    const shape = ({ status, body }: Reply) => [status, body.tppMessages[0].code, body.tppMessages[0].path];
    const struck = await bank.signed('POST', initialize, { headers: { [header]: token } });
    expect(struck.body.tppMessages[0].text).toContain('Provoked');
    expect(shape(struck)).toEqual(shape(await bank.signed('POST', initialize)));
  });

  test('reading does not, and nothing does where none is set', async () => {
    expect((await bank.signed('GET', '/v1/sandbox/customers')).status).toBe(200);
    expect((await open.signed('POST', initialize)).status).toBe(200);
  });
});

describe('G1: after the signature, before headers, content type and body', () => {
  test('an unsigned call is refused for the signature, with the token or without', async () => {
    for (const headers of [{}, { [header]: token }] as Record<string, string>[]) {
      const { status, body } = await bank.raw('POST', initialize, headers);
      expect([status, body.tppMessages[0].code]).toEqual([400, 'SIGNATURE_MISSING']);
    }
  });

  test('what else is wrong with a call is told to who has the token', async () => {
    const wrong = { headers: { 'content-type': 'text/plain' }, body: '{' };
    expect((await bank.signed('POST', '/v1/sandbox/customers', wrong)).status).toBe(403);
    const told = await bank.signed('POST', '/v1/sandbox/customers', {
      ...wrong,
      headers: { ...wrong.headers, [header]: token },
    });
    expect([told.status, told.body.tppMessages[0].code]).toEqual([415, 'FORMAT_ERROR']);
  });
});
