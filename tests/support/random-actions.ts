import fc from 'fast-check';
import type { Bank } from '../../engine/bank.ts';
import { frequencies } from '../../engine/core/frequency.ts';
import type { Frequency } from '../../engine/core/frequency.ts';
import { osloDate } from '../../engine/core/instant.ts';
import type { Instant } from '../../engine/core/instant.ts';
import { addDays, type LocalDate } from '../../engine/core/local-date.ts';
import { advanceClock } from '../../engine/operations/advance-clock.ts';
import { bankNow } from '../../engine/operations/shared/bank-context.ts';
import type { InitiatedPayment } from '../../engine/operations/initiate-payment.ts';
import { approve, beginSigning, order, orRefusal, pay, payBulk, remove, sign } from './payments.ts';
import type { Person } from './payments.ts';

/** What a TPP, a PSU or time can do to a bank. Payments are named by their place in the order of initiation. */
export type Action =
  | { readonly do: 'pay'; readonly from: Person; readonly to: Person; readonly kroner: number; readonly inDays: number }
  | {
      readonly do: 'order';
      readonly from: Person;
      readonly to: Person;
      readonly kroner: number;
      readonly inDays: number;
      readonly forDays: number;
      readonly frequency: Frequency;
      readonly executionRule: 'following' | 'preceeding';
    }
  | {
      readonly do: 'bulk';
      readonly from: Person;
      readonly to: readonly Person[];
      readonly kroner: number;
      readonly inDays: number;
    }
  | { readonly do: 'sign' | 'delete' | 'cancel'; readonly which: number }
  | { readonly do: 'wait'; readonly minutes: number };

const debtors = fc.constantFrom<Person>('nora', 'even', 'anne', 'kari', 'per');
const creditors = fc.constantFrom<Person>('nora', 'even', 'anne', 'kari', 'per', 'shop');
const kroner = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 15_000 }));
const which = fc.nat({ max: 30 });

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pay'), from: debtors, to: creditors, kroner, inDays: fc.nat({ max: 9 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('order'),
      from: debtors,
      to: creditors,
      kroner,
      inDays: fc.nat({ max: 9 }),
      forDays: fc.nat({ max: 40 }),
      frequency: fc.constantFrom(...frequencies),
      executionRule: fc.constantFrom('following', 'preceeding'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('bulk'),
      from: debtors,
      to: fc.array(creditors, { minLength: 1, maxLength: 6 }),
      kroner,
      inDays: fc.nat({ max: 9 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('sign'), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('delete', 'cancel'), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait'), minutes: fc.integer({ min: 1, max: 6000 }) }) },
);

/** Histories of a bank, each with a long wait at its end. */
export const histories: fc.Arbitrary<readonly Action[]> = fc
  .array(action, { minLength: 5, maxLength: 40 })
  .map((actions) => [...actions, { do: 'wait', minutes: 20_000 } as const]);

/** Carries out actions; refusals are part of life. `pieces` splits each wait (one piece: in one go). */
export async function live(bank: Bank, actions: readonly Action[], pieces = 1): Promise<void> {
  const payments: { id: string; debtor: Person }[] = [];
  for (const [index, action] of actions.entries()) await act(bank, payments, index, action, pieces);
}

async function act(
  bank: Bank,
  payments: { id: string; debtor: Person }[],
  index: number,
  action: Action,
  pieces: number,
): Promise<void> {
  const now = await bank.ledger.read((reader) => bankNow(bank, reader));
  if (action.do === 'wait') return wait(bank, now, action.minutes, pieces);
  if (action.do === 'pay' || action.do === 'order' || action.do === 'bulk') {
    const made = await orRefusal(initiate(bank, index, action, addDays(osloDate(now), action.inDays)));
    if (typeof made !== 'string') payments.push({ id: made.payment.resource_id, debtor: action.from });
    return;
  }
  const payment = payments[action.which % Math.max(1, payments.length)];
  if (payment === undefined) return;
  if (action.do === 'sign') await orRefusal(sign(bank, payment.id, payment.debtor));
  else await orRefusal(remove(bank, payment.id));
  if (action.do === 'cancel') await orRefusal(cancel(bank, payment));
}

function initiate(bank: Bank, index: number, action: Initiating, date: LocalDate): Promise<InitiatedPayment> {
  const { from, kroner } = action;
  // The øre make every amount another one, so that no payment is a logical duplicate.
  const oere = String(index).padStart(2, '0');
  if (action.do === 'bulk') {
    const [to = 'shop', ...others] = action.to.filter((person) => person !== from);
    const transfer = (person: Person, place: number) => ({ from, to: person, amount: `${kroner + place}.${oere}` });
    return payBulk(bank, [transfer(to, 0), ...others.map((other, place) => transfer(other, place + 1))], date);
  }
  const transfer = { from, to: action.to, amount: `${kroner}.${oere}` };
  return action.do === 'pay' ? pay(bank, transfer, date) : order(bank, transfer, planOf(action, date));
}

type Initiating = Extract<Action, { readonly inDays: number }>;

function planOf(action: Extract<Action, { do: 'order' }>, startDate: ReturnType<typeof addDays>) {
  const { frequency, executionRule } = action;
  const months = frequency === 'MonthlyVariable' ? { monthsOfExecution: [1, 3, 4, 6, 10] } : {};
  return { frequency, executionRule, startDate, endDate: addDays(startDate, action.forDays), ...months };
}

async function cancel(bank: Bank, { id, debtor }: { id: string; debtor: Person }): Promise<unknown> {
  return approve(bank, await beginSigning(bank, id, 'cancellation'), debtor);
}

async function wait(bank: Bank, now: Instant, minutes: number, pieces: number): Promise<void> {
  for (let piece = 1; piece <= pieces; piece += 1) {
    await advanceClock(bank, (now + Math.floor((minutes * 60_000 * piece) / pieces)) as Instant);
  }
}
