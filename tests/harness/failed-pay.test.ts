import { describe, expect, test } from '@jest/globals';
import { bankServer } from '../../api/harness/bank-server.ts';
import { controlOver } from '../../api/harness/connect.ts';
import { BankError, createBank } from '../../api/harness/index.ts';
import { harnessTpp, testTime } from '../../api/harness/tpp/harness-tpp.ts';
import { pay } from '../../api/harness/tpp/pay.ts';
import { whoSigns } from '../../api/harness/account-state.ts';
import type { PaymentStory } from '../../api/harness/index.ts';
import { knownState } from '../lab/bank.ts';
import { harnessBank, nora, stranger, wednesday } from './harness-bank.ts';

const held = harnessBank();
const order = { from: nora.bban, to: stranger, amount: '250.00', on: '2027-03-25' };
const shared = '34330000017';

test('a bank in this process names the signers of every account that its control plane lists', async () => {
  const { read, payer, close } = await bankServer({ now: wednesday });
  const { accounts } = await read('GET /accounts');
  expect(accounts.length).toBeGreaterThan(10);
  for (const { number, iban } of accounts) {
    const { of, ...listed } = await whoSigns(read, number);
    expect(await payer?.(number)).toEqual(listed);
    const own = await whoSigns(read, iban ?? number, payer);
    expect(own).toMatchObject(listed);
    const psu = listed.usual[0]?.psu ?? '';
    expect(psu).toMatch(/^\d{11}$/);
    expect([own.of(psu), own.of('12085592767')]).toEqual([of(psu), of('12085592767')]);
  }
  expect(await payer?.('99110000002')).toBeNull();
  await close();
});

test('an account of a company from which nobody may pay: the error says so, unless the caller names who signs', async () => {
  const from = '34220000011';
  const agreements = knownState.agreements.filter(({ owner }) => owner !== '22222222');
  const fixtures = { ...knownState, agreements };
  const text = `Nobody may pay from ${from}: no agreement has the account with REGISTER. Name who signs in`;
  await using bank = await createBank({ now: wednesday, fixtures });
  const paid = (signers: object) => bank.tpp().pay({ from, to: stranger, amount: '1.00', ...signers });
  for (const signers of [{}, { signedBy: [] }]) await expect(paid(signers)).rejects.toThrow(`${text} signedBy.`);
  await expect(paid({ signedBy: [nora.psu] })).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' });
  const { read, payer, close } = await bankServer({ now: wednesday, fixtures });
  expect([(await whoSigns(read, from)).usual, (await payer?.(from))?.usual]).toEqual([[], []]);
  await close();
});

describe('a pay that throws leaves nothing behind, and its error has the facts', () => {
  const failure = async (changes: object): Promise<unknown> =>
    held.bank
      .tpp()
      .pay({ ...order, ...changes })
      .catch((error: unknown) => error);

  test('a PSU who may not sign', async () => {
    const error = await failure({ signedBy: ['12085592767'] });
    expect(error).toBeInstanceOf(BankError);
    expect(error).toMatchObject({ name: 'BankError', status: 403, code: 'FORBIDDEN', paymentStatus: 'RCVD' });
    const { paymentId = '', message } = error as BankError;
    expect(message).toContain(`The payment ${paymentId} was RCVD and is deleted.`);
    expect((await held.bank.payments(paymentId)).status).toBe('CANC');
    // Nothing is in the way of the same payment.
    await held.bank.tpp().pay(order);
  });

  test('the second of two signers', async () => {
    const error = await failure({ from: shared, signedBy: ['17818050100', '12085592767'] });
    const { paymentId = '', paymentStatus } = error as BankError;
    expect(paymentStatus).toBe('PATC');
    expect((await held.bank.payments(paymentId)).status).toBe('CANC');
  });

  test.each<[string, unknown, string]>([
    [
      'undefined',
      ['17818050100', undefined],
      'tpp.pay takes a customer number or a list of them in signedBy, and got undefined.',
    ],
    ['a promise', ['17818050100', Promise.resolve('20818850094')], 'and got a promise: an await is missing.'],
    ['a number', 17_818_050_100, 'tpp.pay takes a customer number or a list of them in signedBy, and got 17818050100.'],
    ['null', null, 'a customer number or a list of them in signedBy, and got null.'],
  ])('%s in signedBy is told before anything is sent', async (_what, signedBy, text) => {
    expect(await failure({ from: shared, signedBy })).toMatchObject({ message: expect.stringContaining(text) });
    expect(await (await held.bank.fetch('/sandbox/payments')).json()).toMatchObject({ total: 0 });
  });

  test('a refused deletion is told beside the first error, whose facts stay', async () => {
    const fault = { code: 'SERVICE_BLOCKED', method: 'DELETE' };
    expect((await held.bank.fetch('/sandbox/faults', { method: 'POST', body: fault })).status).toBe(200);
    const error = await failure({ from: shared, signedBy: ['17818050100', '12085592767'] });
    expect(error).toMatchObject({ name: 'BankError', status: 403, code: 'FORBIDDEN', paymentStatus: 'PATC' });
    const { paymentId = '', message } = error as BankError;
    expect(message).toContain('The PSU 12085592767 could not sign: FORBIDDEN');
    expect(message).toContain(
      `The payment ${paymentId} was PATC, and could not be deleted: The deletion was refused, `,
    );
    expect(message).toContain('SERVICE_BLOCKED');
    expect((await held.bank.payments(paymentId)).status).toBe('PATC');
  });

  test('an error that is none of the bank deletes the payment too, and is the cause', async () => {
    const { overHttp: send, base, close } = await bankServer({ now: wednesday });
    const control = controlOver(send, base);
    const payments = (paymentId: string): Promise<PaymentStory> =>
      control('GET /payments/:paymentId', { params: { paymentId } }).then((answer) => ({
        ...answer,
        otherEntries: [],
      }));
    const signers = (account: string) => whoSigns(control, account);
    const cause = new Error('the network is gone');
    const psu = (): never => {
      throw cause;
    };
    const error = await pay(
      { tpp: harnessTpp({ send, base, signedAt: testTime, isAlone: true }, {}), signers, psu, payments },
      order,
    ).catch((e: unknown) => e);
    expect(error).toMatchObject({ name: 'BankError', paymentStatus: 'RCVD', cause });
    const { paymentId = '', message } = error as BankError;
    expect(message).toBe(`the network is gone. The payment ${paymentId} was RCVD and is deleted.`);
    expect((await payments(paymentId)).status).toBe('CANC');
    await close();
  });

  test('a refused initiation has no paymentId; a refusal of the control plane its status too', async () => {
    expect(await failure({ amount: '1,5' })).toMatchObject({ status: 400, code: 'FORMAT_ERROR' });
    expect(await failure({ amount: '1,5' })).not.toHaveProperty('paymentId');
    await expect(held.bank.payments('none')).rejects.toMatchObject({
      name: 'BankError',
      status: 404,
      code: 'NOT_FOUND',
    });
  });
});
