import fc from 'fast-check';
import { addDays } from '../../engine/values/local-date.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { type BankClient, psuHeaders, type Reply } from '../lab/server.ts';
import { people } from '../lab/payments.ts';
import { anyOf, demand, drawn, type Search } from './campaign.ts';
import { answered, forced, initiate, type PromisedPayment, type Promises, signed, told } from './killed-server.ts';

/** Input of a move. */
export interface MoveContext extends Pick<Search, 'random' | 'tally'> {
  readonly server: BankClient;
  readonly promises: Promises;
}

/** One action of a client, drawn from the seed and sent at once; null if it is not possible now. */
type Move = (context: MoveContext) => Promise<unknown> | null;

/** Actions by name. */
const moves: Readonly<Record<string, Move>> = {
  initiation,
  'repeated initiation': onPayment(async ({ server }, { id, sent }) => {
    const reply = await answered(initiate(server, sent));
    const isSame = reply === null || (reply.status === 201 && reply.body.paymentId === id);
    demand(isSame, () => `payment ${id} initiated again: ${told(reply)}`);
  }),
  approval: onPayment(
    ({ server }, payment) => {
      const body = { outcome: 'approve', psu: people.nora.psu, context: 'PRIVATE' };
      return tells(payment, signed, server.control('POST', payment.sca, body));
    },
    ({ history }) => history.length === 1,
  ),
  deletion: onPayment(
    ({ server }, payment) => {
      const target = `${payment.sent.path}/${encodeURIComponent(payment.id)}`;
      // An answer of 200 asks for a signature, and promises nothing.
      return tells(payment, 'CANC', server.signed('DELETE', target, { headers: psuHeaders() }), 204);
    },
    ({ history }) => history.at(-1) !== 'ACSC',
  ),
  cancellation: onPayment(({ server }, payment) =>
    tells(payment, 'CANC', server.control('POST', `${payment.path}/cancel`, {})),
  ),
  'forced status': onPayment(({ server, random }, payment) => {
    const status = random.pick(forced);
    return tells(payment, status, server.control('POST', `${payment.path}/status`, { status }));
  }),
  advance: ({ server, random }) => answered(server.advance({ runs: 1 + random.below(30) })),
  snapshot: changeOfSnapshot('there', (server, name) => server.control('POST', '/sandbox/snapshots', { name })),
  'snapshot removed': changeOfSnapshot('gone', (server, name) =>
    server.control('DELETE', `/sandbox/snapshots/${name}`),
  ),
  'account with transactions': account,
};

/** Some are drawn more often. */
const weighted = [...Object.keys(moves), 'initiation', 'initiation', 'approval'];

/** Makes a move that is possible now, and counts it. */
export function makeMove(context: MoveContext): Promise<unknown> {
  for (;;) {
    const name = context.random.pick(weighted);
    const sent = moves[name]?.(context) ?? null;
    if (sent === null) continue;
    context.tally(name);
    return sent;
  }
}

async function initiation({ server, random, promises }: MoveContext): Promise<void> {
  // Amounts differ, so that no payment is a logical duplicate (rules.md P7).
  const amount = (): string => (1 + promises.next() / 100).toFixed(2);
  const own = { instructedAmount: { amount: amount(), currency: 'NOK' } };
  // Beyond what the advances of one round can reach, and due within the rounds to come.
  const day = addDays(promises.today, 30 + random.below(30));
  const items = Array.from({ length: 1 + random.below(20) }, () => bulkItem(amount()));
  const frequency = random.pick(['Daily', 'Weekly', 'Monthly']);
  const form = random.pick([
    { path: singlePath, body: singlePayment(own) },
    { path: singlePath, body: singlePayment({ ...own, requestedExecutionDate: day }) },
    { path: periodicPath, body: periodicPayment({ ...own, frequency, startDate: day }) },
    { path: bulkPath, body: bulkPayment(items) },
  ]);
  const sent = { ...form, requestId: drawn(random, fc.uuid({ version: 4 })) };
  const reply = await answered(initiate(server, sent));
  if (reply === null) return void promises.unanswered.push(sent);
  demand(reply.status === 201, () => `an initiation was refused: ${told(reply)}`);
  promises.keepPayment(sent, reply);
}

/** A move about a payment. */
function onPayment(
  move: (context: MoveContext, payment: PromisedPayment) => Promise<unknown>,
  isMeant: (payment: PromisedPayment) => boolean = () => true,
): Move {
  return (context) => {
    const payment = anyOf(context.random, [...context.promises.payments.values()].filter(isMeant));
    return payment === undefined ? null : move(context, payment);
  };
}

/** An answer of `success` tells the status of the payment. */
async function tells(payment: PromisedPayment, status: string, sent: Promise<Reply>, success = 200): Promise<void> {
  const reply = await answered(sent);
  if (reply?.status === success) payment.told.add(status);
}

/** A change of a snapshot. Its state is `either` until the answer, and `contested` until the kill if another change began meanwhile. */
function changeOfSnapshot(to: 'there' | 'gone', send: (server: BankClient, name: string) => Promise<Reply>): Move {
  return async ({ server, random, promises: { snapshots } }) => {
    const name = random.pick(['one', 'two', 'three']);
    const before = snapshots.get(name) ?? 'gone';
    const isAlone = before === 'there' || before === 'gone';
    snapshots.set(name, isAlone ? 'either' : 'contested');
    const reply = await answered(send(server, name));
    // Refused: nothing was changed.
    if (reply !== null && snapshots.get(name) === 'either') snapshots.set(name, reply.status === 200 ? to : before);
  };
}

async function account({ server, random, promises }: MoveContext): Promise<void> {
  const bban = `9990${String(promises.next()).padStart(7, '0')}`;
  const dates = { valueDate: '2019-05-12', bookingDate: '2019-05-12' };
  const transactions = Array.from({ length: 1 + random.below(5) }, (_, index) => {
    return { amount: 10 + index, currency: 'NOK', ...dates, remittanceInformationUnstructured: '63444766' };
  });
  const body = { customerNumber: people.nora.psu, currency: 'NOK', bban };
  const reply = await answered(server.signed('POST', '/v1/sandbox/accounts', { body }));
  if (reply?.status !== 201) return;
  const target = `/v1/sandbox/accounts/${encodeURIComponent(reply.body.resourceId)}`;
  promises.accounts.add(target);
  await answered(server.signed('POST', `${target}/transactions`, { body: transactions }));
}
