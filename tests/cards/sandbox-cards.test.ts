import { beforeEach, describe, expect, test } from '@jest/globals';
import { codesOf, consentedHeaders, cards, holder, purchase, sandboxCards, scriptedCard } from './card-client.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');
beforeEach(async () => {
  await bank.signed('POST', '/v1/sandbox/initialize');
});

const post = (path: string, body: unknown) => bank.signed('POST', path, { body });

async function createdCard(): Promise<string> {
  return (await post(sandboxCards, scriptedCard)).body.resourceId;
}

describe('D1: card accounts of the sandbox', () => {
  test('the two private users of the known state have one each', async () => {
    const { body } = await bank.signed('GET', sandboxCards);
    expect(body.map(({ customerNumber }: Record<string, string>) => customerNumber)).toEqual([holder, '12085592767']);
  });

  test('real-api-facts 10: a card is created as the scripts send it, read, listed and deleted', async () => {
    const made = await post(sandboxCards, scriptedCard);
    expect(made.status).toBe(201);
    const { balances, accountNumber, ...sent } = scriptedCard;
    expect(balances).toHaveLength(1);
    // A text without a character is as if it was not sent (rules.md P8b).
    expect([accountNumber, made.body.accountNumber]).toEqual(['', undefined]);
    expect(made.body).toMatchObject({
      ...sent,
      creditLimit: { amount: '20000.00', currency: 'NOK' },
      balances: [{ balanceType: 'EXPECTED', balanceAmount: { amount: '-500.00', currency: 'NOK' } }],
    });
    const path = `${sandboxCards}/${made.body.resourceId}`;
    expect((await bank.signed('GET', path)).body).toEqual(made.body);
    expect((await bank.signed('GET', sandboxCards)).body).toHaveLength(3);
    expect((await bank.signed('DELETE', path)).status).toBe(204);
    const gone = await bank.signed('GET', path);
    expect([gone.status, gone.body.tppMessages[0].code]).toEqual([404, 'RESOURCE_UNKNOWN']);
  });

  test.each([
    ['a customer that nobody is', { customerNumber: '24125502810' }, 'RESOURCE_UNKNOWN customerNumber'],
    ['a card number that is not masked', { maskedPan: '4925000000000004' }, 'FORMAT_ERROR maskedPan'],
    [
      'a limit in another currency',
      { creditLimit: { currency: 'EUR', amount: 1 } },
      'FORMAT_ERROR creditLimit.currency',
    ],
    ['a limit below zero', { creditLimit: { currency: 'NOK', amount: -1 } }, 'FORMAT_ERROR creditLimit.amount'],
    ['a name of 71 characters', { name: 'x'.repeat(71) }, 'FORMAT_ERROR name'],
  ])('%s is refused', async (_, change, expected) => {
    expect(codesOf(await post(sandboxCards, { ...scriptedCard, ...change }))).toEqual([expected]);
  });

  test('longer-names: a name of 70 characters is kept', async () => {
    const name = 'x'.repeat(70);
    expect((await post(sandboxCards, { ...scriptedCard, name })).body.name).toBe(name);
  });

  test('D2: a deleted customer takes its cards along', async () => {
    const { body } = await bank.signed('GET', '/v1/sandbox/customers');
    const { customerId } = body.find((each: Record<string, string>) => each['customerNumber'] === holder);
    await bank.signed('DELETE', `/v1/sandbox/customers/${customerId}`);
    expect((await bank.signed('GET', sandboxCards)).body).toHaveLength(1);
  });

  test('D2: a consent to a card alone ends with it', async () => {
    const id = await createdCard();
    const headers = await consentedHeaders(bank, [id]);
    const list = await bank.signed('GET', cards, { headers });
    expect(list.body.cardAccounts).toHaveLength(1);
    await bank.signed('DELETE', `${sandboxCards}/${id}`);
    expect((await bank.signed('GET', cards, { headers })).body.tppMessages[0].code).toBe('CONSENT_INVALID');
  });
});

describe('D3: mock transactions of a card', () => {
  test('what is sent empty is left out; an item without bookingDate is pending', async () => {
    const path = `${sandboxCards}/${await createdCard()}/transactions`;
    const added = await post(path, [purchase, { ...purchase, cardTransactionId: '', bookingDate: '' }]);
    expect(added.status).toBe(201);
    expect(added.body[0]).toEqual({
      cardTransactionId: 'purchase-1',
      bookingDate: '2027-03-20',
      transactionDate: '2027-03-18',
      transactionAmount: { amount: '1165.50', currency: 'NOK' },
      originalAmount: { amount: '100.00', currency: 'EUR' },
      merchantCategoryCode: '5411',
      markupFee: { amount: '0.00', currency: 'NOK' },
      transactionDetails: 'Supermercado',
      invoiced: true,
    });
    expect(added.body[1]).not.toHaveProperty('bookingDate');
    expect(added.body[1].cardTransactionId).toMatch(/^enc!!/);
    expect((await bank.signed('GET', path)).body).toHaveLength(2);
  });

  test('invoiced is a text or a boolean, and false where it is empty or left out', async () => {
    const path = `${sandboxCards}/${await createdCard()}/transactions`;
    const sent = [true, 'true', false, 'false', '', undefined];
    const added = await post(
      path,
      sent.map((invoiced, index) => ({ ...purchase, cardTransactionId: String(index), invoiced })),
    );
    const read = added.body.map((each: { readonly invoiced: boolean }) => each.invoiced);
    expect(read).toEqual([true, true, false, false, false, false]);
  });

  test('they are read one by one, filtered (A9), and deleted one by one and all at once', async () => {
    const path = `${sandboxCards}/${await createdCard()}/transactions`;
    const others = ['2', '3'].map((id) => ({ ...purchase, cardTransactionId: id, bookingDate: '2027-03-01' }));
    await post(path, [purchase, ...others]);
    expect((await bank.signed('GET', `${path}/purchase-1`)).body.transactionDetails).toBe('Supermercado');
    expect((await bank.signed('GET', `${path}?fromDate=2027-03-02&limit=5`)).body).toHaveLength(1);
    expect((await bank.signed('DELETE', `${path}/purchase-1`)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) {
      const gone = await bank.signed(method, `${path}/purchase-1`);
      expect([gone.status, gone.body.tppMessages[0].code]).toEqual([403, 'RESOURCE_UNKNOWN']);
    }
    for (let round = 0; round < 2; round += 1) expect((await bank.signed('DELETE', path)).status).toBe(204);
    expect((await bank.signed('GET', path)).body).toEqual([]);
  });

  test.each([
    ['a purchase to come', { transactionDate: '2027-03-25' }, 'FORMAT_ERROR [1].transactionDate'],
    ['a date that does not exist', { bookingDate: '2027-02-31' }, 'FORMAT_ERROR [1].bookingDate'],
    ['zero', { transactionAmount: { currency: 'NOK', amount: 0 } }, 'FORMAT_ERROR [1].transactionAmount.amount'],
    [
      'the amount of the purchase where the charge belongs',
      { transactionAmount: { currency: 'EUR', amount: -100 } },
      'FORMAT_ERROR [1].transactionAmount.currency',
    ],
    ['invoiced in another word', { invoiced: 'yes' }, 'FORMAT_ERROR [1].invoiced'],
    ['invoiced in capitals', { invoiced: 'TRUE' }, 'FORMAT_ERROR [1].invoiced'],
    ['invoiced as a number', { invoiced: 1 }, 'FORMAT_ERROR [1].invoiced'],
    ['an id that is there', { cardTransactionId: 'purchase-1' }, 'CONFLICT [1].cardTransactionId'],
  ])('%s is refused, and nothing of the list is written', async (_, change, expected) => {
    const path = `${sandboxCards}/${await createdCard()}/transactions`;
    const wrong = { ...purchase, cardTransactionId: '2', ...change };
    expect(codesOf(await post(path, [purchase, wrong]))).toEqual([expected]);
    expect((await bank.signed('GET', path)).body).toEqual([]);
  });
});
