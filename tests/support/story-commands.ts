import { paymentStatus } from '../../api/interface/payments/payment-answers.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { faultCodes } from '../../engine/values/fault.ts';
import { frequencies, type Frequency } from '../../engine/time/rules/occurrences.ts';
import { formatAmount, parseAmount } from '../../engine/values/money.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import { bankNow } from '../../engine/bank/bank-context.ts';
import { executionsOf } from '../../engine/settlement/rows/executions.ts';
import { inspectAttempts } from '../../engine/inspection/rows/payment-list.ts';
import { paymentByKey, type Payment, statusChangesOf } from '../../engine/payments/rows/payments.ts';
import { paymentAt } from '../../engine/payments/rules/payment-status.ts';
import type { InitiatedPayment } from '../../engine/payments/initiate-payment.ts';
import { readPaymentStatus } from '../../engine/payments/read-payment.ts';
import {
  approve,
  beginSigning,
  deposit,
  order,
  orRefusal,
  pay,
  people,
  remove,
  sign,
  tpp,
  type Person,
  type Plan,
  type Transfer,
} from '../lab/payments.ts';
import { rowsOf } from '../lab/rows.ts';

/** A bank and what a story has named in it. */
export interface StoryState {
  readonly bank: Bank;
  readonly payments: Map<string, { readonly payment: Payment; readonly debtor: Person }>;
  /** Open cancellation SCAs by the payment's name. */
  readonly scas: Map<string, string>;
}

type Command = (state: StoryState, words: readonly string[]) => Promise<string>;

/** The verbs of a story; each answers with its outcome in words. */
export const storyCommands: Readonly<Record<string, Command>> = {
  /** pay NAME 100.00 nora -> shop [on DATE], or pay-kid with a structured reference */
  pay: (state, [name = '', amount = '', from = '', , to = '', , date]) => {
    const transfer = transferOf(amount, from, to);
    return initiated(
      state,
      name,
      transfer,
      pay(state.bank, transfer, date === undefined ? undefined : localDate(date)),
    );
  },
  'pay-kid': (state, [name = '', amount = '', from = '', , to = '']) => {
    const transfer = { ...transferOf(amount, from, to), hasReference: true };
    return initiated(state, name, transfer, pay(state.bank, transfer));
  },
  /** order NAME 100.00 nora -> shop Monthly from DATE [until DATE] [day 31] [months 2,5] [preceeding] */
  order: (state, [name = '', amount = '', from = '', , to = '', ...plan]) => {
    const transfer = transferOf(amount, from, to);
    return initiated(state, name, transfer, order(state.bank, transfer, planOf(plan)));
  },
  /** sign NAME [as PERSON] */
  sign: async (state, [name = '', , person]) => {
    const { payment, debtor } = known(state, name);
    const failure = await orRefusal(sign(state.bank, payment.resource_id, personOf(person ?? debtor)));
    return failure === null ? statusOf(state, name) : `refused ${failure}`;
  },
  delete: async (state, [name = '']) => {
    const outcome = await orRefusal(remove(state.bank, known(state, name).payment.resource_id));
    if (typeof outcome === 'string') return `refused ${outcome}`;
    return outcome.status === 'CANC' ? 'CANC' : `${outcome.status}, to be signed`;
  },
  /** The PSU opens the page on which the cancellation is signed. */
  'open-cancellation': async (state, [name = '']) => {
    // A refusal shows as one: an SCA id is no fault code.
    const { resource_id: id } = known(state, name).payment;
    const sca = await orRefusal(beginSigning(state.bank, id, 'cancellation'));
    if (isFaultCode(sca)) return `refused ${sca}`;
    state.scas.set(name, sca);
    return 'started';
  },
  'sign-cancellation': async (state, [name = '']) => {
    const failure = await orRefusal(approve(state.bank, state.scas.get(name) ?? '', known(state, name).debtor));
    return failure === null ? statusOf(state, name) : `refused ${failure}`;
  },
  /** The status as its TPP reads it. */
  see: async (state, [name = '']) => {
    const path = { paymentId: known(state, name).payment.resource_id };
    const seen = await orRefusal(readPaymentStatus(state.bank, { tppId: tpp.id, psu: {}, path }));
    if (typeof seen === 'string') return seen === 'RESOURCE_UNKNOWN' ? 'gone' : `refused ${seen}`;
    const { transactionStatus, fundsAvailable } = paymentStatus(seen);
    return fundsAvailable === false ? `${transactionStatus} fundsAvailable false` : transactionStatus;
  },
  history: (state, [name = '']) => {
    return state.bank.ledger.read(async (reader) => {
      const changes = await statusChangesOf(reader, { paymentId: known(state, name).payment.id });
      return changes.map((change) => change.status).join(' ');
    });
  },
  /** Each attempt: its run, or at once, and how it ended. */
  attempts: (state, [name = '']) => {
    return state.bank.ledger.read(async (reader) => {
      const attempts = await inspectAttempts(reader, { paymentId: known(state, name).payment.id });
      const runOf = ({ run_date: date, run_number: number }: (typeof attempts)[number]): string =>
        date === null ? 'at once' : `${date}/${number}`;
      return attempts.map((one) => `${runOf(one)} ${one.outcome}`).join(', ');
    });
  },
  /** Each execution laid so far: nominal date, execution date where it differs, status. */
  dates: (state, [name = '']) => {
    return state.bank.ledger.read(async (reader) => {
      const executions = await executionsOf(reader, { paymentId: known(state, name).payment.id });
      const days = executions.map(({ nominal_date: nominal, execution_date: date, status }) => {
        return `${nominal === date ? date : `${nominal}>${date}`} ${status}`;
      });
      return days.join(', ');
    });
  },
  /** deposit 100.00 to nora: money from outside, booked at once. */
  deposit: async (state, [amount = '', , to = '']) => {
    const parsed = parseAmount(amount, 'NOK');
    if (typeof parsed === 'string') throw new Error(`no amount: ${amount}`);
    await deposit(state.bank, personOf(to), parsed.minor);
    return 'done';
  },
  /** The sum of everything posted. */
  balance: (state, [person = '']) => {
    return state.bank.ledger.read(async (reader) => {
      const account = await accountByNumber(reader, people[personOf(person)].bban);
      return inKroner(account?.balance_minor ?? 0n);
    });
  },
  /** What payments posted to an account: amount, and pending or booked with its two dates (rules.md S6). */
  transactions: (state, [person = '']) => {
    return state.bank.ledger.read(async (reader) => {
      const now = await bankNow(state.bank, reader);
      const rows = await rowsOf(
        reader,
        `select e.amount_minor, e.booking_date, e.value_date, e.booked_at from entry e
          join account a on a.id = e.account_id
          where a.bban = '${people[personOf(person)].bban}' and e.execution_id is not null order by e.id`,
      );
      const told = rows.map((row) => {
        const isPending = Number(row['booked_at']) > now;
        const dates = isPending
          ? 'pending'
          : `booked ${String(row['booking_date'])} value ${String(row['value_date'])}`;
        return `${inKroner(BigInt(String(row['amount_minor'])))} ${dates}`;
      });
      return told.join(', ') || 'none';
    });
  },
};

async function initiated(
  state: StoryState,
  name: string,
  transfer: Transfer,
  work: Promise<InitiatedPayment>,
): Promise<string> {
  const outcome = await orRefusal(work);
  if (typeof outcome === 'string') return `refused ${outcome}`;
  state.payments.set(name, { payment: outcome.payment, debtor: transfer.from });
  const { moved } = outcome.notes.dates ?? { moved: null };
  const moves = moved === null ? [] : [moved.executionDate];
  return [outcome.payment.status, ...moves.map((date) => `moved to ${date}`)].join(', ');
}

function statusOf(state: StoryState, name: string): Promise<string> {
  const { bank } = state;
  return bank.ledger.read(async (reader) => {
    const payment = await paymentByKey(reader, known(state, name).payment.id);
    return paymentAt(payment, await bankNow(bank, reader)).status;
  });
}

function known(state: StoryState, name: string): { readonly payment: Payment; readonly debtor: Person } {
  const found = state.payments.get(name);
  if (found === undefined) throw new Error(`the story has no payment ${name}`);
  return found;
}

function transferOf(amount: string, from: string, to: string): Transfer {
  return { amount, from: personOf(from), to: personOf(to) };
}

function personOf(name: string): Person {
  if (!(name in people)) throw new Error(`nobody is called ${name}`);
  return name as Person;
}

function planOf([frequency = '', ...words]: readonly string[]): Plan {
  const after = (word: string): string | undefined => {
    const place = words.indexOf(word);
    return place < 0 ? undefined : words[place + 1];
  };
  if (!isFrequency(frequency)) throw new Error(`no frequency: ${frequency}`);
  const [until, day, months] = [after('until'), after('day'), after('months')];
  return {
    frequency,
    startDate: localDate(after('from') ?? ''),
    ...(until === undefined ? {} : { endDate: localDate(until) }),
    ...(day === undefined ? {} : { dayOfExecution: day }),
    ...(months === undefined ? {} : { monthsOfExecution: months.split(',').map(Number) }),
    ...(words.includes('preceeding') ? { executionRule: 'preceeding' } : {}),
  };
}

function inKroner(minor: bigint): string {
  return formatAmount({ minor, currency: 'NOK' });
}

function isFrequency(word: string): word is Frequency {
  return frequencies.some((known) => known === word);
}

function isFaultCode(word: string): boolean {
  return faultCodes.some((code) => code === word);
}
