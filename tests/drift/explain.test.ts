import { describe, expect, test } from '@jest/globals';
import { listedProfile, quirksOf } from '../../api/start/profile.ts';
import { choiceOf, noQuirks, type Quirks } from '../../engine/bank/rules/quirk.ts';
import { recordingOf } from '../../scripts/drift/recording.ts';
import { type Drift, linesOf, tellDrift } from '../../scripts/drift/tell.ts';
import { someOf } from '../support/sample.ts';
import { baseRecording, put, withPlanted } from './planted.ts';

const on = (...texts: readonly string[]): Quirks => quirksOf({ quirks: Object.fromEntries(choiceOf(texts.join(','))) });

function told(entries: readonly unknown[], quirks: Quirks = noQuirks): Promise<Drift> {
  return tellDrift(recordingOf(entries), { quirks, accepted: new Set() });
}

const names = ({ quirks }: Drift): string[] =>
  quirks.map(({ name, value }) => (value === true ? name : `${name}=${value}`));

describe('DW3: a quirk explains a difference if its document does not have it', () => {
  const answering = [
    'bban-mod11',
    'id-lengths=transaction:241/payment:69/resource:49/unpadded',
    'no-transaction-ids',
    'pending-dates=both',
    'pending-dates=booking',
    'structured-references=strings',
    'structured-references=joined',
    'bank-codes=iso',
    'sca-query',
    'fee-indicator',
    'no-status-in-details',
    'pending-members=bare',
    'limit-cap=100',
  ];
  test.each(someOf('quirks of answers', answering, 2))('%s', async (quirk) => {
    const { entries } = await baseRecording({ quirks: [quirk] });
    const drift = await told(entries);
    // The document of a quirk may be narrower, and allow nothing more.
    if (drift.differences.length > 0) expect(names(drift)).toEqual([quirk]);
    expect(drift.differences.filter((one) => one.quirk !== quirk)).toEqual([]);
    expect((await told(entries, on(quirk))).differences).toEqual([]);
  });

  test('the smallest set, the quirk that explains most first; what is left is new', async () => {
    const base = await baseRecording({
      quirks: ['id-lengths=transaction:241/payment:69/resource:49/unpadded', 'pending-dates=both'],
    });
    const entries = withPlanted(base, 'balances', ({ answer }) => (answer.balances[0].risk = 1));
    const drift = await told(entries);
    expect(names(drift)).toEqual(['id-lengths=transaction:241/payment:69/resource:49/unpadded', 'pending-dates=both']);
    const [first, second] = drift.quirks.map(({ explains }) => explains);
    expect(first).toBeGreaterThan(second ?? 0);
    expect(drift.differences.filter(({ quirk }) => quirk === null)).toMatchObject([
      { member: 'balances[].risk', kind: 'added' },
    ]);
    expect(linesOf(drift)).toContain(
      `--quirks ${names(drift).join(',')} explains ${(first ?? 0) + (second ?? 0)} of ${(first ?? 0) + (second ?? 0) + 1}; left: GET /v1/accounts/{accountId}/balances balances[].risk added.`,
    );
  });

  test('a wrong word is explained by no quirk, and waived under none', async () => {
    const base = await baseRecording({ quirks: ['status-lag=PT26S'] });
    const entries = withPlanted(base, 'status', ({ answer }) => (answer.transactionStatus = 'ZZZZ'));
    for (const quirks of [noQuirks, on('status-lag=PT26S')]) {
      const { differences, quirks: proposed } = await told(entries, quirks);
      expect({ differences, proposed }).toMatchObject({
        differences: [{ member: 'transactionStatus', kind: 'value', bank: 'ZZZZ', quirk: null }],
        proposed: [],
      });
    }
  });

  test.each([
    ['of one entry', 'transactions'],
    ['of another entry', 'more transactions'],
  ])('a key of which a quirk explains all but one difference, %s: the one is told as new', async (_, at) => {
    const base = await baseRecording({ quirks: ['id-lengths=transaction:241'] });
    const place = base.places.get('transactions') ?? 0;
    const entries = [...base.entries, base.entries[place] as never];
    const places = new Map([...base.places, ['more transactions', base.entries.length]]);
    const planted = withPlanted({ entries, places }, at, ({ answer }) => {
      const [, one] = answer.transactions.booked;
      one.transactionId = one.transactionId.replace('!!', `!!${'x'.repeat(600)}`);
    });
    const [before, after] = [await told(entries), await told(planted)];
    const key = { member: 'transactions.booked[].transactionId', kind: 'value' };
    const explained = { ...key, quirk: 'id-lengths=transaction:241' };
    const count = before.differences[0]?.count ?? 0;
    expect(before.differences).toMatchObject([{ ...explained, count }]);
    expect(after.differences).toMatchObject([
      { ...explained, count: count - 1 },
      { ...key, quirk: null, count: 1, bank: expect.stringContaining('!!xxx') },
    ]);
    expect(linesOf(after)).toContain(
      `--quirks id-lengths=transaction:241 explains ${count - 1} of ${count}; left: GET /v1/accounts/{accountId}/transactions ${key.member} value.`,
    );
  });

  test('a key of which a quirk explains only the last differences: it is found', async () => {
    const { entries, places } = await baseRecording({ quirks: ['id-lengths=transaction:241'] });
    const shown = entries[places.get('transactions') ?? 0] as never;
    const only = {
      entries: [shown, shown, shown],
      places: new Map([
        ['first', 0],
        ['second', 1],
      ]),
    };
    const strange = ({
      answer,
    }: {
      readonly answer: { transactions: { booked: { transactionId: string }[] } };
    }): void => {
      for (const one of answer.transactions.booked)
        one.transactionId = one.transactionId.replace('!!', `!!${'x'.repeat(600)}`);
    };
    const planted = withPlanted({ ...only, entries: withPlanted(only, 'first', strange) }, 'second', strange);
    expect(names(await told(planted))).toEqual(['id-lengths=transaction:241']);
  });

  const uuid = '0d4e7a1c-2f5b-4c3a-9d1e-8b7f6a5c4d3e';
  const forms = [uuid, uuid.toUpperCase(), 'enc!!x', '-', 4711, 'x'.repeat(600), 'x'.repeat(69), null, [uuid]];
  test.each<readonly [at: string, member: string]>([
    ['transactions', 'transactions.booked[].transactionId'],
    ['accounts', 'accounts[].resourceId'],
    ['payment', 'paymentId'],
    ['bulk details', 'paymentId'],
    ['details', 'transactionStatus'],
  ])('of %s one %s has another form: no quirk explains it that has another difference there', async (at, member) => {
    const base = await baseRecording();
    const names = member.split('.').flatMap((name) => (name.endsWith('[]') ? [name.slice(0, -2), 0] : [name]));
    for (const form of someOf(`forms of ${at}`, forms, 2)) {
      const entries = withPlanted(base, at, ({ answer }) => {
        // Of several, others would be another difference.
        if (at === 'transactions') answer.transactions.booked.splice(1);
        put(answer, names, form);
      });
      const { differences, quirks } = await told(entries);
      const kind = typeof form === 'string' ? 'value' : 'type';
      expect({ form, differences, quirks }).toEqual({
        ...{ form, quirks: [] },
        differences: [expect.objectContaining({ member, kind, quirk: null, breaks: true })],
      });
    }
  });

  test('a bank that lacks a quirk of the given profile: switching it off explains that', async () => {
    const { entries } = await baseRecording();
    const drift = await told(entries, quirksOf(await listedProfile('bien-sparebank')));
    expect(drift.differences.length).toBeGreaterThan(0);
    expect(drift.quirks[0]).toMatchObject({ name: 'id-lengths', value: false });
  });
});
