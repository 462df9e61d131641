import { describe, expect, test } from '@jest/globals';
import { allQuirks } from '../../api/quirks/index.ts';
import { createBank } from '../../api/harness/create-bank.ts';
import type { Bank } from '../../api/harness/index.ts';
import { profileIds } from '../../api/start/profile.ts';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { quirkNames } from '../../engine/bank/rules/quirk.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { brokenProofs } from '../lab/proof.ts';
import { BankClient, startTestBank, type TestBank } from '../lab/server.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import { closeOutAccount } from '../../engine/life/close-account.ts';
import { accountIdOf } from '../lab/consented.ts';
import { at } from '../lab/bank.ts';
import { oneOf, someOf } from '../support/sample.ts';
import { returnsOf, told } from '../lab/returns.ts';

/* S12: money that comes back. The shop's account is in another bank. */
const [nora, even, shop, abroad] = ['09232911044', '74712699947', '90491105991', 'DE89370400440532013000'];
const wednesday = '2027-02-03T10:00:00+01:00';

interface Shown {
  readonly transactionAmount: { readonly amount: string };
}

async function call(bank: Bank, id: string, body: object) {
  const answer = await bank.fetch(`/sandbox/payments/${encodeURIComponent(id)}/return`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json<Record<string, unknown>>() };
}

const statement = async (bank: Bank) => {
  const answer = await bank.fetch(`/sandbox/accounts/${nora}?from=2027-01-01`);
  return (await answer.json<{ entries: { paymentId: string | null; amount: { amount: string }; text: string }[] }>())
    .entries;
};

/** Nora pays 25.00 to a shop at another bank. */
const paysShop = (bank: TestBank): Promise<string> =>
  bank.pays('/v1/payments/norwegian-domestic-credit-transfers', {
    instructedAmount: { amount: '25.00', currency: 'NOK' },
    creditorName: 'Shop',
    creditorAccount: { bban: shop, currency: 'NOK' },
    debtorAccount: { bban: nora, currency: 'NOK' },
  });
const comesBack = (bank: TestBank, id: string, body: object) =>
  bank.control('POST', `/sandbox/payments/${encodeURIComponent(id)}/return`, body);

/** The text of the History on the page of a payment. */
async function historyOnPage(bank: TestBank, id: string): Promise<string> {
  const { body } = await bank.raw('GET', `/console/payments/${encodeURIComponent(id)}`, { accept: 'text/html' });
  const [, history = ''] = /<ol class="timeline">(.*?)<\/ol>/s.exec(String(body)) ?? [];
  return history.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');
}

describe('S12: a settled payment to another bank comes back', () => {
  test('it is credited by the first run of the next banking day after its booking, with reason, references and its payment', async () => {
    await using bank = await createBank({ now: wednesday, port: 0 });
    const id = await bank.tpp().pay({ from: nora, to: shop, amount: '25.00', kid: '2345676' } as never);
    await bank.clock.advance('2027-02-03T12:00:00+01:00');
    expect((await call(bank, id, { reason: 'AC04' })).body.returns).toMatchObject([
      { reason: 'AC04', text: 'account closed', due: '2027-02-04', at: null, amount: null },
    ]);
    const { planned } = await bank.forecast('P2D');
    expect(planned.map(({ date, account, event }) => [date, account, event])).toEqual([
      ['2027-02-04', nora, 'returned, account closed'],
    ]);
    await bank.clock.advance('2027-02-04T05:30:00+01:00');
    expect(await told(bank, id)).toEqual(['AC04 2027-02-04 2027-02-04T05:30 25.00']);
    expect((await bank.payments(id)).status).toBe('ACSC');
    const client = new BankClient(bank.url);
    const headers = await client.consents();
    const { body: list } = await client.signed('GET', '/v1/accounts', { headers });
    const account = list.accounts.find((each: { bban: string }) => each.bban === nora);
    const path = `/v1/accounts/${encodeURIComponent(account.resourceId)}/transactions?bookingStatus=booked`;
    const { booked } = (await client.signed('GET', path, { headers })).body.transactions;
    expect(booked[0]).toMatchObject({
      transactionAmount: { amount: '25.00' },
      bookingDate: '2027-02-04',
      remittanceInformationUnstructured: 'Retur: kontoen er avsluttet',
      remittanceInformationStructuredArray: [{ reference: '2345676' }],
      additionalInformation: 'AC04: kontoen er avsluttet',
    });
    expect((await statement(bank)).at(-1)).toMatchObject({ paymentId: id, amount: { amount: '25.00' } });
  });

  test.each([
    ['Husleie mars', 'Retur: kontoen er avsluttet. Husleie mars'],
    ['ø'.repeat(140), `Retur: kontoen er avsluttet. ${'ø'.repeat(111)}`],
  ])('beside the reason it keeps the text of its payment, in at most 140 characters: %s', async (text, told) => {
    await using bank = await createBank({ now: wednesday, port: 0 });
    const paid = { from: nora, to: shop, amount: '25.00', more: { remittanceInformationUnstructured: text } };
    const id = await bank.tpp().pay(paid as never);
    await bank.clock.advance('2027-02-03T12:00:00+01:00');
    await call(bank, id, { reason: 'AC04' });
    await bank.clock.advance('2027-02-04T05:30:00+01:00');
    expect((await statement(bank)).at(-1)).toMatchObject({ text: told, amount: { amount: '25.00' } });
  });

  test.each([
    ['over Easter', '2027-03-24T10:00:00+01:00', {}, '2027-03-30'],
    ['on a closed day: the next banking day', '2027-03-24T10:00:00+01:00', { on: '2027-03-26' }, '2027-03-30'],
    ['over Christmas', '2026-12-23T10:00:00+01:00', { bankingDays: 2 }, '2026-12-29'],
    ['on the day of its booking, whose run has passed: by the next one', wednesday, { bankingDays: 0 }, '2027-02-03'],
  ])('%s', async (_what, now, when, due) => {
    await using bank = await createBank({ now });
    const id = await bank.tpp().pay({ from: nora, to: shop, amount: '25.00' });
    await bank.clock.advance({ runs: 2 } as never);
    expect((await call(bank, id, { reason: 'MS02', ...when })).status).toBe(200);
    await bank.clock.advance('P10D');
    expect(await told(bank, id)).toEqual([
      expect.stringMatching(new RegExp(`^MS02 ${due} ${due}T\\d\\d:\\d\\d 25.00$`)),
    ]);
  });

  test('under each profile a return is booked once, told before, and the books hold', async () => {
    for (const profile of oneOf('returns under profiles', profileIds())) {
      await using bank = await createBank({ now: wednesday, profile });
      const id = await bank.tpp().pay({ from: nora, to: shop, amount: '25.00' });
      await bank.clock.advance('P1D');
      expect([profile, (await call(bank, id, { reason: 'AC06' })).status]).toEqual([profile, 200]);
      const { planned } = await bank.forecast('P5D');
      await bank.clock.advance('P5D');
      const [line = ''] = await told(bank, id);
      expect([profile, planned.length, line.endsWith(' 25.00')]).toEqual([profile, 1, true]);
      expect(await (await bank.fetch('/sandbox/ledger/proof')).json()).toMatchObject({ ok: true });
    }
  });

  test("after a profile's cut-off: the payment settles, and comes back, a banking day later", async () => {
    const due = async (signed: string): Promise<readonly string[]> => {
      await using bank = await createBank({ now: `2027-02-03T${signed}:00+01:00`, profile: 'orskog-sparebank' });
      const id = await bank.tpp().pay({ from: nora, to: shop, amount: '25.00' });
      await bank.clock.advance('2027-02-04T12:00:00+01:00');
      expect((await call(bank, id, { reason: 'AC04', bankingDays: 2 })).status).toBe(200);
      const { planned } = await bank.forecast('P7D');
      await bank.clock.advance('P7D');
      expect(await (await bank.fetch('/sandbox/ledger/proof')).json()).toMatchObject({ ok: true });
      return [...planned.map(({ date }) => date), ...(await told(bank, id)).map((line) => line.slice(0, 32))];
    };
    expect(await due('13:29')).toEqual(['2027-02-05', 'AC04 2027-02-05 2027-02-05T05:30']);
    expect(await due('14:01')).toEqual(['2027-02-08', 'AC04 2027-02-08 2027-02-08T05:30']);
  });

  test('abroad less the fee, at the rate of the day', async () => {
    await using bank = await createBank({ now: wednesday });
    const order = {
      from: nora,
      to: abroad,
      amount: '100.00',
      currency: 'EUR',
      product: 'sepa-credit-transfers',
    } as const;
    const id = await bank.tpp().pay(order as never);
    await bank.clock.advance('P1D');
    await call(bank, id, { reason: 'AC01' });
    await bank.clock.advance('P7D');
    const [paid] = (await bank.payments(id)).entries
      .filter(({ leg }) => leg === 'debtor')
      .map(({ amount }) => Number(amount.amount));
    const [line = ''] = await told(bank, id);
    expect(line).toMatch(/^AC01 2027-02-08 2027-02-08T05:30 /);
    const back = Number(line.split(' ').at(-1));
    expect(back).toBeGreaterThan(0);
    expect(back).toBeLessThan(-(paid ?? 0));
  });

  test('an item of a bulk payment and an occurrence of a standing order come back alone', async () => {
    await using bank = await startTestBank(wednesday);
    const bulk = await bank.pays(bulkPath, bulkPayment([bulkItem('1.00'), bulkItem('2.00')]));
    await bank.advance({ by: 'P1D' });
    expect(await comesBack(bank, bulk, { reason: 'AC04' })).toMatchObject({
      status: 400,
      body: { allowed: ['payments[0]', 'payments[1]'] },
    });
    expect(await comesBack(bank, bulk, { reason: 'AC04', item: 'payments[7]' })).toMatchObject({
      status: 400,
      body: { detail: 'The payment has no payments[7].', allowed: ['payments[0]', 'payments[1]'] },
    });
    const { body } = await comesBack(bank, bulk, { reason: 'AC04', item: 'payments[1]' });
    expect(body.returns).toMatchObject([{ item: 'payments[1]', at: null }]);
    expect(await historyOnPage(bank, bulk)).toContain('payments[1] To be returned ');
    await bank.advance({ by: 'P3D' });
    expect(await historyOnPage(bank, bulk)).toContain('payments[1] Returned ');
    expect((await bank.payment(bulk)).returns).toMatchObject([{ item: 'payments[1]', amount: { amount: '2.00' } }]);
    const { paymentId: unsigned } = await bank.initiates(singlePath, singlePayment());
    expect(await comesBack(bank, unsigned, { reason: 'AC04' })).toMatchObject({
      status: 409,
      body: { detail: 'It is RCVD: only what has settled, ACSC, can come back.' },
    });
    const order = await bank.pays(periodicPath, periodicPayment({ startDate: '2027-02-10', frequency: 'Weekly' }));
    await bank.advance({ to: '2027-02-20T12:00:00+01:00' });
    const dates = ['2027-02-10', '2027-02-17'];
    expect(await comesBack(bank, order, { reason: 'MS02' })).toMatchObject({
      status: 400,
      body: { allowed: dates },
    });
    expect(await comesBack(bank, order, { reason: 'MS02', occurrence: '2027-02-18' })).toMatchObject({
      status: 400,
      body: { detail: 'The payment has no occurrence of 2027-02-18.', allowed: dates },
    });
    expect((await comesBack(bank, order, { reason: 'MS02', occurrence: '2027-02-17' })).status).toBe(200);
    await bank.advance({ by: 'P5D' });
    expect((await bank.payment(order)).returns).toMatchObject([{ nominalDate: '2027-02-17', due: '2027-02-22' }]);
    expect(await historyOnPage(bank, order)).toMatch(
      /Returned Mon 22 Feb( 2027)?, 05:30: refused by the beneficiary\./,
    );
    expect(await brokenProofs(bank.bank)).toEqual({});
  });

  test('twice, inside this bank, unsettled: 409; a wrong question: 400 with what is allowed', async () => {
    await using bank = await createBank({ now: wednesday });
    const [out, inside] = [
      await bank.tpp().pay({ from: nora, to: shop, amount: '25.00' }),
      await bank.tpp().pay({ from: nora, to: even, amount: '26.00' }),
    ];
    expect(await call(bank, out, { reason: 'AC04' })).toMatchObject({ status: 409, body: { code: 'STATUS_INVALID' } });
    await bank.clock.advance('P1D');
    expect((await call(bank, inside, { reason: 'AC04' })).status).toBe(409);
    expect(await call(bank, out, { reason: 'XX99' })).toMatchObject({ status: 400 });
    const both = await call(bank, out, { reason: 'AC04', on: '2027-02-10', bankingDays: 2 });
    expect(both).toMatchObject({ status: 400, body: { allowed: ['bankingDays', 'on'] } });
    expect(await call(bank, out, { reason: 'AC04', on: '2027-02-02' })).toMatchObject({
      status: 400,
      body: { allowed: { from: '2027-02-03' } },
    });
    expect(await call(bank, out, { reason: 'AC04', item: 'payments[0]' })).toMatchObject({ status: 400 });
    expect((await call(bank, out, { reason: 'AC04' })).status).toBe(200);
    expect((await call(bank, out, { reason: 'MS02' })).status).toBe(409);
  });

  test('of an account that was closed meanwhile the money stays with the clearing account, and that is told', async () => {
    await using bank = await startTestBank(wednesday);
    const id = await paysShop(bank);
    await bank.advance({ by: 'P1D' });
    await comesBack(bank, id, { reason: 'AC04', bankingDays: 5 });
    await bank.bank.ledger.write(async (tx) => {
      const account = await accountByNumber(tx, nora);
      if (account !== undefined)
        await closeOutAccount(bank.bank, tx, account, { at: at('2027-02-04T10:00:00+01:00'), cause: 'closed' });
    });
    await bank.advance({ by: 'P10D' });
    expect((await bank.payment(id)).returns).toMatchObject([
      { at: expect.any(String), amount: null, kept: 'the account is closed' },
    ]);
    expect(await brokenProofs(bank.bank)).toEqual({});
  });

  test('after a card block: the money comes back whole, and the reservation stays', async () => {
    await using bank = await startTestBank(wednesday);
    const id = await paysShop(bank);
    await bank.advance({ to: '2027-02-03T23:00:00+01:00' });
    expect((await comesBack(bank, id, { reason: 'AC04', bankingDays: 2 })).status).toBe(200);
    const card = { kind: 'card', when: { days: [4], rule: 'following' }, shops: ['UTLEIE AV TILHENGER'] };
    const deposit = { ...card, event: 'deposit', card: 'visa', amount: '-1000.00', lapsesAfterDays: 7 };
    const persona = { name: 'driver', description: 'Rents trailers', netPerYear: '0.00', events: [deposit] };
    const lives = await bank.control('POST', '/sandbox/life', { account: nora, persona, months: 1 });
    expect(lives.status).toBe(200);
    const balances = async () => {
      const { body } = await bank.control('GET', `/sandbox/accounts/${nora}`);
      return [body.booked, body.available].map(({ amount }) => Number(amount));
    };
    const [before = 0] = await balances();
    await bank.advance({ to: '2027-02-04T23:59:00+01:00' });
    expect(await balances()).toEqual([before, before - 1000]);
    await bank.advance({ to: '2027-02-05T12:00:00+01:00' });
    expect((await bank.payment(id)).returns).toMatchObject([{ due: '2027-02-05', amount: { amount: '25.00' } }]);
    expect(await balances()).toEqual([before + 25, before - 975]);
    expect(await brokenProofs(bank.bank)).toEqual({});
  });

  test('the History has it as its last point: to come, and then booked', async () => {
    await using bank = await startTestBank(wednesday);
    const id = await paysShop(bank);
    await bank.advance({ by: 'P1D' });
    await comesBack(bank, id, { reason: 'AC04', bankingDays: 2 });
    expect(await historyOnPage(bank, id)).toMatch(/ACSC.*To be returned Fri 5 Feb 2027: account closed\. $/);
    await bank.advance({ by: 'P2D' });
    expect(await historyOnPage(bank, id)).toMatch(/ACSC.*Returned Fri 5 Feb 2027, 05:30: account closed\. $/);
  });

  test('a fee that takes all of it: kept, and both forecast and payment tell why', async () => {
    await using bank = await createBank({ now: wednesday });
    const order = { from: nora, to: abroad, amount: '0.10', currency: 'EUR', product: 'sepa-credit-transfers' };
    const id = await bank.tpp().pay(order as never);
    await bank.clock.advance('P1D');
    await call(bank, id, { reason: 'AC04' });
    const { planned } = await bank.forecast('P7D');
    expect(planned.map(({ event }) => event)).toEqual(['returned, account closed, and kept: the fee takes all of it']);
    await bank.clock.advance('P7D');
    expect(await returnsOf(bank, id)).toMatchObject([{ amount: null, kept: 'the fee takes all of it' }]);
  });

  test('bank-codes: a return alone has RRTN, whatever the text of another says', async () => {
    await using bank = await startTestBank(wednesday, ['--quirks', 'bank-codes=iso']);
    const id = await paysShop(bank);
    await bank.advance({ by: 'P1D' });
    await comesBack(bank, id, { reason: 'AC04' });
    const path = `/v1/sandbox/accounts/${encodeURIComponent(await accountIdOf(bank.bank, 'nora'))}/transactions`;
    const dates = { bookingDate: '2027-02-04', valueDate: '2027-02-04' };
    const mock = { amount: '9.00', currency: 'NOK', ...dates, additionalInformation: 'AC04: account closed' };
    expect((await bank.signed('POST', path, { body: [mock] })).status).toBe(201);
    await bank.advance({ by: 'P1D' });
    const headers = await bank.consents();
    const { body } = await bank.signed('GET', '/v1/accounts', { headers });
    const { resourceId } = body.accounts.find((each: { bban: string }) => each.bban === nora);
    const list = `/v1/accounts/${encodeURIComponent(resourceId)}/transactions?bookingStatus=booked`;
    const { booked } = (await bank.signed('GET', list, { headers })).body.transactions;
    const codes = new Map(
      booked.map((each: Record<string, { amount: string }>) => [
        each['transactionAmount']?.amount,
        each['bankTransactionCode'],
      ]),
    );
    expect([codes.get('25.00'), codes.get('9.00')]).toEqual(['PMNT-RCDT-RRTN', expect.not.stringContaining('RRTN')]);
  });

  test('under each quirk it is told as a return: its text, its reason, and its line of the statement', async () => {
    await using bank = await startTestBank(wednesday);
    const id = await paysShop(bank);
    await bank.advance({ by: 'P1D' });
    await comesBack(bank, id, { reason: 'AC04' });
    await bank.advance({ by: 'P1D' });
    const headers = await bank.consents();
    const { body } = await bank.signed('GET', '/v1/accounts', { headers });
    const { resourceId } = body.accounts.find((each: { bban: string }) => each.bban === nora);
    const list = `/v1/accounts/${encodeURIComponent(resourceId)}/transactions?bookingStatus=booked`;
    const off = Object.fromEntries(quirkNames.map((name) => [name, false]));
    const hidden: unknown[] = [];
    const writes = (await allQuirks()).filter(({ group }) => ['texts', 'dates', 'money'].includes(group));
    for (const { name, value: form } of someOf('quirks of returns', writes, 6)) {
      const { words = [], usual = true } = form ?? {};
      for (const value of new Set([...words, usual])) {
        const on = await bank.quirks({ ...off, [name]: value });
        const { body: answer } = await bank.signed('GET', list, { headers });
        const shown = answer.transactions?.booked.find((each: Shown) => each.transactionAmount.amount === '25.00');
        const texts = [shown?.remittanceInformationUnstructured, shown?.additionalInformation];
        if (on.status === 200 && texts.join() !== 'Retur: kontoen er avsluttet,AC04: kontoen er avsluttet')
          hidden.push([name, value, ...texts]);
      }
    }
    expect(hidden).toEqual([]);
    const page = await bank.control('GET', `/sandbox/accounts/${nora}?from=2027-02-01`);
    expect(page.body.entries.at(-1).text).toBe('Retur: kontoen er avsluttet');
  });

  test('a restored snapshot brings back what was to come, and the hash', async () => {
    await using bank = await startTestBank(wednesday);
    const id = await paysShop(bank);
    await bank.advance({ by: 'P1D' });
    const plain = await hashLedger(bank.bank, 'included');
    await comesBack(bank, id, { reason: 'AC04' });
    const hash = await hashLedger(bank.bank, 'included');
    expect(hash).not.toBe(plain);
    await bank.control('POST', '/sandbox/snapshots', { name: 'announced' });
    await bank.advance({ by: 'P5D' });
    await bank.control('POST', '/sandbox/snapshots/announced/restore');
    expect(await hashLedger(bank.bank, 'included')).toBe(hash);
    expect((await bank.payment(id)).returns).toMatchObject([{ at: null }]);
    await bank.advance({ by: 'P5D' });
    expect((await bank.payment(id)).returns).toMatchObject([{ amount: { amount: '25.00' } }]);
  });
});
