import { describe, expect, test } from '@jest/globals';
import { type AccountReader, createBank, type TransactionPeriod } from '../../api/harness/index.ts';
import { anne, harnessBank, nora, stranger } from './harness-bank.ts';

/* What a reader does beside the plain readings of tpp.test.ts. */
const held = harnessBank();

const refusedFifth = { name: 'BankError', status: 429, code: 'ACCESS_EXCEEDED' };

describe('A8: unattended', () => {
  const reads: readonly (readonly [string, (reader: AccountReader, unattended: boolean) => Promise<unknown>])[] = [
    ['balances', (reader, unattended) => reader.balances(nora.bban, { unattended })],
    ['transactions', (reader, unattended) => reader.transactions(nora.bban, { unattended })],
    [
      'transaction',
      async (reader, unattended) => reader.transaction(nora.bban, await bookedId(reader), { unattended }),
    ],
  ];

  test.each(reads)('the fifth reading of %s in 24 hours is refused, one of the PSU is not', async (_name, read) => {
    const tpp = held.bank.tpp();
    await tpp.pay({ from: nora.bban, to: stranger, amount: '250.00' });
    await held.bank.clock.advance({ runs: 2 });
    const reader = await tpp.consent({ psu: nora.psu });
    for (let count = 0; count < 4; count += 1) await read(reader, true);
    await expect(read(reader, true)).rejects.toMatchObject(refusedFifth);
    await read(reader, false);
    await held.bank.clock.advance('PT24H');
    await read(reader, true);
  });

  test('no request of it says that the PSU is there, and the list of accounts is not counted', async () => {
    const reader = await held.bank.tpp().consent({ psu: nora.psu });
    for (let count = 0; count < 6; count += 1) await reader.accounts({ unattended: true });
    await reader.balances(nora.bban, { unattended: true });
    await reader.accounts();
    const list = await held.bank.fetch('/sandbox/requests?limit=9');
    const { requests } = await list.json<{ requests: readonly { requestId: string }[] }>();
    const sent = await Promise.all(
      requests.map(async ({ requestId }) => (await held.bank.fetch(`/sandbox/requests/${requestId}`)).text()),
    );
    // The latest first: that of the PSU, and those of the balances and the six lists.
    const isPsus = sent.map((text) => /psu-ip-address/i.test(text));
    expect(isPsus).toEqual([true, ...Array<boolean>(8).fill(false)]);
  });
});

test('Q10: reads all pages of a bank that links none', async () => {
  const booked = async (quirks: readonly 'no-next-link'[]): Promise<readonly unknown[]> => {
    await using bank = await createBank({ now: '2027-01-12T12:00:00+01:00', fixtures: 'a-year-of-life', quirks });
    return (await (await bank.tpp().consent({ psu: nora.psu })).transactions(nora.bban)).booked;
  };
  const all = await booked([]);
  expect(all.length).toBeGreaterThan(200);
  expect(await booked(['no-next-link'])).toEqual(all);
});

/** The id of the only booked transaction of Nora. */
async function bookedId(reader: AccountReader): Promise<string> {
  const { booked } = await reader.transactions(nora.bban);
  return booked[0]?.transactionId ?? '';
}

describe('reader.transaction', () => {
  test('has the transfers of a bulk payment in entryDetails', async () => {
    const tpp = held.bank.tpp();
    const payments = [
      { to: stranger, amount: '10.00' },
      { to: anne.bban, amount: '20.00' },
    ];
    await tpp.pay({ from: nora.bban, payments });
    await held.bank.clock.advance({ runs: 2 });
    const reader = await tpp.consent({ psu: nora.psu });
    const { booked } = await reader.transactions(nora.bban);
    expect(booked).toMatchObject([{ batchIndicator: true, batchNumberOfTransactions: 2 }]);
    const { entryDetails, ...whole } = await reader.transaction(nora.bban, booked[0]?.transactionId ?? '');
    expect(whole).toEqual(booked[0]);
    expect(entryDetails?.map(({ transactionAmount }) => transactionAmount.amount).toSorted()).toEqual([
      '-10.00',
      '-20.00',
    ]);
  });

  test('one that the account does not have, and no id', async () => {
    const reader = await held.bank.tpp().consent({ psu: nora.psu });
    for (const odd of ['none', '../balances', 'a b?c'])
      await expect(reader.transaction(nora.bban, odd)).rejects.toMatchObject({ name: 'BankError', status: 403 });
    await expect(reader.transaction(anne.bban, 'none')).rejects.toMatchObject({
      status: 404,
      code: 'RESOURCE_UNKNOWN',
    });
    await expect(reader.transaction(nora.bban, undefined as unknown as string)).rejects.toThrow(
      'reader.transaction takes a transactionId, and got undefined.',
    );
  });
});

describe('A7: psu.revoke', () => {
  test('ends the consent, which the next reading finds out', async () => {
    const reader = await held.bank.tpp().consent({ psu: nora.psu });
    const other = await held.bank.tpp({ name: 'other' }).consent({ psu: nora.psu });
    await reader.accounts();
    await held.bank.psu(nora.psu).revoke(reader);
    await expect(reader.accounts()).rejects.toMatchObject({ name: 'BankError', status: 401, code: 'CONSENT_INVALID' });
    await expect(reader.balances(nora.bban)).rejects.toMatchObject({ status: 401, code: 'CONSENT_INVALID' });
    expect((await other.accounts()).length).toBeGreaterThan(0);
  });

  test('of a corporation leaves those of others', async () => {
    const signer = '17818050100';
    const tpp = held.bank.tpp();
    const reader = await tpp.consent({ psu: signer, context: 'CORPORATE' });
    await tpp.consent({ psu: nora.psu });
    await held.bank.psu(signer).revoke(reader);
    await expect(reader.accounts()).rejects.toMatchObject({ status: 401, code: 'CONSENT_INVALID' });
    const consents = await (await held.bank.fetch('/sandbox/consents')).json<{ consents: readonly object[] }>();
    expect(consents.consents).toMatchObject([
      { context: 'CORPORATE', endedAt: expect.any(String) },
      { context: 'PRIVATE', endedAt: null },
    ]);
  });

  test('a consent again after a revocation can be revoked again', async () => {
    const tpp = held.bank.tpp();
    for (let count = 0; count < 2; count += 1) {
      const reader = await tpp.consent({ psu: nora.psu });
      await reader.accounts();
      await held.bank.psu(nora.psu).revoke(reader);
      await expect(reader.accounts()).rejects.toMatchObject({ status: 401 });
    }
  });

  test("another PSU's, one that grants nothing, and no consent are refused", async () => {
    const reader = await held.bank.tpp().consent({ psu: nora.psu });
    const refused = { name: 'BankError', status: 404, code: 'NOT_FOUND' };
    await expect(held.bank.psu(anne.psu).revoke(reader)).rejects.toMatchObject(refused);
    await expect(held.bank.psu(anne.psu).revoke(reader)).rejects.toThrow(
      `The PSU ${anne.psu} cannot revoke this consent: it is a consent of the PSU ${nora.psu}.`,
    );
    await reader.accounts();
    const nothing = await held.bank.tpp({ name: 'third' }).consent({ psu: nora.psu, accounts: [] });
    await expect(held.bank.psu(nora.psu).revoke(nothing)).rejects.toMatchObject(refused);
    const text = 'psu.revoke takes the consent that tpp.consent returned, and got ';
    for (const odd of ['7', undefined, Promise.resolve(reader)])
      await expect(held.bank.psu(nora.psu).revoke(odd as unknown as AccountReader)).rejects.toThrow(text);
  });
});

describe('an option of a reader that it does not have is refused', () => {
  const calls: readonly (readonly [string, (reader: AccountReader, options: object) => Promise<unknown>])[] = [
    ['accounts', (reader, options) => reader.accounts(options)],
    ['balances', (reader, options) => reader.balances(nora.bban, options)],
    ['transactions', (reader, options) => reader.transactions(nora.bban, options)],
    ['transaction', (reader, options) => reader.transaction(nora.bban, 'none', options)],
  ];

  test.each(calls)('reader.%s', async (name, call) => {
    const reader = await held.bank.tpp().consent({ psu: nora.psu });
    await expect(call(reader, { unatended: true })).rejects.toThrow(
      `reader.${name} has no option unatended; the nearest is unattended. It has `,
    );
    await expect(call(reader, { unattended: 'yes' })).rejects.toThrow(
      `reader.${name} takes true or false in unattended, and got "yes".`,
    );
    for (const odd of ['2027-03-01', null, 5, ['2027-03-01'], new Date(0), Promise.resolve({})])
      await expect(call(reader, odd as unknown as object)).rejects.toThrow(`reader.${name} takes {`);
  });

  test('a period has dates that are texts', async () => {
    const reader = await held.bank.tpp().consent({ psu: nora.psu });
    const period = { from: new Date(0) } as unknown as TransactionPeriod;
    await expect(reader.transactions(nora.bban, period)).rejects.toThrow(
      'reader.transactions takes a date such as 2027-03-01 in from and to, and got ',
    );
  });
});
