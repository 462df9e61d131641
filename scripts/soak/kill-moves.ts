import { addDays, type LocalDate } from '../../engine/values/local-date.ts';
import type { Seeded } from '../../lab/seeded.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../../lab/bodies.ts';
import type { Reply } from '../../lab/server.ts';
import { Violation } from './campaign.ts';
import { initiate, payer, signed, type PromisedPayment, type Promises, type SentInitiation } from './kill-promises.ts';
import type { KilledServer } from './killed-server.ts';

/** Input of a move. */
interface MoveContext {
  readonly server: KilledServer;
  readonly random: Seeded;
  readonly promises: Promises;
  /** Bank date at the start of the round. */
  readonly today: LocalDate;
  /** Counter over the whole campaign, so that names and amounts are unique. */
  readonly next: () => number;
}

/** One action of a client. Drawn from the seed at once, sent when called. */
interface Move {
  readonly name: string;
  readonly send: () => Promise<void>;
}

type Maker = (context: MoveContext) => Move | null;

/** Draws a move that is possible now. */
export function drawMove(context: MoveContext): Move {
  for (;;) {
    const move = context.random.pick(makers)(context);
    if (move !== null) return move;
  }
}

const makers: readonly [Maker, ...Maker[]] = [
  initiation,
  initiation,
  initiation,
  repeat,
  approval,
  approval,
  deletion,
  cancellation,
  forcedStatus,
  advance,
  snapshot,
  removal,
  account,
  mockTransactions,
];

/** The answer; null if the bank was killed before it. Anything but a success or a refusal is a violation. */
async function answer(sent: Promise<Reply>): Promise<Reply | null> {
  const reply = await sent.catch(() => null);
  if (reply !== null && reply.status >= 500) {
    throw new Violation(`an answer of ${reply.status}: ${JSON.stringify(reply.body).slice(0, 500)}`);
  }
  return reply;
}

function initiation({ server, random, promises, today, next }: MoveContext): Move {
  const number = next();
  const mark = `mark-${number}.`;
  const note = { creditorName: mark };
  const amount = { instructedAmount: { amount: amountOf(number), currency: 'NOK' } };
  // Beyond what the advances of one round can reach, and due within the rounds to come.
  const day = (): LocalDate => addDays(today, 30 + random.below(30));
  const forms: readonly [
    () => Pick<SentInitiation, 'path' | 'body'>,
    ...(() => Pick<SentInitiation, 'path' | 'body'>)[],
  ] = [
    () => ({ path: singlePath, body: singlePayment({ ...amount, ...note }) }),
    () => ({ path: singlePath, body: singlePayment({ ...amount, ...note, requestedExecutionDate: day() }) }),
    () => {
      const frequency = random.pick(['Daily', 'Weekly', 'Monthly']);
      return { path: periodicPath, body: periodicPayment({ ...amount, ...note, frequency, startDate: day() }) };
    },
    () => {
      const items = Array.from({ length: 1 + random.below(20) }, (_, index) =>
        bulkItem(amountOf(next()), index === 0 ? note : {}),
      );
      return { path: bulkPath, body: bulkPayment(items) };
    },
  ];
  const sent = { ...random.pick(forms)(), requestId: requestIdOf(random), mark };
  return {
    name: 'initiation',
    send: async () => {
      const reply = await answer(initiate(server, sent));
      if (reply === null) promises.unanswered.push(sent);
      else if (reply.status === 201) promises.keepPayment(sent, reply);
      else throw new Violation(`an initiation was refused: ${reply.status} ${JSON.stringify(reply.body)}`);
    },
  };
}

/** Amounts differ, so that no payment is a logical duplicate (rules.md P7). */
function amountOf(number: number): string {
  return (1 + number / 100).toFixed(2);
}

/** A UUID derived from the seed. */
function requestIdOf(random: Seeded): string {
  const digits = Array.from({ length: 32 }, () => random.below(16).toString(16)).join('');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5');
}

/** A payment that the move can be about. */
function drawPayment(
  { random, promises }: MoveContext,
  isMeant: (payment: PromisedPayment) => boolean,
): PromisedPayment | null {
  const found = [...promises.payments.values()].filter(isMeant);
  return found[random.below(Math.max(1, found.length))] ?? null;
}

function repeat(context: MoveContext): Move | null {
  const payment = drawPayment(context, () => true);
  if (payment === null) return null;
  return {
    name: 'repeated initiation',
    send: async () => {
      const reply = await answer(initiate(context.server, payment.sent));
      if (reply === null) return;
      const { status, body } = reply;
      if (status === 201 && body.paymentId === payment.id) return;
      throw new Violation(`payment ${payment.id} initiated again: ${status} ${JSON.stringify(body)}`);
    },
  };
}

function approval(context: MoveContext): Move | null {
  const payment = drawPayment(context, ({ scaRedirect }) => scaRedirect !== null);
  const address = payment?.scaRedirect;
  if (payment === null || address === null || address === undefined) return null;
  payment.scaRedirect = null;
  const id = new URL(address).pathname.split('/').at(-1) ?? '';
  return {
    name: 'approval',
    send: async () => {
      const body = { outcome: 'approve', psu: payer, context: 'PRIVATE' };
      const reply = await answer(context.server.control('POST', `/sandbox/sca/${id}`, body));
      if (reply?.status === 200) payment.told.add(signed);
    },
  };
}

function deletion(context: MoveContext): Move | null {
  const payment = drawPayment(context, ({ history }) => history.at(-1) !== 'ACSC');
  if (payment === null) return null;
  const target = `${payment.sent.path}/${encodeURIComponent(payment.id)}`;
  return {
    name: 'deletion',
    send: async () => {
      const reply = await answer(context.server.signed('DELETE', target, { headers: { 'x-psu-identity': payer } }));
      if (reply?.status === 204) payment.told.add('CANC');
    },
  };
}

function cancellation(context: MoveContext): Move | null {
  return control(context, 'cancellation', 'cancel', {}, 'CANC');
}

function forcedStatus(context: MoveContext): Move | null {
  const status = context.random.pick(['ACTC', 'ACWC', 'ACFC']);
  return control(context, 'forced status', 'status', { status }, status);
}

function control(context: MoveContext, name: string, path: string, body: object, told: string): Move | null {
  const payment = drawPayment(context, () => true);
  if (payment === null) return null;
  return {
    name,
    send: async () => {
      const target = `/sandbox/payments/${encodeURIComponent(payment.id)}/${path}`;
      const reply = await answer(context.server.control('POST', target, body));
      if (reply?.status === 200) payment.told.add(told);
    },
  };
}

function advance({ server, random }: MoveContext): Move {
  const runs = 1 + random.below(30);
  return {
    name: 'advance',
    send: async () => void (await answer(server.control('POST', '/sandbox/clock/advance', { runs }))),
  };
}

const names = ['one', 'two', 'three'] as const;

function snapshot({ server, random, promises }: MoveContext): Move {
  const name = random.pick(names);
  return {
    name: 'snapshot',
    send: () => change(promises, name, 'there', server.control('POST', '/sandbox/snapshots', { name })),
  };
}

function removal({ server, random, promises }: MoveContext): Move | null {
  const name = random.pick(names);
  return {
    name: 'snapshot removed',
    send: () => change(promises, name, 'gone', server.control('DELETE', `/sandbox/snapshots/${name}`)),
  };
}

/** Records a change of a snapshot: `either` until it is answered. */
async function change(
  { snapshots }: Promises,
  name: string,
  to: 'there' | 'gone',
  sent: Promise<Reply>,
): Promise<void> {
  const before = snapshots.get(name) ?? 'gone';
  snapshots.set(name, 'either');
  const reply = await answer(sent);
  if (reply === null) return;
  if (reply.status === 200) snapshots.set(name, to);
  // Refused: nothing was changed.
  else snapshots.set(name, before);
}

function account({ server, promises, next }: MoveContext): Move {
  const body = { customerNumber: payer, currency: 'NOK', bban: bbanOf(next()) };
  return {
    name: 'account',
    send: async () => {
      const reply = await answer(server.signed('POST', '/v1/sandbox/accounts', { body }));
      if (reply?.status === 201)
        promises.accounts.add(`/v1/sandbox/accounts/${encodeURIComponent(reply.body.resourceId)}`);
    },
  };
}

/** A Norwegian account number of bank 9990, with the check digit it then has; one whose digit would be 10 is left out. */
function bbanOf(number: number): string {
  for (let counted = number * 2; ; counted += 1) {
    const digits = `9990${String(counted % 1_000_000).padStart(6, '0')}`;
    const weights = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
    const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
    const check = (11 - (sum % 11)) % 11;
    if (check < 10) return `${digits}${check}`;
  }
}

function mockTransactions({ server, random, promises }: MoveContext): Move | null {
  const target = [...promises.accounts][random.below(Math.max(1, promises.accounts.size))];
  if (target === undefined) return null;
  const body = Array.from({ length: 1 + random.below(5) }, (_, index) => ({
    ...{ amount: 10 + index, currency: 'NOK', valueDate: '2019-05-12', bookingDate: '2019-05-12' },
    ...{ remittanceInformationUnstructured: '63444766', creditorName: 'Aftenposten' },
  }));
  return {
    name: 'mock transactions',
    send: async () => void (await answer(server.signed('POST', `${target}/transactions`, { body }))),
  };
}
