import { beforeEach, describe, expect, test } from '@jest/globals';
import { cards, codesOf, consentedHeaders, purchase, sandboxCards, scriptedCard } from './card-client.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');
let card: string;
beforeEach(async () => {
  await bank.signed('POST', '/v1/sandbox/initialize');
  card = `${sandboxCards}/${(await bank.signed('POST', sandboxCards, { body: scriptedCard })).body.resourceId}`;
});

/** The most that one amount can be: 10^17 øre. A credit is a refund, which is sent below zero (rules.md D5). */
const maxAmount = 1e15;
const credit = (id: string, amount: number) => {
  return { ...purchase, cardTransactionId: id, transactionAmount: { currency: 'NOK', amount: -amount } };
};
const add = (...transactions: object[]) => bank.signed('POST', `${card}/transactions`, { body: transactions });
const owed = async () => (await bank.signed('GET', card)).body.balances[0].balanceAmount.amount;

describe('P4: a card holds no more than 10^17 minor units', () => {
  test('what would take it further is refused with all of its list, at the place where it does', async () => {
    const many = Array.from({ length: 95 }, (_, index) => credit(`p${index}`, maxAmount));
    const refused = await add(...many);
    expect(refused.status).toBe(400);
    expect(codesOf(refused)[0]).toBe('FORMAT_ERROR [1].transactionAmount.amount');
    expect(await owed()).toBe('-500.00');
    expect(
      (await bank.signed('GET', `${cards}?withBalance=true`, { headers: await consentedHeaders(bank) })).status,
    ).toBe(200);
  });

  test('it counts what was there before, and each transaction on the way', async () => {
    expect((await add(credit('first', maxAmount))).status).toBe(201);
    expect(codesOf(await add(credit('second', 500.01)))).toEqual(['FORMAT_ERROR [0].transactionAmount.amount']);
    expect((await add(credit('second', -maxAmount), credit('third', maxAmount), credit('fourth', 500))).status).toBe(
      201,
    );
    expect(await owed()).toBe('1000000000000000.00');
  });

  test('a transaction that holds the balance within stays until the others are gone', async () => {
    await add(credit('in', maxAmount), credit('out', -maxAmount), credit('again', maxAmount));
    const refused = await bank.signed('DELETE', `${card}/transactions/out`);
    expect([refused.status, refused.body.tppMessages[0].code]).toEqual([409, 'CONFLICT']);
    expect((await bank.signed('DELETE', `${card}/transactions/in`)).status).toBe(204);
    expect((await bank.signed('DELETE', `${card}/transactions`)).status).toBe(204);
    expect(await owed()).toBe('-500.00');
  });
});

test('P4: a credit limit above 10^17 minor units is refused, as a number and as a string', async () => {
  const xdr = { ...scriptedCard, currency: 'XDR', balances: [] };
  for (const amount of ['1000000000001.00000', 1000000000001]) {
    const refused = await bank.signed('POST', sandboxCards, {
      body: { ...xdr, creditLimit: { currency: 'XDR', amount } },
    });
    expect(codesOf(refused)).toEqual(['FORMAT_ERROR creditLimit.amount']);
  }
});
