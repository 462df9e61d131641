import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { endpoints } from '../../api/interface/index.ts';
import { operationOf } from '../../api/pipeline/endpoint.ts';
import { transactionIdOf } from '../../engine/accounts/rules/transaction-list.ts';
import { clip } from '../../engine/values/text.ts';
import { bulkItem, bulkPath, bulkPayment, periodicPath, periodicPayment } from '../lab/bodies.ts';
import { debtorBban, singlePath, singlePayment } from '../lab/bodies.ts';
import { rowsIn, rowsOf } from '../lab/rows.ts';
import type { Reply } from '../lab/server.ts';
import { boxesOf, openPages } from '../sca/pages.ts';
import { consentedTransactions } from '../support/transactions.ts';
import { testBank } from '../support/test-bank.ts';

/* rules.md Q3, register 4, 5, 6: ids have other lengths on the wire, wherever one is shown or taken. */

const quirk = { 'id-lengths': 'transaction:241/payment:69/resource:120/unpadded' };
const lengths: Readonly<Record<string, number>> = {
  transactionId: 241,
  paymentId: 69,
  resourceId: 120,
  id: 120,
  basketId: 120,
};
const psu = '13039319955';

const bank = testBank('2027-03-24T12:00:00+01:00');
let psuId = '';
let accountPath = '';
const shown = { account: '', card: '', transaction: '' };
beforeAll(async () => {
  // The journal of a purchase, so that the account has a transaction.
  await sandbox('POST', `accounts/${(await own('accounts')).resourceId}/transactions`, [mock()]);
  await bank.quirks(quirk);
  const { path, booked, headers } = await consentedTransactions(bank, psu, debtorBban);
  psuId = headers['psu-id'] ?? '';
  accountPath = path;
  shown.account = decodeURIComponent(path.split('/')[3] ?? '');
  shown.transaction = booked[0].transactionId;
  shown.card = (await asPsu('GET', '/v1/card-accounts')).body.cardAccounts[0].resourceId;
});

const sandbox = (method: string, path: string, body?: unknown) => bank.signed(method, `/v1/sandbox/${path}`, { body });
const asPsu = (method: string, path: string, body?: unknown) =>
  bank.signed(method, path, { body, headers: { 'psu-id': psuId, 'psu-context': 'PRIVATE' } });

/** The first account of the test data, or card account, of the PSU. */
async function own(kind: 'accounts' | 'card-accounts'): Promise<{ readonly resourceId: string }> {
  const all: readonly { customerNumber: string; resourceId: string; bban?: string }[] = (await sandbox('GET', kind))
    .body;
  const found = all.find((one) => one.customerNumber === psu && (kind !== 'accounts' || one.bban === debtorBban));
  if (found === undefined) throw new Error(`the PSU has no ${kind}`);
  return found;
}

function mock(): object {
  const dates = { valueDate: '2027-03-22', bookingDate: '2027-03-22' };
  return { amount: '-10.00', currency: 'NOK', ...dates, remittanceInformationUnstructured: randomUUID() };
}

function cardMock(): object {
  return {
    transactionDate: '2027-03-22',
    bookingDate: '2027-03-22',
    transactionAmount: { amount: '10.00', currency: 'NOK' },
    cardTransactionId: randomUUID(),
  };
}

/** Due later, so that a signed one can be deleted. */
const on = { requestedExecutionDate: '2027-04-15' };
const services = {
  payments: [singlePath, singlePayment(on)],
  'periodic-payments': [periodicPath, periodicPayment()],
  'bulk-payments': [bulkPath, bulkPayment([bulkItem('1.00')], on)],
} as const;

/** A new payment, not signed. */
async function paid(service: keyof typeof services = 'payments'): Promise<string> {
  const [path, body] = services[service];
  const made = await asPsu('POST', `${path}?allowLogicalDuplicate=true`, body);
  expect(made.status).toBe(201);
  return made.body.paymentId;
}

async function signed(service: keyof typeof services): Promise<string> {
  const id = await paid(service);
  const { body } = await asPsu('POST', `${services[service][0]}/${id}/authorisations`);
  await bank.approve(body);
  return id;
}

const basketOf = (paymentIds: readonly unknown[]) => asPsu('POST', '/v1/signing-baskets', { paymentIds });
const newAccount = async (): Promise<string> =>
  (await sandbox('POST', 'accounts', { customerNumber: psu, currency: 'EUR', iban: nextIban() })).body.resourceId;
const newCard = async (): Promise<string> => {
  const card = { customerNumber: psu, maskedPan: '123456******4321', currency: 'NOK' };
  return (await sandbox('POST', 'card-accounts', card)).body.resourceId;
};
const newTransaction = async (account: string): Promise<string> =>
  (await sandbox('POST', `accounts/${account}/transactions`, [mock()])).body[0].transactionId;

let ibans = 0;
function nextIban(): string {
  const bban = `WEST${String((ibans += 1)).padStart(14, '0')}`;
  const digits = [...`${bban}GB00`].map((letter) => Number.parseInt(letter, 36)).join('');
  return `GB${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${bban}`;
}

/** Every id that the ledger keeps, but those of customers and agreements, and of what no answer shows. */
async function ledgerIds(): Promise<readonly string[]> {
  const tables = ['account', 'card_account', 'payment', 'signing_basket'];
  const all = tables.map((table) => `select resource_id as id from ${table}`).join(' union all ');
  return bank.bank.ledger.read(async (reader) => {
    const [rows, entries] = [await rowsOf(reader, all), await rowsOf(reader, 'select id from entry')];
    return [...rows.map(({ id }) => String(id)), ...entries.map(({ id }) => transactionIdOf(Number(id)))];
  });
}

/** Nothing of an answer is an id of the ledger, and each id has its length and form. */
async function expectWireIds(answer: Reply): Promise<void> {
  const text = JSON.stringify([answer.body, ...answer.headers]);
  for (const id of await ledgerIds()) expect(text).not.toContain(id);
  for (const [, name = '', id = ''] of text.matchAll(/"(\w+)":"(enc!![^"]*)"/g)) {
    if (lengths[name] !== undefined) expect([name, id.length, /[\w-]$/.test(id)]).toEqual([name, lengths[name], true]);
  }
  for (const [, id = ''] of text.matchAll(/"paymentIds":\["(enc!![^"]*)"/g)) expect(id).toHaveLength(69);
  for (const [, path = '', id = ''] of text.matchAll(/"\/v1\/([^"]*?)(enc!![^"/?]*)/g)) {
    if (!/customers/.test(path)) expect(id).toHaveLength(/payments/.test(path) ? 69 : 120);
  }
}

/** The same id with another letter. */
function changed(id: string): string {
  const at = id.length - 2;
  return `${id.slice(0, at)}${id[at] === 'A' ? 'B' : 'A'}${id.slice(at + 1)}`;
}

type Params = Readonly<Record<string, string>>;
interface Step {
  /** Ids of the path. */
  readonly params?: () => Promise<Params>;
  readonly body?: () => unknown;
  readonly query?: string;
}

const account = async (): Promise<Params> => ({ accountId: shown.account });
const card = async (): Promise<Params> => ({ cardId: shown.card });
const product = 'norwegian-domestic-credit-transfers';
const ofPayment = (service: keyof typeof services, make: (service: keyof typeof services) => Promise<string>) => {
  return async (): Promise<Params> => ({ product, paymentId: await make(service) });
};
const ofService = (service: keyof typeof services): Readonly<Record<string, Step>> => {
  const one = `/v1/${service}/{product}/{paymentId}`;
  return {
    [`GET ${one}`]: { params: ofPayment(service, paid) },
    [`GET ${one}/status`]: { params: ofPayment(service, signed) },
    [`DELETE ${one}`]: { params: ofPayment(service, service === 'payments' ? paid : signed) },
    [`POST ${one}/authorisations`]: { params: ofPayment(service, paid) },
    [`POST ${one}/cancellation-authorisations`]: {
      params: async () => {
        const paymentId = await signed(service);
        await asPsu('DELETE', `/v1/${service}/${product}/${paymentId}`);
        return { product, paymentId };
      },
    },
  };
};
const inNewAccount = async (): Promise<Params> => ({ accountId: await newAccount() });
const itsTransaction = async (): Promise<Params> => {
  const accountId = (await own('accounts')).resourceId;
  return { accountId, transactionId: await newTransaction(accountId) };
};
const inNewCard = async (): Promise<Params> => ({ cardId: await newCard() });
const itsPurchase = async (): Promise<Params> => {
  const cardId = await newCard();
  const { body } = await sandbox('POST', `card-accounts/${cardId}/transactions`, [cardMock()]);
  return { cardId, cardTransactionId: body[0].cardTransactionId };
};

/** Each operation that takes an id, or shows one. */
const steps: Readonly<Record<string, Step>> = {
  ...ofService('payments'),
  ...ofService('periodic-payments'),
  ...ofService('bulk-payments'),
  'POST /v1/payments/{product}': { params: async () => ({ product }), body: singlePayment },
  'POST /v1/periodic-payments/{product}': { params: async () => ({ product }), body: periodicPayment },
  'POST /v1/bulk-payments/{product}': {
    params: async () => ({ product }),
    body: () => bulkPayment([bulkItem('1.00')]),
  },
  'GET /v1/payment/{paymentId}': { params: ofPayment('payments', paid) },
  'GET /v1/payment/{paymentId}/status': { params: ofPayment('bulk-payments', signed) },
  'POST /v1/signing-baskets': { body: async () => ({ paymentIds: [await paid(), await paid('bulk-payments')] }) },
  'GET /v1/signing-baskets/{basketId}': {
    params: async () => ({ basketId: (await basketOf([await paid()])).body.basketId }),
  },
  'POST /v1/signing-baskets/{basketId}/authorisations': {
    params: async () => ({ basketId: (await basketOf([await paid()])).body.basketId }),
  },
  'GET /v1/accounts': { query: '?withBalance=true' },
  'GET /v1/accounts/{accountId}': { params: account },
  'GET /v1/accounts/{accountId}/balances': { params: account },
  'GET /v1/accounts/{accountId}/transactions': { params: account, query: '?limit=1' },
  'GET /v1/accounts/{accountId}/transactions/{transactionId}': {
    params: async () => ({ accountId: shown.account, transactionId: shown.transaction }),
  },
  'GET /v1/card-accounts': {},
  'GET /v1/card-accounts/{cardId}': { params: card },
  'GET /v1/card-accounts/{cardId}/balances': { params: card },
  'GET /v1/card-accounts/{cardId}/transactions': { params: card },
  'POST /v1/sandbox/accounts': { body: () => ({ customerNumber: psu, currency: 'EUR', iban: nextIban() }) },
  'GET /v1/sandbox/accounts': {},
  'GET /v1/sandbox/accounts/{accountId}': { params: account },
  'DELETE /v1/sandbox/accounts/{accountId}': { params: inNewAccount },
  'POST /v1/sandbox/accounts/{accountId}/transactions': { params: account, body: () => [mock()] },
  'GET /v1/sandbox/accounts/{accountId}/transactions': { params: account, query: '?limit=1' },
  'DELETE /v1/sandbox/accounts/{accountId}/transactions': { params: inNewAccount },
  'GET /v1/sandbox/accounts/{accountId}/transactions/{transactionId}': { params: itsTransaction },
  'POST /v1/sandbox/accounts/{accountId}/transactions/{transactionId}': { params: itsTransaction, body: mock },
  'DELETE /v1/sandbox/accounts/{accountId}/transactions/{transactionId}': { params: itsTransaction },
  'POST /v1/sandbox/card-accounts': {
    body: () => ({ customerNumber: psu, maskedPan: '123456******4321', currency: 'NOK' }),
  },
  'GET /v1/sandbox/card-accounts': {},
  'GET /v1/sandbox/card-accounts/{cardId}': { params: card },
  'DELETE /v1/sandbox/card-accounts/{cardId}': { params: inNewCard },
  'POST /v1/sandbox/card-accounts/{cardId}/transactions': { params: card, body: () => [cardMock()] },
  'GET /v1/sandbox/card-accounts/{cardId}/transactions': { params: card },
  'DELETE /v1/sandbox/card-accounts/{cardId}/transactions': { params: inNewCard },
  'GET /v1/sandbox/card-accounts/{cardId}/transactions/{cardTransactionId}': { params: itsPurchase },
  'DELETE /v1/sandbox/card-accounts/{cardId}/transactions/{cardTransactionId}': { params: itsPurchase },
};

/** What is read back; the others are told apart by their numbers, or are the bank's own. */
const readBack = ['paymentId', 'basketId', 'accountId', 'cardId', 'transactionId'];

async function ask(operation: string, params: Params, { body, query = '' }: Step): Promise<Reply> {
  const [method = '', template = ''] = operation.split(' ');
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const duplicates = /^POST .*payments\/\{product\}$/.test(operation) ? '?allowLogicalDuplicate=true' : query;
  return asPsu(method, path + duplicates, await body?.());
}

async function shownBy(page: Response): Promise<{ readonly status: number; readonly text: string }> {
  return { status: page.status, text: await page.text() };
}

/** An id as the ledger has it, by the control plane or by the answer without the quirk. */
async function ledgerIdOf(name: string, id: string): Promise<string> {
  const { WireIds } = await import('../../api/quirks/encrypted-ids.ts');
  const [state] = await rowsIn(bank.bank, 'select wire_key from bank_state');
  const kind = name === 'transactionId' ? 'transaction' : name === 'paymentId' ? 'payment' : 'resource';
  const read = new WireIds(String(state?.['wire_key']), bank.bank.quirks).read(kind, id);
  if (read === null) throw new Error(`${name} ${id} is no id of the wire`);
  return read.id;
}

describe.each(Object.entries(steps))('%s', (operation, step) => {
  test('register 4, 5, 6: shows ids of these lengths only, and reads them back', async () => {
    const answer = await ask(operation, (await step.params?.()) ?? {}, step);
    expect([200, 201, 202, 204]).toContain(answer.status);
    await expectWireIds(answer);
  });

  const taken = [...operation.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => (readBack.includes(name) ? name : []));
  if (taken.length === 0) return;
  test.each(taken)('Q3: a %s with another letter, or of the ledger, is unknown', async (name) => {
    const params = (await step.params?.()) ?? {};
    const id = params[name] ?? '';
    for (const other of [changed(id), await ledgerIdOf(name, id), 'enc!!short', `${id}A`]) {
      const answer = await ask(operation, { ...params, [name]: other }, step);
      const place = name === 'paymentId' || name === 'basketId' || name === 'transactionId' ? 403 : 404;
      expect([answer.status, answer.body.tppMessages[0].code]).toEqual([place, 'RESOURCE_UNKNOWN']);
      expect(answer.body.tppMessages[0].text).toContain(clip(other));
      expect(answer.body.tppMessages[0].text).not.toContain('undefined');
    }
    // The right one is still there.
    expect((await ask(operation, params, step)).status).toBeLessThan(300);
  });
});

test('Q3: these are all operations that take such an id', () => {
  const all = endpoints
    .map(operationOf)
    .filter((operation) => readBack.some((name) => operation.includes(`{${name}}`)));
  expect(all.filter((operation) => steps[operation] === undefined)).toEqual([]);
});

describe('signing baskets', () => {
  test('Q3: a list with a payment of another letter, or of the ledger, is refused as an unknown one is today', async () => {
    const id = await paid();
    for (const other of [changed(id), await ledgerIdOf('paymentId', id), `enc!!${'A'.repeat(500)}`]) {
      const { status, body } = await basketOf([await paid(), other]);
      expect([status, body.tppMessages[0].code, body.tppMessages[0].path]).toEqual([
        400,
        'RESOURCE_UNKNOWN',
        'paymentIds[1]',
      ]);
    }
    const twice = await basketOf([id, id]);
    expect([twice.status, twice.body.tppMessages[0].code]).toEqual([400, 'FORMAT_ERROR']);
    const none = await basketOf(['', 7]);
    expect([none.status, none.body.tppMessages[0].code]).toEqual([400, 'FORMAT_ERROR']);
  });

  test('Q3: a basket is created, signed and read, with its payments', async () => {
    const ids = [await paid(), await paid()];
    const { body: basket } = await basketOf(ids);
    expect(basket.paymentIds).toEqual(ids);
    const { body } = await asPsu('POST', basket._links.startAuthorisation.href);
    await bank.approve(body);
    const { body: after } = await asPsu('GET', basket._links.self.href);
    expect([after.transactionStatus, after.paymentIds]).toEqual(['ACSP', ids]);
  });
});

describe('links lead on', () => {
  test.each(Object.entries(services))('Q3: a payment of %s by its links alone', async (_service, [path, body]) => {
    const made = await asPsu('POST', `${path}?allowLogicalDuplicate=true`, body);
    const { self, status, startAuthorisation } = made.body._links;
    const sca = await asPsu('POST', startAuthorisation.href);
    await bank.approve(sca.body);
    const read = await asPsu('GET', status.href);
    expect([read.body.transactionStatus, read.body.paymentId]).toEqual(['ACSP', made.body.paymentId]);
    const deleted = await asPsu('DELETE', self.href);
    const cancellation = await asPsu('POST', deleted.body._links.startAuthorisation.href);
    await bank.approve(cancellation.body);
    expect((await asPsu('GET', status.href)).body.transactionStatus).toBe('CANC');
  });

  test('Q3: a payment and a consent that the PSU approves on the pages', async () => {
    const pages = await openPages(bank.bank);
    const approval = { action: 'approve', psu, context: 'PRIVATE' };
    const scaOf = ({ body }: Reply): string => new URL(body._links.scaRedirect.href).pathname.split('/').at(-1) ?? '';
    try {
      const paymentId = await paid();
      const sca = await asPsu('POST', `${singlePath}/${paymentId}/authorisations`);
      expect((await pages.submit(scaOf(sca), approval)).status).toBe(303);
      const { body } = await asPsu('GET', `${singlePath}/${paymentId}/status`);
      expect([body.paymentId, body.transactionStatus]).toEqual([paymentId, 'ACSP']);
      const offered = await bank.signed('POST', '/v1/bank-offered-consents', { headers: { 'psu-context': 'PRIVATE' } });
      const { text, ...page } = await shownBy(await pages.submit(scaOf(offered), { ...approval, action: 'choose' }));
      expect(page.status).toBe(200);
      expect(text).not.toContain(shown.account);
      const account = boxesOf(text).all.slice(0, 1);
      expect((await pages.submit(scaOf(offered), { ...approval, account })).status).toBe(303);
      const { accounts } = (await asPsu('GET', '/v1/accounts')).body;
      expect(accounts.map(({ resourceId }: { resourceId: string }) => resourceId.length)).toEqual([120]);
    } finally {
      await pages.close();
      await consentedTransactions(bank, psu, debtorBban);
    }
  });

  test('Q3: from the accounts to a transaction, over two pages', async () => {
    const { body } = await asPsu('GET', '/v1/accounts');
    const links = body.accounts.find(({ bban }: { bban: string }) => bban === debtorBban)._links;
    expect((await asPsu('GET', links.balances.href)).status).toBe(200);
    await sandbox('POST', `accounts/${shown.account}/transactions`, [mock(), mock()]);
    const first = await asPsu('GET', `${links.transactions.href}&limit=1`);
    const next = await asPsu('GET', first.body.transactions._links.next.href);
    expect(next.status).toBe(200);
    expect(next.body.transactions.booked[0].transactionId).not.toBe(first.body.transactions.booked[0].transactionId);
    await expectWireIds(next);
  });
});

test('Q2, P9: a repeated initiation shows its ids as the bank writes them now', async () => {
  const headers = { 'psu-id': psuId, 'psu-context': 'PRIVATE', 'x-request-id': randomUUID() };
  const again = () =>
    bank.signed('POST', `${singlePath}?allowLogicalDuplicate=true`, { headers, body: singlePayment() });
  const first = (await again()).body;
  expect((await again()).body).toEqual(first);
  await bank.quirks({ 'id-lengths': false });
  const usual = (await again()).body;
  await bank.quirks(quirk);
  expect(usual.paymentId).toBe(await ledgerIdOf('paymentId', first.paymentId));
  expect(usual._links.self.href).toContain(usual.paymentId);
});

test('Q3: a refusal names an account of the bank by its id on the wire', async () => {
  const iban = nextIban();
  const body = { customerNumber: psu, currency: 'EUR', iban };
  const { resourceId } = (await sandbox('POST', 'accounts', body)).body;
  const refused = await sandbox('POST', 'accounts', body);
  expect(refused.body.tppMessages[0].text).toContain(`resourceId ${clip(resourceId)}`);
});

test('Q3: a refusal names another payment and a basket by their ids on the wire', async () => {
  const first = await paid();
  const again = await asPsu('POST', singlePath, services.payments[1]);
  const [, duplicate] = /creditor account of payment (\S+) \(RCVD\)/.exec(again.body.tppMessages[0].text) ?? [];
  expect((await asPsu('GET', `${singlePath}/${duplicate}`)).status).toBe(200);
  const { basketId } = (await basketOf([first])).body;
  const inBasket = await asPsu('POST', `${singlePath}/${first}/authorisations`);
  expect(inBasket.body.tppMessages[0].text).toContain(`the signing basket ${clip(basketId)}`);
  expect((await basketOf([first])).body.tppMessages[0].text).toContain(`the signing basket ${clip(basketId)}`);
});

test('Q3: customers, agreements, card transactions and SCAs keep their ids', async () => {
  const all = async () => {
    const customers = (await sandbox('GET', 'customers')).body;
    const agreements = (await sandbox('GET', 'agreements')).body;
    return [customers, agreements];
  };
  const shaped = await all();
  const { body: purchase } = await sandbox('POST', `card-accounts/${shown.card}/transactions`, [cardMock()]);
  expect(purchase[0].cardTransactionId).toMatch(/^[0-9a-f-]{36}$/);
  await bank.quirks({ 'id-lengths': false });
  expect(await all()).toEqual(shaped);
  await bank.quirks(quirk);
});

test('register 4, 5, 6: without the quirk ids are those of the ledger', async () => {
  await bank.quirks({ 'id-lengths': false });
  const known = await ledgerIds();
  const { booked } = await consentedTransactions(bank, psu, debtorBban);
  expect(booked[0].transactionId).toMatch(/^enc!![\w-]{22}==$/);
  for (const id of [booked[0].transactionId, (await own('accounts')).resourceId]) expect(known).toContain(id);
  expect((await paid()).length).toBe(49);
  await bank.quirks(quirk);
  expect((await asPsu('GET', `${accountPath}?bookingStatus=booked`)).status).toBe(200);
});

test.each([
  [512, 'RESOURCE_UNKNOWN'],
  [513, 'FORMAT_ERROR'],
])('no id is longer than 512 characters: one of %i in a signing basket is %s', async (length, code) => {
  const { body } = await asPsu('POST', '/v1/signing-baskets', { paymentIds: ['x'.repeat(length), 'y'] });
  expect(body.tppMessages[0].code).toBe(code);
});
