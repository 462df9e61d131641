import { expect, test } from '@jest/globals';
import type { Reply } from '../lab/server.ts';
import { testBankForEach } from '../support/test-bank.ts';

const server = testBankForEach('2026-11-23T10:00:00+01:00');

test.each(['bien-sparebank', 'sparebank1-ostlandet'])(
  'D3e: over HTTP a named bank of the profile %s does with its lives what its forecast tells, step by step',
  async (profile) => {
    const call = async (method: 'GET' | 'POST', path: string, body?: object): Promise<Reply['body']> => {
      const { status, body: answer } = await server.control(method, path, body);
      expect([path, status < 300]).toEqual([path, true]);
      return answer;
    };
    await call('POST', '/sandbox/banks', { name: 'lived', profile });
    const own = '/banks/lived/sandbox';
    const { accounts } = await call('GET', `${own}/accounts`);
    const inNok = (accounts as readonly { currency: string; number: string }[]).filter(
      ({ currency }) => currency === 'NOK',
    );
    for (const [index, persona] of ['family', 'short-of-funds', 'shop'].entries()) {
      await call('POST', `${own}/life`, { account: inNok[index * 2]?.number, persona, months: 2 });
    }
    const told = await call('GET', `${own}/forecast?to=P40D`);
    const foreseen = Map.groupBy(
      told.executions as readonly { run: { at: string }; outcome: string }[],
      ({ run }) => run.at,
    );
    const made = new Map<string, unknown>();
    for (let day = 0; day < 40; day += 8) {
      const { runs } = await call('POST', `${own}/clock/advance`, { by: 'P8D' });
      for (const { at, settled, retried, rejected } of runs as readonly Record<string, number | string>[])
        if (Number(settled) + Number(retried) + Number(rejected) > 0)
          made.set(String(at), { settled, retried, rejected });
    }
    const count = (all: readonly { outcome: string }[], wanted: string) =>
      all.filter(({ outcome }) => outcome === wanted).length;
    const lines = [...foreseen].map(([at, all]) => {
      return [at, { settled: count(all, 'settle'), retried: count(all, 'retry'), rejected: count(all, 'reject') }];
    });
    expect(lines.length).toBeGreaterThan(5);
    expect([...made]).toEqual(lines);
    expect((await call('GET', `${own}/ledger/proof`)).ok).toBe(true);
  },
);
