import fc from 'fast-check';
import { addDays, type LocalDate } from '../../engine/values/local-date.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import type { BankClient, Reply } from '../lab/server.ts';
import { anyOf, demand, drawn, type Search } from './campaign.ts';
import {
  answered,
  forced,
  initiate,
  payer,
  type PromisedPayment,
  type Promises,
  signed,
  told,
} from './killed-server.ts';

/** Input of a move. */
export interface MoveContext extends Pick<Search, 'random' | 'tally'> {
  readonly server: BankClient;
  readonly promises: Promises;
  /** Bank date at the start of the round. */
  readonly today: LocalDate;
  /** Counter over the whole campaign, so that names and amounts are unique. */
  readonly next: () => number;
}

type Send = () => Promise<unknown>;

/** Draws one action of a client from the seed at once. It is sent when called; null if it is not possible now. */
type Maker = (context: MoveContext) => Send | null;

/** Actions by name. */
const makers: Readonly<Record<string, Maker>> = {
  initiation,
  'repeated initiation': repeat,
  approval: onPayment(
    ({ scaRedirect }) => scaRedirect !== null,
    ({ server }, payment) => {
      const id = new URL(payment.scaRedirect ?? '').pathname.split('/').at(-1) ?? '';
      payment.scaRedirect = null;
      const body = { outcome: 'approve', psu: payer, context: 'PRIVATE' };
      return [signed, () => server.control('POST', `/sandbox/sca/${id}`, body)];
    },
  ),
  deletion: onPayment(
    ({ history }) => history.at(-1) !== 'ACSC',
    ({ server }, { id, sent }) => {
      const target = `${sent.path}/${encodeURIComponent(id)}`;
      // An answer of 200 asks for a signature, and promises nothing.
      return ['CANC', () => server.signed('DELETE', target, { headers: { 'x-psu-identity': payer } }), 204];
    },
  ),
  cancellation: onAny(({ server }, path) => ['CANC', () => server.control('POST', `${path}/cancel`, {})]),
  'forced status': onAny(({ server, random }, path) => {
    const status = random.pick(forced);
    return [status, () => server.control('POST', `${path}/status`, { status })];
  }),
  advance: ({ server, random }) => {
    const runs = 1 + random.below(30);
    return () => answered(server.advance({ runs }));
  },
  snapshot: changeOfSnapshot('there', (server, name) => server.control('POST', '/sandbox/snapshots', { name })),
  'snapshot removed': changeOfSnapshot('gone', (server, name) =>
    server.control('DELETE', `/sandbox/snapshots/${name}`),
  ),
  account,
  'mock transactions': mockTransactions,
};

/** Some are drawn more often. */
const weighted = [...Object.keys(makers), 'initiation', 'initiation', 'approval'];

/** Draws a move that is possible now, and counts it. */
export function drawMove(context: MoveContext): Send {
  for (;;) {
    const name = context.random.pick(weighted);
    const send = makers[name]?.(context) ?? null;
    if (send === null) continue;
    context.tally(name);
    return send;
  }
}

/** Amounts differ, so that no payment is a logical duplicate (rules.md P7). */
function amountOf(number: number): string {
  return (1 + number / 100).toFixed(2);
}

function initiation({ server, random, promises, today, next }: MoveContext): Send {
  const number = next();
  const mark = `mark-${number}`;
  const note = { creditorName: mark };
  const own = { ...note, instructedAmount: { amount: amountOf(number), currency: 'NOK' } };
  // Beyond what the advances of one round can reach, and due within the rounds to come.
  const day = addDays(today, 30 + random.below(30));
  const items = Array.from({ length: 1 + random.below(20) }, (_, index) =>
    bulkItem(amountOf(next()), index === 0 ? note : {}),
  );
  const frequency = random.pick(['Daily', 'Weekly', 'Monthly']);
  const form = random.pick([
    { path: singlePath, body: singlePayment(own) },
    { path: singlePath, body: singlePayment({ ...own, requestedExecutionDate: day }) },
    { path: periodicPath, body: periodicPayment({ ...own, frequency, startDate: day }) },
    { path: bulkPath, body: bulkPayment(items) },
  ]);
  const sent = { ...form, requestId: drawn(random, fc.uuid({ version: 4 })), mark };
  return async () => {
    const reply = await answered(initiate(server, sent));
    if (reply === null) return promises.unanswered.push(sent);
    demand(reply.status === 201, () => `an initiation was refused: ${told(reply)}`);
    return promises.keepPayment(sent, reply);
  };
}

function repeat({ server, random, promises }: MoveContext): Send | null {
  const payment = anyOf(random, [...promises.payments.values()]);
  if (payment === undefined) return null;
  return async () => {
    const reply = await answered(initiate(server, payment.sent));
    const isSame = reply === null || (reply.status === 201 && reply.body.paymentId === payment.id);
    demand(isSame, () => `payment ${payment.id} initiated again: ${told(reply)}`);
  };
}

/** A call about a payment, and the status of the payment that a successful answer tells. `success` left out: 200. */
type ToldCall = readonly [told: string, send: () => Promise<Reply>, success?: number];

function onPayment(
  isMeant: (payment: PromisedPayment) => boolean,
  make: (context: MoveContext, payment: PromisedPayment) => ToldCall,
): Maker {
  return (context) => {
    const payment = anyOf(context.random, [...context.promises.payments.values()].filter(isMeant));
    if (payment === undefined) return null;
    const [status, send, success = 200] = make(context, payment);
    return async () => {
      const reply = await answered(send());
      if (reply?.status === success) payment.told.add(status);
    };
  };
}

/** A call of the control plane about any payment; `path` is the payment's. */
function onAny(make: (context: MoveContext, path: string) => ToldCall): Maker {
  return onPayment(
    () => true,
    (context, { id }) => make(context, `/sandbox/payments/${encodeURIComponent(id)}`),
  );
}

/** A change of a snapshot. Its state is `either` until the answer, and `contested` until the kill if another change began meanwhile. */
function changeOfSnapshot(to: 'there' | 'gone', send: (server: BankClient, name: string) => Promise<Reply>): Maker {
  return ({ server, random, promises: { snapshots } }) => {
    const name = random.pick(['one', 'two', 'three']);
    return async () => {
      const before = snapshots.get(name) ?? 'gone';
      const isAlone = before === 'there' || before === 'gone';
      snapshots.set(name, isAlone ? 'either' : 'contested');
      const reply = await answered(send(server, name));
      // Refused: nothing was changed.
      if (reply !== null && snapshots.get(name) === 'either') snapshots.set(name, reply.status === 200 ? to : before);
    };
  };
}

function account({ server, promises, next }: MoveContext): Send {
  const body = { customerNumber: payer, currency: 'NOK', bban: `9990${String(next()).padStart(7, '0')}` };
  return async () => {
    const reply = await answered(server.signed('POST', '/v1/sandbox/accounts', { body }));
    if (reply?.status === 201)
      promises.accounts.add(`/v1/sandbox/accounts/${encodeURIComponent(reply.body.resourceId)}`);
  };
}

function mockTransactions({ server, random, promises }: MoveContext): Send | null {
  const target = anyOf(random, [...promises.accounts]);
  if (target === undefined) return null;
  const dates = { valueDate: '2019-05-12', bookingDate: '2019-05-12' };
  const body = Array.from({ length: 1 + random.below(5) }, (_, index) => {
    return { amount: 10 + index, currency: 'NOK', ...dates, remittanceInformationUnstructured: '63444766' };
  });
  return () => answered(server.signed('POST', `${target}/transactions`, { body }));
}
