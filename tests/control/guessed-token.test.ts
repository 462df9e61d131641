import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../engine/time/clock.ts';
import { ControlToken } from '../../api/pipeline/control-token.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';

/* C4: who guesses the control token. */

const token = 'the-token-of-this-server';
const [minute, hour] = [60_000, 3_600_000];

describe('C4: ten wrong tokens a minute from one address', () => {
  let now = 0;
  let gate: ControlToken;
  beforeEach(() => {
    gate = new ControlToken(token, { monotonic: () => now });
  });
  const guess = (address: string, times = 1, given = 'wrong') =>
    Array.from({ length: times }, () => gate.judge(given, address)).at(-1);

  test('then none is looked at, the right one neither, until the minute is over', () => {
    expect(guess('a', 10)).toBe('wrong');
    expect(guess('a')).toEqual({ retryAfter: 60 });
    now += 20_500;
    expect(guess('a', 1, token)).toEqual({ retryAfter: 40 });
    expect(guess('b', 1, token)).toBe('right');
    now += minute - 20_501;
    expect(guess('a', 1, token)).toEqual({ retryAfter: 1 });
    now += 1;
    expect(guess('a', 1, token)).toBe('right');
  });

  test('what is not looked at does not count: the minute ends', () => {
    guess('a', 10);
    now += minute - 1;
    expect(guess('a', 100)).toEqual({ retryAfter: 1 });
    now += 1;
    expect(guess('a', 10)).toBe('wrong');
  });

  test('the token that passed from there within the last hour still passes', () => {
    expect(guess('a', 1, token)).toBe('right');
    now += hour - 1;
    guess('a', 10);
    expect([guess('a'), guess('a', 1, token)]).toEqual([{ retryAfter: 60 }, 'right']);
    // From another address it has not passed.
    guess('b', 10);
    expect(guess('b', 1, token)).toEqual({ retryAfter: 60 });
  });

  test('one that passed an hour ago does not', () => {
    guess('a', 1, token);
    now += hour;
    guess('a', 10);
    expect(guess('a', 1, token)).toEqual({ retryAfter: 60 });
  });

  test('of 10,000 addresses; a request of no connection is not counted', () => {
    guess('a', 10);
    for (let other = 0; other < 9_999; other += 1) guess(`other-${other}`);
    expect(guess('a')).toEqual({ retryAfter: 60 });
    guess('one more');
    expect(guess('a')).toBe('wrong');
    for (let times = 0; times < 20; times += 1) expect(gate.judge('wrong', undefined)).toBe('wrong');
  });
});

describe('C4: on the wire', () => {
  let bank: TestBank;
  let passed = 0;
  const wall = { now: systemClock.now, monotonic: () => systemClock.monotonic() + passed };
  beforeAll(async () => {
    bank = await startTestBank('2027-03-24T12:00:00+01:00', ['--control-token', token, '--tpp-trust', 'any'], { wall });
  });
  beforeEach(() => {
    passed += 2 * hour;
  });
  afterAll(() => bank.stop());

  const bearer = (given: string, path = '/sandbox/clock') =>
    bank.raw('GET', path, { authorization: `Bearer ${given}` });
  const login = async (given: string) => {
    const body = new URLSearchParams({ 'control-token': given });
    const answer = await fetch(`${bank.address}/console/session`, { method: 'POST', body, redirect: 'manual' });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const sandboxData = (given: string) =>
    bank.signed('POST', '/v1/sandbox/initialize', { headers: { 'sandbank-control-token': given } });

  test('bearer, door, header and console share the ten, of all banks of the server', async () => {
    for (let times = 0; times < 4; times += 1) expect((await bearer('wrong')).status).toBe(401);
    expect((await bearer('wrong', '/sandbox/as/shop/v1/users')).status).toBe(401);
    for (let times = 0; times < 3; times += 1) expect((await sandboxData('wrong')).status).toBe(403);
    for (let times = 0; times < 2; times += 1) expect((await login('wrong')).status).toBe(401);

    for (const given of ['wrong', token]) {
      const problem = await bearer(given);
      expect([problem.status, problem.headers.get('retry-after')]).toEqual([
        429,
        expect.stringMatching(/^(?:60|5\d)$/),
      ]);
      expect(problem.body.detail).toContain('Too many wrong control tokens');
      expect((await bearer(given, '/sandbox/as/shop/v1/users')).status).toBe(429);
      const refusal = await sandboxData(given);
      expect([refusal.status, refusal.body.tppMessages[0].code]).toEqual([429, 'ACCESS_EXCEEDED']);
      expect(refusal.headers.get('retry-after')).toMatch(/^(?:60|5\d)$/);
      const page = await login(given);
      expect([page.status, page.headers.get('set-cookie')]).toEqual([429, null]);
      expect(page.headers.get('retry-after')).toMatch(/^(?:60|5\d)$/);
      expect(page.text).toContain('Too many wrong control tokens');
    }
    passed += minute;
    expect((await bearer(token)).status).toBe(200);
    for (let times = 0; times < 10; times += 1) await bearer('wrong');
    expect([(await bearer('wrong')).status, (await bearer(token)).status, (await login(token)).status]).toEqual([
      429, 200, 303,
    ]);
  });

  test('a request without a token is no guess', async () => {
    for (let times = 0; times < 20; times += 1) {
      expect((await bank.raw('GET', '/sandbox/clock')).status).toBe(401);
      expect((await login('')).status).toBe(401);
      expect((await bank.signed('POST', '/v1/sandbox/initialize')).status).toBe(403);
    }
    expect((await bearer('wrong')).status).toBe(401);
    expect((await bearer(token)).status).toBe(200);
  });
});
