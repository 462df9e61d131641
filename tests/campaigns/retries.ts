import fc from 'fast-check';
import type { Bank } from '../../engine/open-bank.ts';
import { debtorBban, singlePath, singlePayment } from '../lab/bodies.ts';
import { attempt, type Attempt } from '../lab/exchange.ts';
import { seeded, type Seeded } from '../lab/seeded.ts';
import { psuHeaders, startTestBank, type TestBank, type Told } from '../lab/server.ts';
import { type Campaign, demand, drawn, type Search, Violation } from './campaign.ts';

/** Equal payments are allowed: the X-Request-ID alone keeps a payment from being made twice. */
const target = `${singlePath}?allowLogicalDuplicate=true`;
/** How many clients send at the same time, at most. */
const maxClients = 5;
/** How often a client sends a call before it is a violation that it gets no answer. */
const maxTries = 200;

type Change = (bank: Bank) => Promise<void>;
type Made = Told & { readonly paymentId: string };

/** A payment that a client wants to make once, however often it sends it. */
interface Session {
  readonly requestId: string;
  /** In øre, another one in each session. */
  readonly amount: number;
  /** Of its own, so that its moves do not depend on those of the others. */
  readonly random: Seeded;
}

/** An armed fault, drawn: what it does, when, and to how many calls. */
function drawnFault(random: Seeded): object {
  const broken = random.pick([{ status: 503 }, { cut: true }, { close: true }, { code: 'SYSTEM_ERROR' }, {}]);
  const isLate = random.below(3) === 0 || Object.keys(broken).length === 0;
  return {
    ...broken,
    ...(isLate && { delay: `PT0.${String(1 + random.below(60)).padStart(3, '0')}S` }),
    ...(!('code' in broken) && { when: random.pick(['before', 'after']) }),
    method: 'POST',
    path: '/v1/payments',
    times: 1 + random.below(2),
  };
}

/**
 * Clients that send each payment again, with the same X-Request-ID, until they have its whole answer, while armed faults break and delay
 * answers before and after the commit (rules.md P9, E6c), and while clients lose their patience. At the end each payment is there once, and
 * the debtor has paid each once. A test tampers with the bank before each try.
 */
export const retries: Campaign<Change> = async ({ count, left, random, tally, step, after }, eachTry) => {
  const bank = await startTestBank('2027-03-24T12:00:00+01:00');
  after(() => bank.stop());
  await bank.control('POST', `/sandbox/accounts/${debtorBban}/top-up`, {
    amount: { amount: '1000000.00', currency: 'NOK' },
  });
  const before = await bookedOf(bank);
  const made = new Map<string, number>();
  while (left() > 0) {
    const clients = Math.min(1 + random.below(maxClients), left());
    const sessions = Array.from({ length: clients }, (_, client): Session => ({
      requestId: drawn(random, fc.uuid({ version: 4 })),
      amount: 1_000 + count - left() + client,
      random: seeded(random.below(2 ** 31)),
    }));
    const results = await Promise.all(sessions.map((session) => makeOnce(bank, session, tally, eachTry)));
    for (const [client, { amount }] of sessions.entries()) made.set(results[client]?.paymentId ?? '', amount);
    step(clients);
  }
  // Calls that still wait go on, and must change nothing.
  await bank.control('DELETE', '/sandbox/faults');
  await requireEach(bank, made, before);
};

/** Sends the call until its whole answer is there, asks once more, and lets the PSU sign. */
async function makeOnce(bank: TestBank, session: Session, tally: Search['tally'], eachTry?: Change): Promise<Made> {
  const { random } = session;
  let first: Made | null = null;
  for (let tries = 1; tries <= maxTries; tries += 1) {
    if (random.below(3) === 0) await bank.control('POST', '/sandbox/faults', drawnFault(random));
    await eachTry?.(bank.bank);
    const got = await send(bank, session, random.below(4) === 0 ? 1 + random.below(30) : null);
    tally(`answer: ${got.got === 'whole' ? String(got.status) : got.got}`);
    const made = madeBy(got);
    if (made === null) continue;
    demand(first === null || first.paymentId === made.paymentId, 'a repeat got another payment than the first answer');
    if (first !== null || random.below(3) > 0) {
      await bank.approve(made);
      return made;
    }
    first = made;
  }
  throw new Violation(`a client got no whole answer in ${maxTries} tries`);
}

/** `giveUpMs`: until the client gives up; null: it does not. */
function send(bank: TestBank, { requestId, amount }: Session, giveUpMs: number | null): Promise<Attempt> {
  const body = singlePayment({ instructedAmount: { amount: kroner(amount), currency: 'NOK' } });
  const sent = bank.signedParts('POST', target, { body, headers: { ...psuHeaders(), 'x-request-id': requestId } });
  const giveUp = giveUpMs === null ? undefined : AbortSignal.timeout(giveUpMs);
  return attempt(bank.address + target, { method: 'POST', ...sent, giveUp });
}

/** What a whole answer says was made; null: the client does not know, and sends the call again. */
function madeBy({ got, status, text }: Attempt): Made | null {
  if (got !== 'whole' || status === 503 || status === 500) return null;
  demand(status === 201, () => `the call was answered ${status}: ${text.slice(0, 500)}`);
  return JSON.parse(text) as Made;
}

/** Requires that the bank has exactly these payments, by their amounts, and that the debtor has paid each of them once. */
async function requireEach(bank: TestBank, made: ReadonlyMap<string, number>, before: number): Promise<void> {
  const there = new Map<string, number>();
  for (let offset = 0, total = 1; offset < total; offset += 500) {
    const { body } = await bank.control('GET', `/sandbox/payments?limit=500&offset=${offset}`);
    ({ total } = body);
    for (const { paymentId, amount } of body.payments) there.set(paymentId, ore(amount.amount));
  }
  const twice = [...there].filter(([id]) => !made.has(id));
  demand(twice.length === 0, () => `${twice.length} payments are there that no client knows: twice`);
  const lost = [...made].filter(([id, amount]) => there.get(id) !== amount);
  demand(lost.length === 0, () => `${lost.length} payments of clients are not there: lost`);
  await bank.advance({ by: 'P7D' });
  const paid = before - (await bookedOf(bank));
  const wanted = [...made.values()].reduce((sum, amount) => sum + amount, 0);
  demand(paid === wanted, () => `the debtor has paid ${kroner(paid)}, not ${kroner(wanted)}`);
}

/** The booked balance of the debtor, in øre. */
async function bookedOf(bank: TestBank): Promise<number> {
  const { body } = await bank.control('GET', `/sandbox/accounts/${debtorBban}`);
  return ore(body.booked.amount);
}

function ore(amount: string): number {
  return Math.round(Number(amount) * 100);
}

function kroner(amount: number): string {
  return (amount / 100).toFixed(2);
}
