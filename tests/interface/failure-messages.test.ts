import { describe, expect, test } from '@jest/globals';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import { customerByNumber } from '../../engine/parties/rows/customers.ts';
import { deleteAccount, deleteCustomer } from '../../engine/sandbox-data/customers.ts';
import { deleteAgreement, listSandboxAgreements } from '../../engine/sandbox-data/agreements.ts';
import { deposit } from '../lab/payments.ts';
import {
  bulkItem,
  periodicPayment,
  bulkPath,
  bulkPayment,
  periodicPath,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { mondayNoon, provenBank } from '../support/proven-bank.ts';
import type { Reply } from '../lab/server.ts';

/** 12.00 NOK and no credit. */
const anne = { psu: '01819050062', bban: '34300000012' };
const straksPath = '/v1/payments/instant-norwegian-domestic-credit-transfers-straks';
const debtorAccount = { bban: anne.bban, currency: 'NOK' };

const { bank } = provenBank(mondayNoon, anne.psu);

/** Initiates and signs; returns the path of the payment. */
async function signed(path: string, body: object): Promise<string> {
  return `${path}/${await bank.pays(path, body, anne.psu)}`;
}

const advance = (target: object): Promise<Reply> => bank.advance(target);

/** The messages of details, status and both short forms, which must be the same. */
async function told(self: string): Promise<{ status: string; tppMessages?: object[]; psuMessage?: string }> {
  const id = self.slice(self.lastIndexOf('/') + 1);
  const paths = [self, `${self}/status`, `/v1/payment/${id}`, `/v1/payment/${id}/status`];
  const all = [];
  for (const path of paths) {
    const { body } = await bank.signed('GET', path);
    const { transactionStatus: status, tppMessages, psuMessage } = body;
    all.push({ status, tppMessages, psuMessage });
    // S4b: in the details, the status and both short forms.
    expect([path, body.fundsAvailable]).toEqual([path, status === 'ACCP' ? false : undefined]);
  }
  for (const one of all) expect(one).toEqual(all[0]);
  return all[0] ?? { status: 'none' };
}

async function deleteDebtor(): Promise<void> {
  const account = await bank.bank.ledger.read((reader) => accountByNumber(reader, anne.bban));
  await deleteAccount(bank.bank, account?.resource_id ?? 'none');
}

const nok = (amount: string): object => ({ instructedAmount: { amount, currency: 'NOK' } });

describe('S7b: why a single payment is not carried out', () => {
  test('S4b, S7b: ACCP warns of each attempt, with its run and the next one; RJCT is an error', async () => {
    const self = await signed(singlePath, singlePayment({ debtorAccount, ...nok('900.00') }));
    expect(await told(self)).toEqual({ status: 'PDNG', tppMessages: undefined, psuMessage: undefined });
    await advance({ runs: 2 });
    expect(await told(self)).toEqual({
      status: 'ACCP',
      tppMessages: [
        {
          category: 'WARNING',
          code: 'PAYMENT_FAILED',
          text: 'The payment was not carried out at attempt 2 of 5 in run 2027-04-05/5: funds lacking. It is tried again in run 2027-04-06/1.',
        },
      ],
      psuMessage:
        'The payment was not carried out yet: there was not enough money on the account. The bank tries it again.',
    });
    await advance({ runs: 3 });
    expect(await told(self)).toEqual({
      status: 'RJCT',
      tppMessages: [
        {
          category: 'ERROR',
          code: 'PAYMENT_FAILED',
          text: 'The payment was rejected at attempt 5 of 5 in run 2027-04-06/3: funds lacking.',
        },
      ],
      psuMessage: 'The payment was rejected: there was not enough money on the account.',
    });
  });

  test('S7b: nothing is told once it settles, nor while another status is forced', async () => {
    const self = await signed(singlePath, singlePayment({ debtorAccount, ...nok('901.00') }));
    await advance({ runs: 1 });
    const id = encodeURIComponent(self.slice(self.lastIndexOf('/') + 1));
    await bank.control('POST', `/sandbox/payments/${id}/status`, { status: 'ACWC' });
    expect(await told(self)).toEqual({ status: 'ACWC', tppMessages: undefined, psuMessage: undefined });
    await deposit(bank.bank, 'anne', 1000_00n);
    await advance({ runs: 1 });
    expect(await told(self)).toEqual({ status: 'ACSC', tppMessages: undefined, psuMessage: undefined });
  });

  test('S7b: the redirect after an instant payment that lacked funds is a success; the status says RJCT and why', async () => {
    const body = await bank.initiates(straksPath, singlePayment({ debtorAccount, ...nok('902.00') }), anne.psu);
    const redirect = await bank.approve(body, anne.psu);
    expect([...redirect.searchParams.keys()]).toEqual(expect.arrayContaining(['psu-id']));
    expect(redirect.searchParams.has('code')).toBe(false);
    expect(await told(`${straksPath}/${body.paymentId}`)).toEqual({
      status: 'RJCT',
      tppMessages: [
        {
          category: 'ERROR',
          code: 'PAYMENT_FAILED',
          text: 'The payment was rejected at once, when it was authorised: funds lacking.',
        },
      ],
      psuMessage: 'The payment was rejected: there was not enough money on the account.',
    });
  });

  test('S7b: an exempt instant payment without funds is answered with the reason', async () => {
    const nora = '13039319955';
    const first = await bank.signed('POST', singlePath, {
      body: singlePayment(),
      headers: { 'x-psu-identity': nora, 'psu-context': 'PRIVATE' },
    });
    const redirect = await bank.approve(first.body, nora);
    const known = { 'psu-id': redirect.searchParams.get('psu-id') ?? '' };
    const between = { creditorAccount: { bban: '70323119469', currency: 'NOK' } };
    const { body } = await bank.signed('POST', straksPath, {
      body: singlePayment({ ...nok('900000.00'), ...between }),
      headers: known,
    });
    expect(body).toMatchObject({
      transactionStatus: 'RJCT',
      tppMessages: [{ category: 'ERROR', code: 'PAYMENT_FAILED', text: expect.stringContaining('funds lacking') }],
      psuMessage: 'The payment was rejected: there was not enough money on the account.',
    });
  });
});

describe('S7b: why items of a bulk payment are not carried out', () => {
  test('S7b, S9b: each failed item is named, a WARNING while it is tried again, an ERROR at the end', async () => {
    const items = ['10.00', '800.00', '1.00', '700.00'].map((amount) => bulkItem(amount));
    const self = await signed(bulkPath, bulkPayment(items, { debtorAccount }));
    await advance({ runs: 1 });
    const text = (attempt: string): string =>
      `The item was not carried out at attempt ${attempt}: funds lacking. It is tried again in run 2027-04-05/5.`;
    const warning = { category: 'WARNING', code: 'PAYMENT_FAILED', text: text('1 of 5 in run 2027-04-05/4') };
    expect(await told(self)).toEqual({
      status: 'PART',
      tppMessages: [
        { ...warning, path: 'payments[1]' },
        { ...warning, path: 'payments[3]' },
      ],
      psuMessage:
        '2 of 4 payments were not carried out yet: there was not enough money on the account. The bank tries them again.',
    });
    await deposit(bank.bank, 'anne', 750_00n);
    await advance({ runs: 4 });
    const error = {
      category: 'ERROR',
      code: 'PAYMENT_FAILED',
      text: 'The item was rejected at attempt 5 of 5 in run 2027-04-06/3: funds lacking.',
    };
    expect(await told(self)).toEqual({
      status: 'PART',
      tppMessages: [{ ...error, path: 'payments[1]' }],
      psuMessage: '1 of 4 payments was rejected: there was not enough money on the account.',
    });
  });

  test('S7b: all of 466 rejected items are named, not the first twenty', async () => {
    const items = Array.from({ length: 500 }, (_, index) =>
      bulkItem(index < 34 ? `0.${index + 10}` : `${index + 100}.00`),
    );
    const self = await signed(bulkPath, bulkPayment(items, { debtorAccount }));
    await advance({ runs: 5 });
    const { status, tppMessages = [], psuMessage } = await told(self);
    expect(status).toBe('PART');
    const paths = tppMessages.map((one) => (one as { path?: string }).path);
    expect(paths).toEqual(Array.from({ length: 466 }, (_, index) => `payments[${index + 34}]`));
    expect(psuMessage).toBe('466 of 500 payments were rejected: there was not enough money on the account.');
  });
});

describe('S9c: a bulk payment with a settled item is PART whatever ends it', () => {
  const corporation = { psu: '18129215603', bban: '34110000016' };
  const customerNamed = async (number: string) =>
    (await bank.bank.ledger.read((reader) => customerByNumber(reader, number)))?.resource_id ?? 'none';

  test.each<[string, typeof anne, string, string, () => Promise<void>]>([
    ['debtor account deleted', anne, 'PRIVATE', 'the account that pays was deleted', deleteDebtor],
    [
      'customer deleted',
      corporation,
      'CORPORATE',
      'the customer who made it, signed it or holds the account was deleted',
      async () => deleteCustomer(bank.bank, await customerNamed(corporation.psu)),
    ],
    [
      'agreement deleted',
      corporation,
      'CORPORATE',
      'the agreement under which it was made was deleted',
      async () => {
        const all = await listSandboxAgreements(bank.bank);
        const own = all.find(({ agreement }) => agreement.owner_number === '11111111');
        await deleteAgreement(bank.bank, own?.agreement.resource_id ?? 'none');
      },
    ],
  ])(
    'S9c: %s: the items that were open are told as cancelled, and why',
    async (cause, { psu, bban }, context, why, end) => {
      const items = ['1.00', '90000000.00', '2.00', '90000001.00'].map((amount) => bulkItem(amount));
      const body = bulkPayment(items, { debtorAccount: { bban, currency: 'NOK' } });
      const made = await bank.signed('POST', bulkPath, {
        body,
        headers: { 'x-psu-identity': psu, 'psu-context': context },
      });
      await bank.approve(made.body, psu, { context });
      const self = `${bulkPath}/${made.body.paymentId}`;
      expect((await advance({ runs: 1 })).body.runs).toMatchObject([{ settled: 2, retried: 2 }]);
      await end();
      const cancelled = (path: string): object => {
        return { category: 'ERROR', code: 'PAYMENT_FAILED', path, text: `The item was cancelled: ${cause}.` };
      };
      const told1 = {
        status: 'PART',
        tppMessages: [cancelled('payments[1]'), cancelled('payments[3]')],
        psuMessage: `2 of 4 payments were cancelled: ${why}.`,
      };
      expect(await told(self)).toEqual(told1);
      const { body: seen } = await bank.control('GET', `/sandbox/payments/${encodeURIComponent(made.body.paymentId)}`);
      expect(seen.status).toBe('PART');
      expect(seen.history.at(-1)).toMatchObject({ status: 'PART', cause });
      expect(seen.occurrences.map((one: { status: string }) => one.status)).toEqual(['ACSC', 'CANC', 'ACSC', 'CANC']);
      expect((await advance({ by: 'P10D' })).body.runs).toMatchObject([{ booked: 2, retried: 0, rejected: 0 }]);
      expect(await told(self)).toEqual(told1);
      const { body: last } = await bank.signed('GET', `${self}/status`);
      expect(Object.keys(last._links)).toEqual(['self', 'status']);
    },
  );

  test('S9c: an item that was rejected before is told beside those that were cancelled', async () => {
    const closed = { creditorAccount: { bban: '74712699947', currency: 'NOK' } };
    const items = [bulkItem('1.00'), bulkItem('2.00', closed), bulkItem('900.00')];
    const self = await signed(bulkPath, bulkPayment(items, { debtorAccount }));
    const even = await bank.bank.ledger.read((reader) => accountByNumber(reader, '74712699947'));
    await deleteAccount(bank.bank, even?.resource_id ?? 'none');
    await advance({ runs: 1 });
    await deleteDebtor();
    expect(await told(self)).toMatchObject({
      status: 'PART',
      tppMessages: [
        { path: 'payments[1]', text: expect.stringContaining('the creditor account is closed') },
        { path: 'payments[2]', text: 'The item was cancelled: debtor account deleted.' },
      ],
    });
  });

  test('S9c: with no item settled it is CANC, and says nothing of its items', async () => {
    const self = await signed(bulkPath, bulkPayment([bulkItem('800.00'), bulkItem('900.00')], { debtorAccount }));
    await advance({ runs: 1 });
    await deleteDebtor();
    expect(await told(self)).toEqual({ status: 'CANC', tppMessages: undefined, psuMessage: undefined });
  });
});

describe('S7b, R9b: why occurrences of a standing order are not carried out', () => {
  test('S7b, R9b: a rejected occurrence is told while the order runs, in the 202 to DELETE too, and at its end', async () => {
    const order = { startDate: '2027-04-06', endDate: '2027-04-08', frequency: 'Daily', debtorAccount };
    const self = await signed(periodicPath, periodicPayment({ ...order, ...nok('600.00') }));
    await advance({ to: '2027-04-07T05:00:00+02:00' });
    const error = {
      category: 'ERROR',
      code: 'PAYMENT_FAILED',
      text: 'The occurrence of 2027-04-06 was rejected at attempt 5 of 5 in run 2027-04-06/5: funds lacking.',
    };
    const psuMessage = 'The payment of 2027-04-06 was rejected: there was not enough money on the account.';
    expect(await told(self)).toEqual({ status: 'ACSP', tppMessages: [error], psuMessage });
    const deletion = await bank.signed('DELETE', self);
    expect(deletion).toMatchObject({
      status: 202,
      body: { transactionStatus: 'ACSP', tppMessages: [error], psuMessage },
    });
    await advance({ to: '2027-04-07T05:30:00+02:00' });
    expect((await told(self)).tppMessages).toMatchObject([
      { category: 'ERROR' },
      {
        category: 'WARNING',
        text: 'The occurrence of 2027-04-07 was not carried out at attempt 1 of 5 in run 2027-04-07/1: funds lacking. It is tried again in run 2027-04-07/2.',
      },
    ]);
    await advance({ to: '2027-04-30' });
    const end = await told(self);
    expect(end.status).toBe('RJCT');
    expect(end.tppMessages).toHaveLength(3);
    expect(end.psuMessage).toBe(
      '3 payments, the last one of 2027-04-08, were rejected: there was not enough money on the account.',
    );
  });

  test('R9c: an order that ended ACSC with a rejected occurrence stays readable until its debtor account is deleted', async () => {
    const order = { startDate: '2027-04-06', endDate: '2027-04-07', frequency: 'Daily', debtorAccount };
    const self = await signed(periodicPath, periodicPayment({ ...order, ...nok('8.00') }));
    const paymentId = self.slice(self.lastIndexOf('/') + 1);
    expect((await advance({ until: { paymentId, status: 'ACSC' } })).body).toMatchObject({ reached: true });
    const end = {
      status: 'ACSC',
      tppMessages: [
        {
          category: 'ERROR',
          code: 'PAYMENT_FAILED',
          text: 'The occurrence of 2027-04-07 was rejected at attempt 5 of 5 in run 2027-04-07/5: funds lacking.',
        },
      ],
      psuMessage: 'The payment of 2027-04-07 was rejected: there was not enough money on the account.',
    };
    expect(await told(self)).toEqual(end);
    // Nothing waits for the next run: it leaves no row (T6).
    expect((await advance({ by: 'P60D' })).body.runs).toEqual([]);
    expect(await told(self)).toEqual(end);
    const { body } = await bank.signed('GET', self);
    expect(body._links).toEqual({
      self: { href: self, verbs: ['GET'] },
      status: { href: `${self}/status`, verbs: ['GET'] },
    });
    expect((await bank.signed('DELETE', self)).status).toBe(405);
    await deleteDebtor();
    expect((await bank.signed('GET', self)).status).toBe(403);
    expect((await bank.signed('GET', `/v1/payment/${paymentId}/status`)).status).toBe(403);
  });

  test('R9c: so does one whose earlier occurrence was rejected; every failed one is told, by date', async () => {
    const order = { startDate: '2027-04-06', endDate: '2027-05-31', frequency: 'Daily', debtorAccount };
    const self = await signed(periodicPath, periodicPayment({ ...order, ...nok('501.00') }));
    await advance({ to: '2027-05-28T05:00:00+02:00' });
    await deposit(bank.bank, 'anne', 501_00n);
    await advance({ to: '2027-06-30' });
    const { status, tppMessages = [] } = await told(self);
    expect([status, tppMessages.length]).toEqual(['ACSC', 55]);
    const dates = tppMessages.map((one) => / of (\d{4}-\d{2}-\d{2}) /.exec((one as { text: string }).text)?.[1]);
    expect([dates[0], dates.at(-1)]).toEqual(['2027-04-06', '2027-05-31']);
    expect(dates).toEqual(dates.toSorted());
  });

  test('R9b: with every occurrence settled it leaves the payment API at the next run', async () => {
    const order = { startDate: '2027-04-06', endDate: '2027-04-07', frequency: 'Daily', debtorAccount };
    const self = await signed(periodicPath, periodicPayment({ ...order, ...nok('1.00') }));
    const paymentId = self.slice(self.lastIndexOf('/') + 1);
    await advance({ until: { paymentId, status: 'ACSC' } });
    expect(await told(self)).toEqual({ status: 'ACSC', tppMessages: undefined, psuMessage: undefined });
    await advance({ runs: 1 });
    expect((await bank.signed('GET', self)).status).toBe(403);
  });

  test('R9b: with none settled it ends RJCT and stays readable; until RJCT gets there', async () => {
    const order = { startDate: '2027-04-06', endDate: '2027-04-07', frequency: 'Daily', debtorAccount };
    const self = await signed(periodicPath, periodicPayment({ ...order, ...nok('500.00') }));
    const paymentId = self.slice(self.lastIndexOf('/') + 1);
    expect((await advance({ until: { paymentId, status: 'RJCT' } })).body).toMatchObject({ reached: true });
    await advance({ runs: 5 });
    const { body } = await bank.signed('GET', `${self}/status`);
    expect(body).toMatchObject({ transactionStatus: 'RJCT', _links: { self: { verbs: ['GET'] } } });
    const { body: seen } = await bank.control('GET', `/sandbox/payments/${encodeURIComponent(paymentId)}`);
    expect(seen.history.at(-1)).toMatchObject({
      status: 'RJCT',
      cause: 'run 2027-04-07/5, last occurrence final, none settled',
    });
  });

  test('S7b: of a long row of rejected occurrences the latest 20 are told, and how many came before', async () => {
    const order = { startDate: '2027-04-06', endDate: '2027-05-31', frequency: 'Daily', debtorAccount };
    const self = await signed(periodicPath, periodicPayment({ ...order, ...nok('501.00') }));
    await advance({ to: '2027-06-30' });
    const { status, tppMessages = [], psuMessage } = await told(self);
    expect(status).toBe('RJCT');
    expect(tppMessages).toHaveLength(20);
    expect(tppMessages[0]).toMatchObject({ text: expect.stringMatching(/2027-05-12 .* Before it 36 more failed\.$/) });
    expect(tppMessages.at(-1)).toMatchObject({ text: expect.stringContaining('2027-05-31') });
    expect(psuMessage).toContain('56 payments, the last one of 2027-05-31, were rejected');
  });
});
