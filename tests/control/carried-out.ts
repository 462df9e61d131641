import { createHash } from 'node:crypto';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { accounts, crossBorderPayment, even, nora, productPath, sepaPayment } from '../lab/products.ts';
import type { Reply, Sent, TestBank } from '../lab/server.ts';
import { sandboxAccount, sandboxTransaction } from '../pipeline/samples.ts';
import { purchase, scriptedCard } from '../cards/card-client.ts';

/** A call that the bank would carry out, of one operation. */
export interface Operation {
  /** As the endpoint has it: `GET /accounts/:accountId`. */
  readonly name: string;
  readonly method: string;
  readonly target: string;
  readonly body?: object;
}

/** Ids of what a bank holds for {@link operationsOn}. */
export interface Prepared {
  readonly psuId: string;
  /** Unsigned payments, by service. */
  readonly unsigned: Readonly<Record<string, string>>;
  /** Signed for later, with a cancellation asked for, by service. */
  readonly signed: Readonly<Record<string, string>>;
  readonly basket: string;
  readonly inBasket: string;
  /** Signed and due today: PDNG. */
  readonly due: string;
  /** Unsigned, of another PSU. */
  readonly ofEven: string;
  readonly account: string;
  readonly transaction: string;
  readonly card: string;
  readonly customer: string;
  readonly agreement: string;
  readonly privateAgreement: string;
  readonly tpp: string;
}

export const services = { payments: singlePath, 'periodic-payments': periodicPath, 'bulk-payments': bulkPath };
const later = '2027-04-15';
const tpp = 'PSDNO-FSA-987654321';
const bodies: Record<string, (amount: string) => object> = {
  payments: (amount) => singlePayment({ instructedAmount: { amount, currency: 'NOK' }, requestedExecutionDate: later }),
  'periodic-payments': (amount) => periodicPayment({ instructedAmount: { amount, currency: 'NOK' } }),
  'bulk-payments': (amount) => bulkPayment([bulkItem(amount)], { requestedExecutionDate: '2027-04-16' }),
};

/** Body of a new payment of a service; `10.00` is that of the unsigned one. */
export const paymentBody = (service: string, amount: string): object => bodies[service]?.(amount) ?? {};

/** Makes what each operation needs. Every call must succeed. */
export async function prepare(bank: TestBank): Promise<Prepared> {
  const ok = async (reply: Promise<Reply>): Promise<Reply['body']> => {
    const { status, body } = await reply;
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body;
  };
  const offer = await ok(bank.signed('POST', '/v1/bank-offered-consents'));
  const [{ resourceId: account }] = await ok(bank.signed('GET', '/v1/sandbox/accounts'));
  const old = { ...sandboxTransaction, creditorAccount: undefined };
  const path = `/v1/sandbox/accounts/${account}/transactions`;
  const [{ transactionId: transaction }] = await ok(bank.signed('POST', path, { body: [old] }));
  const [{ resourceId: card }] = await ok(bank.signed('GET', '/v1/sandbox/card-accounts'));
  await ok(bank.signed('POST', `/v1/sandbox/card-accounts/${card}/transactions`, { body: [purchase] }));
  await ok(bank.signed('PUT', `/v1/tpps/${tpp}/contact-information`, { body: { email: 'a@tpp.example' } }));
  const psuId = (await bank.approve(offer, nora)).searchParams.get('psu-id') ?? '';
  const headers = { 'psu-id': psuId };
  const initiated = async (target: string, body: object, sent: Sent = { headers }): Promise<string> =>
    (await ok(bank.signed('POST', target, { ...sent, body }))).paymentId;
  const sign = async (target: string): Promise<void> => {
    const { _links } = await ok(bank.signed('POST', `${target}/authorisations`, { headers }));
    await bank.approve(_links.scaRedirect.href, nora);
  };
  const unsigned: Record<string, string> = {};
  const signed: Record<string, string> = {};
  for (const [service, target] of Object.entries(services)) {
    unsigned[service] = await initiated(target, paymentBody(service, '10.00'));
    signed[service] = await initiated(target, paymentBody(service, '20.00'));
    await sign(`${target}/${signed[service]}`);
    await ok(bank.signed('DELETE', `${target}/${signed[service]}`, { headers }));
  }
  const due = await initiated(singlePath, singlePayment());
  await sign(`${singlePath}/${due}`);
  const inBasket = await initiated(singlePath, paymentBody('payments', '30.00'));
  const paymentIds = [inBasket];
  const { basketId: basket } = await ok(bank.signed('POST', '/v1/signing-baskets', { headers, body: { paymentIds } }));
  const ofEven = await initiated(singlePath, singlePayment({ debtorAccount: accounts.evenNok }), {
    headers: { 'x-psu-identity': even, 'psu-context': 'PRIVATE' },
  });
  const agreements = await ok(bank.signed('GET', '/v1/sandbox/agreements'));
  const agreementOf = (wanted: string): string =>
    agreements.find(({ owner }: { owner: string }) => owner === wanted).agreementId;
  const [{ customerId: customer }] = await ok(bank.signed('GET', '/v1/sandbox/customers'));
  const ids = { agreement: agreementOf('11111111'), privateAgreement: agreementOf(nora), customer, tpp };
  return { psuId, unsigned, signed, basket, inBasket, due, ofEven, account, transaction, card, ...ids };
}

/** One call of every operation of the interface, which the prepared bank would carry out, again and again. */
export function operationsOn(prepared: Prepared): Operation[] {
  const { account, transaction, card, basket, agreement, customer } = prepared;
  const identifier = createHash('sha256').update(nora).digest('base64');
  const ids: Record<string, string> = {
    accountId: account,
    transactionId: transaction,
    cardId: card,
    cardTransactionId: purchase.cardTransactionId,
    basketId: basket,
    agreementId: agreement,
    customerId: customer,
    tppId: prepared.tpp,
    paymentId: prepared.signed['payments'] ?? '',
  };
  const operation = (name: string, body?: object, changes: Record<string, string> = {}): Operation => {
    const [method = '', path = ''] = name.split(' ');
    const target = `/v1${path.replace(/:(\w+)/g, (_, id: string) => changes[id] ?? ids[id] ?? '')}`;
    return { name, method, target, ...(body !== undefined && { body }) };
  };
  const initiation = (name: string, path: string, body: object): Operation => ({
    name: `POST ${name}`,
    method: 'POST',
    target: path,
    body,
  });
  const ofPayment = Object.entries(services).flatMap(([service, path]) => {
    const product = path.split('/').at(-1) ?? '';
    const signed = { product, paymentId: prepared.signed[service] ?? '' };
    const unsigned = { product, paymentId: prepared.unsigned[service] ?? '' };
    const one = `/${service}/:product/:paymentId`;
    return [
      initiation(`/${service}/:product`, path, paymentBody(service, '40.00')),
      operation(`GET ${one}`, undefined, signed),
      operation(`GET ${one}/status`, undefined, signed),
      operation(`DELETE ${one}`, undefined, signed),
      operation(`POST ${one}/authorisations`, undefined, unsigned),
      operation(`POST ${one}/cancellation-authorisations`, undefined, signed),
    ];
  });
  const straks = { ...singlePayment({ instructedAmount: { amount: '50.00', currency: 'NOK' } }) };
  const card2 = { ...purchase, cardTransactionId: 'another' };
  const engagement = { customer: even, account: { iban: 'NO2034110000016' }, roles: ['VIEW'] };
  return [
    ...ofPayment,
    initiation('/payments/:product', productPath('straks'), straks),
    initiation('/payments/:product', productPath('sepa'), sepaPayment()),
    initiation('/payments/:product', productPath('crossBorder'), crossBorderPayment()),
    operation('GET /payment/:paymentId'),
    operation('GET /payment/:paymentId/status'),
    operation('POST /signing-baskets', { paymentIds: [prepared.unsigned['payments']] }),
    operation('GET /signing-baskets/:basketId'),
    operation('POST /signing-baskets/:basketId/authorisations'),
    operation('GET /users'),
    operation('GET /user'),
    operation('GET /agreements'),
    operation('POST /user/verification', { identifier }),
    operation('POST /bank-offered-consents'),
    operation('POST /consents'),
    operation('GET /accounts'),
    operation('GET /accounts/:accountId'),
    operation('GET /accounts/:accountId/balances'),
    operation('GET /accounts/:accountId/transactions'),
    operation('GET /accounts/:accountId/transactions/:transactionId'),
    operation('GET /card-accounts'),
    operation('GET /card-accounts/:cardId'),
    operation('GET /card-accounts/:cardId/balances'),
    operation('GET /card-accounts/:cardId/transactions'),
    operation('PUT /tpps/:tppId/contact-information', { email: 'b@tpp.example' }),
    operation('GET /tpps/:tppId/contact-information'),
    operation('POST /sandbox/initialize'),
    operation('POST /sandbox/customers', { customerNumber: '01078900497', name: 'x', type: 'private' }),
    operation('GET /sandbox/customers'),
    operation('GET /sandbox/customers/:customerId'),
    operation('DELETE /sandbox/customers/:customerId'),
    operation('POST /sandbox/agreements', { owner: '11111111', name: 'Another', engagements: [] }),
    operation('GET /sandbox/agreements'),
    operation('GET /sandbox/agreements/:agreementId'),
    operation('DELETE /sandbox/agreements/:agreementId'),
    operation('POST /sandbox/agreements/:agreementId/engagements', engagement),
    operation('POST /sandbox/accounts', { ...sandboxAccount, customerNumber: nora }),
    operation('GET /sandbox/accounts'),
    operation('GET /sandbox/accounts/:accountId'),
    operation('DELETE /sandbox/accounts/:accountId'),
    operation('POST /sandbox/accounts/:accountId/transactions', [sandboxTransaction]),
    operation('GET /sandbox/accounts/:accountId/transactions'),
    operation('DELETE /sandbox/accounts/:accountId/transactions'),
    operation('POST /sandbox/accounts/:accountId/transactions/:transactionId', sandboxTransaction),
    operation('GET /sandbox/accounts/:accountId/transactions/:transactionId'),
    operation('DELETE /sandbox/accounts/:accountId/transactions/:transactionId'),
    operation('POST /sandbox/card-accounts', scriptedCard),
    operation('GET /sandbox/card-accounts'),
    operation('GET /sandbox/card-accounts/:cardId'),
    operation('DELETE /sandbox/card-accounts/:cardId'),
    operation('POST /sandbox/card-accounts/:cardId/transactions', [card2]),
    operation('GET /sandbox/card-accounts/:cardId/transactions'),
    operation('DELETE /sandbox/card-accounts/:cardId/transactions'),
    operation('GET /sandbox/card-accounts/:cardId/transactions/:cardTransactionId'),
    operation('DELETE /sandbox/card-accounts/:cardId/transactions/:cardTransactionId'),
  ];
}

/** Whether an operation concerns a PSU: it reads PSU-ID and PSU-Corporate-ID. */
export function concernsPsu({ name }: Operation): boolean {
  return !/^\w+ \/(sandbox|tpps)/.test(name);
}
