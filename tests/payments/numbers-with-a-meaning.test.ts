import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/create-bank.ts';
import { returnReasonCodes } from '../../engine/values/return-reasons.ts';
import { tellingNumbers } from '../../engine/values/numbers-with-a-meaning.ts';
import { bulkItem, bulkPath, bulkPayment } from '../lab/bodies.ts';
import { startTestBank } from '../lab/server.ts';
import { memoryBank } from '../lab/bank.ts';
import { createAccount } from '../../engine/sandbox-data/customers.ts';
import { isBbanMod11, norwegianIban, parseIban } from '../../engine/values/account-number.ts';
import { examplesOf, sendExample } from '../support/send-example.ts';
import type { ApiDocument } from '../../api/openapi/document.ts';
import { told, returnsOf } from '../lab/returns.ts';

const nora = '09232911044';
const wednesday = '2027-02-03T10:00:00+01:00';

describe('D1c: numbers with a meaning', () => {
  test('a known state that owns one is refused by name', async () => {
    const account = { accountName: 'A', bban: '99110000002', iban: norwegianIban('99110000002'), currency: 'NOK' };
    const whole = { ...account, product: 'A', cashAccountType: 'CACC', balance: '1.00', creditLine: '0.00' };
    const customers = [{ customerNumber: '13039319955', name: 'N', type: 'private', accounts: [whole] }];
    await expect(createBank({ fixtures: { customers, agreements: [] } } as never)).rejects.toThrow('99110000002');
  });

  test.each([
    { bban: '99110000002', iban: undefined },
    { bban: undefined, iban: norwegianIban('99110000002') },
    { bban: undefined, iban: 'DE09000000000000000001' },
  ])('no account is opened under %o', async (numbers) => {
    const bank = await memoryBank(wednesday);
    const rest = { customerNumber: '13039319955', name: 'A', currency: 'NOK', product: null, cashAccountType: null };
    const opened = createAccount(bank, { ...rest, ...numbers, creditLine: 0n, openingBalance: 0n } as never);
    await expect(opened).rejects.toThrow('payments to it show one behaviour (D1c)');
  });

  test('/sandbox/info, /openapi.json and docs/first-payment.md have every number', async () => {
    await using bank = await createBank({ now: wednesday });
    const { creditorNumbers } = await (await bank.fetch('/sandbox/info')).json<{ creditorNumbers: object[] }>();
    expect(creditorNumbers).toEqual(tellingNumbers.map(({ number, says }) => ({ number, says })));
    const { info } = await (await bank.fetch('/openapi.json')).json<{ info: { description: string } }>();
    for (const { number, says } of tellingNumbers) expect(info.description).toContain(`- \`${number}\`: ${says}`);
    const page = readFileSync('docs/first-payment.md', 'utf8').replaceAll(/ +/g, ' ');
    for (const { number, says } of tellingNumbers) expect(page).toContain(`| \`${number}\` | ${says} |`);
  });

  test('the document has a request for each of them, of every product that can reach it', async () => {
    await using bank = await startTestBank(wednesday);
    const document = (await bank.raw('GET', '/openapi.json')).body as ApiDocument;
    const reached = new Map<string, string[]>();
    for (const path of Object.keys(document.paths).filter((each) => /^\/[\w-]*payments\/[\w-]+$/.test(each))) {
      for (const [number, example] of examplesOf(document, 'POST', path)) {
        if (number === 'example') continue;
        const headers = { ...example.headers, 'X-Request-ID': randomUUID() };
        const { status } = await sendExample(`${bank.address}/sandbox/as/docs/v1`, { ...example, headers });
        expect([path, number, status]).toEqual([path, number, number === '99150000005' ? 400 : 201]);
        reached.set(number, [...(reached.get(number) ?? []), path]);
      }
    }
    expect([...reached.keys()].toSorted()).toEqual(tellingNumbers.map(({ number }) => number).toSorted());
    expect(reached.get('99110000002')).toHaveLength(3);
    expect(reached.get('SE6800000000000000000001')).toHaveLength(2);
  });

  const straks = 'instant-norwegian-domestic-credit-transfers-straks';
  const numberOf = (says: RegExp) => tellingNumbers.find((each) => says.test(each.says))?.number ?? '';

  test('every reason is used by none or more, and each number is valid', () => {
    expect(returnReasonCodes).toHaveLength(15);
    for (const { number } of tellingNumbers) {
      expect(number).toMatch(/^(99\d{9}|[A-Z]{2}\d{2}0{8}\d+)$/);
      if (number.startsWith('99')) expect(isBbanMod11(number)).toBe(true);
      else expect(parseIban(number)).toMatchObject({ country: number.slice(0, 2) });
    }
  });

  test.each([
    [/next banking day/, 'AC04 2027-02-04 2027-02-04T05:30 25.00'],
    [/after three banking days$/, 'MS02 2027-02-08 2027-02-08T05:30 25.00'],
  ])('%s', async (says, line) => {
    await using bank = await createBank({ now: wednesday });
    const id = await bank.tpp().pay({ from: nora, to: numberOf(says), amount: '25.00' });
    const { planned } = await bank.forecast('P7D');
    expect(planned.map(({ date }) => date)).toEqual([line.split(' ')[1]]);
    await bank.clock.advance('P7D');
    expect(await told(bank, id)).toEqual([line]);
    const order = await bank
      .tpp()
      .pay({ from: nora, to: numberOf(says), amount: '9.00', every: 'Weekly', on: '2027-02-15' } as never);
    await bank.clock.advance('2027-03-01T12:00:00+01:00');
    expect((await returnsOf(bank, order)).length).toBeGreaterThan(1);
  });

  test.each([
    ['three', 'sepa-credit-transfers', 'EUR', /^AC04 2027-02-08 2027-02-08T05:30 \d+/],
    ['five', 'cross-border-credit-transfers', 'SEK', /^MS02 2027-02-10 2027-02-10T05:30 \d+/],
  ])('returned less after %s banking days, by %s', async (days, product, currency, line) => {
    await using bank = await createBank({ now: wednesday });
    const to = numberOf(new RegExp(`${days} banking days, less a fee`));
    const id = await bank.tpp().pay({ from: nora, to, amount: '100.00', currency, product } as never);
    await bank.clock.advance('P10D');
    expect(await told(bank, id)).toEqual([expect.stringMatching(line)]);
  });

  test('abroad, rejected at the first run', async () => {
    await using bank = await createBank({ now: wednesday });
    const product = 'sepa-credit-transfers';
    const to = 'FI7600000000000001';
    const id = await bank.tpp().pay({ from: nora, to, amount: '100.00', currency: 'EUR', product } as never);
    await bank.clock.advance('P1D');
    expect((await bank.tpp().status(id)).tppMessages?.[0]?.text).toContain('the creditor account is blocked');
  });

  test('in a bulk payment each item has its own end', async () => {
    await using bank = await startTestBank(wednesday);
    const items = ['99110000002', '99130000009', '99160000003'].map((bban) => ({
      ...bulkItem('9.00'),
      creditorAccount: { bban, currency: 'NOK' },
    }));
    const bulk = await bank.pays(bulkPath, bulkPayment(items));
    await bank.advance({ by: 'P7D' });
    const { occurrences, returns } = await bank.payment(bulk);
    expect(occurrences.map(({ status }: { status: string }) => status)).toEqual(['ACSC', 'RJCT', 'ACSC']);
    expect(returns).toMatchObject([{ item: 'payments[0]', reason: 'AC04', amount: { amount: '9.00' } }]);
  });

  test('rejected at the first run, and at the second attempt, with the cause', async () => {
    await using bank = await createBank({ now: wednesday });
    const first = await bank.tpp().pay({ from: nora, to: numberOf(/first run/), amount: '25.00' });
    const second = await bank.tpp().pay({ from: nora, to: numberOf(/second attempt/), amount: '26.00' });
    const { executions } = await bank.forecast('P1D');
    expect(executions.map(({ outcome }) => outcome).toSorted()).toEqual(['reject', 'reject', 'retry']);
    await bank.clock.advance('2027-02-03T11:30:00+01:00');
    expect(await bank.tpp().status(first)).toMatchObject({ transactionStatus: 'RJCT' });
    const waiting = await bank.tpp().status(second);
    expect([waiting.transactionStatus, waiting.tppMessages?.[0]?.text]).toEqual([
      'ACCP',
      expect.stringContaining('the bank of the creditor does not answer'),
    ]);
    expect(waiting).not.toHaveProperty('fundsAvailable');
    expect((await bank.payments(second)).history.at(-1)?.cause).toBe(
      'run 2027-02-03/3, attempt 1: the bank of the creditor does not answer',
    );
    await bank.clock.advance('P1D');
    const ended = await bank.tpp().status(second);
    expect([ended.transactionStatus, ended.tppMessages?.[0]?.text]).toEqual([
      'RJCT',
      expect.stringContaining('at attempt 2 of 5'),
    ]);
    expect(ended.tppMessages?.[0]?.text).toContain('the creditor account is blocked');
  });

  test('refused at its initiation; an instant one at its signature', async () => {
    await using bank = await createBank({ now: wednesday });
    await expect(bank.tpp().pay({ from: nora, to: numberOf(/refused at/), amount: '25.00' })).rejects.toThrow(
      'PAYMENT_FAILED',
    );
    const to = numberOf(/straks/);
    const id = await bank.tpp().pay({ from: nora, to, amount: '25.00', product: straks });
    expect(await bank.tpp().status(id)).toMatchObject({ transactionStatus: 'RJCT' });
    const usual = await bank.tpp().pay({ from: nora, to, amount: '25.00' });
    await bank.clock.advance('2027-02-03T11:30:00+01:00');
    expect((await bank.payments(usual)).status).toBe('ACSC');
    const told1 = await bank
      .tpp()
      .pay({ from: nora, to: numberOf(/next banking day/), amount: '5.00', product: straks });
    await bank.clock.advance('P3D');
    expect(await told(bank, told1)).toHaveLength(1);
  });
});
