import { changeReservations } from '../accounts/reservations.ts';
import { requireAccountByNumber } from '../accounts/customer-accounts.ts';
import { postPast } from '../accounts/post.ts';
import type { Account } from '../accounts/rows/accounts.ts';
import { detailsOfBatch } from '../accounts/rules/transaction-details.ts';
import { bankTime, type BankContext, writingIn } from '../bank/bank-context.ts';
import { keepLivedUntil } from '../bank/change-state.ts';
import { Refusal } from '../values/fault.ts';
import type { Reader, Writer } from '../ledger/database.ts';
import { Pauses } from '../ledger/pauses.ts';
import { customerByKey } from '../parties/rows/customers.ts';
import { domesticLane } from '../time/rules/lanes.ts';
import { lastAttempt } from '../settlement/rules/decide-attempts.ts';
import {
  firstRunAfter,
  firstRunOnOrAfter,
  type Runs,
  runsOn,
  type SettlementRun,
} from '../time/rules/settlement-run.ts';
import { assert } from '../values/assert.ts';
import { type Instant, osloDate, startOfDay } from '../values/instant.ts';
import { addDays, dateInMonth, dayOf, localDate, type LocalDate, monthNumber } from '../values/local-date.ts';
import { formatAmount } from '../values/money.ts';
import { beginOrder, paySalaries, type OrderingLife, payerOf } from './bank-orders.ts';
import { endLifeOn } from './close-account.ts';
import { lastStepUntil } from './live.ts';
import { livesOf, type Living, requireLife } from './lives.ts';
import { insertLife, keepMarks, keepPersona, livedAccounts, markOf } from './rows/lives.ts';
import { ore } from './rules/event-amounts.ts';
import { accountMember } from './rules/event-on.ts';
import { amountOf, type EventBooking, type Happening, type LifeAction } from './rules/happening.ts';
import type { Course } from './rules/life-on.ts';
import { pastOf } from './rules/past.ts';
import type { Persona, Role } from './rules/persona.ts';

/** A life to begin. */
export interface WantedLife {
  readonly persona: Persona;
  readonly seed?: string | undefined;
  /** Months of past, 1 to 120. */
  readonly months?: number | undefined;
}

/** A life as the control plane shows it. */
export interface LifeReport {
  /** BBAN or IBAN. */
  readonly account: string;
  /** Name of the persona. */
  readonly persona: string;
  readonly seed: string;
  /** First day of its past. */
  readonly from: LocalDate;
  /** Which account of its household it is, if it has one. */
  readonly role: Role | null;
}

/** The balance of an account pays what happens on so many days after its past (rules.md L3). */
const daysAhead = 40;

const usualLife = { seed: 'sandbank', months: 12 } as const;

/** Before it the calendar of the banks does not begin. */
const earliestPast = localDate('1990-03-01');

/**
 * Begins a life on an open customer account in NOK: books its months of past, orders its standing orders, and lets it
 * go on with the clock (docs/life.md). The account keeps its balance, or gets more if this cannot pay the first bills
 * (rules.md L3). Unknown account: NOT_FOUND; one with a life: CONFLICT; another currency, or a past before March 1990:
 * BAD_REQUEST.
 */
export async function beginLife(bank: BankContext, number: string, wanted: WantedLife): Promise<LifeReport> {
  return bank.ledger.write(async (tx) => beginLifeOn(bank, tx, await requireAccountByNumber(tx, number), wanted));
}

/** {@link beginLife} inside the caller's transaction. `account` must be the current row. */
export async function beginLifeOn(
  bank: BankContext,
  tx: Writer,
  account: Account,
  wanted: WantedLife,
): Promise<LifeReport> {
  const [report] = await beginTogether(bank, tx, [{ role: null, account }], wanted);
  assert(report !== undefined, 'one life began');
  return report;
}

/** An account that takes part in a household. */
export interface Member {
  readonly role: Role | null;
  /** The current row. */
  readonly account: Account;
}

/** Begins the lives of a household's accounts, or of one account, in the order in which money goes through them. */
export async function beginTogether(
  bank: BankContext,
  tx: Writer,
  members: readonly Member[],
  { persona, seed = usualLife.seed, months = usualLife.months }: WantedLife,
): Promise<LifeReport[]> {
  const { now, state } = await bankTime(bank, tx);
  const today = osloDate(now);
  const from = dateInMonth(monthNumber(today) - months, dayOf(today));
  const began = lastStepUntil(bank, now);
  const personaId = await keepPersona(tx, JSON.stringify(persona));
  const [first] = members;
  for (const { role, account } of members) {
    await requireFree(tx, account, from);
    const household = role === null ? null : (first?.account.id ?? null);
    const life = { account_id: account.id, persona_id: personaId, seed, role, household };
    await insertLife(tx, { ...life, from_date: from, began_at: began });
  }
  if (state.lived_until === null) await keepLivedUntil(tx, began);
  const ids = members.map(({ account }) => account.id);
  const lives = await livesOf(bank, tx, ids);
  let transfers: readonly EventBooking[] = [];
  let transfersAhead: readonly Happening[] = [];
  for (const { account } of members) {
    const living = lives.find(({ row }) => row.account_id === account.id);
    assert(living !== undefined && account.customer_id !== null, 'its life has begun');
    const { course } = living;
    const { type } = await customerByKey(tx, account.customer_id);
    const payer = payerOf(living);
    // Today's orders and salaries belong to the past once the first run of the day has been.
    const runs = bank.schedule.of(domesticLane(type));
    const firstRun = runsOn(today, runs)[0];
    const paidThrough = firstRun !== undefined && firstRun.at <= began ? today : addDays(today, -1);
    const all = await happeningsOf(course, from, addDays(today, daysAhead));
    const happenings = all.filter(({ at }) => at <= began);
    const isMine = ({ to }: { readonly to?: string | undefined }): boolean => to === course.life.account;
    const coming = transfers.filter(isMine).map(comingIn);
    const comingAhead = transfersAhead.flatMap(({ action, ...rest }) => {
      if (action.kind !== 'post' || !isMine(action)) return [];
      return [{ ...rest, action: { ...action, to: undefined, amount: -action.amount } }];
    });
    const past = { account, payer, course, runs, paidThrough, from, today, began };
    transfers = [...transfers, ...(await bookPast(bank, tx, past, [...coming, ...comingAhead, ...all]))];
    transfersAhead = [...transfersAhead, ...all.filter(({ at }) => at > began)];
    const writing = writingIn(bank, tx, began);
    for (const event of course.life.persona.events) {
      if (event.kind === 'standing order') await beginOrder(writing, payer, event, paidThrough);
    }
    for (const { action } of happenings) {
      if (action.kind === 'pay' && action.date > paidThrough)
        await paySalaries(writing, payer, action.event, action.date);
    }
  }
  return lives.map(lifeReport);
}

/** Days of a past that are made without a pause. */
const daysAtOnce = 180;

/** {@link Course.between}, which lets other banks work meanwhile: ten years take half a second. */
async function happeningsOf(course: Course, from: LocalDate, to: LocalDate): Promise<Happening[]> {
  const pauses = new Pauses();
  const happenings: Happening[] = [];
  for (let first = from; first <= to; first = addDays(first, daysAtOnce)) {
    const last = addDays(first, daysAtOnce - 1);
    happenings.push(...course.between(first, last < to ? last : to));
    if (pauses.isDue()) await pauses.take();
  }
  course.forget();
  return happenings;
}

/** What another account of the household has sent, as it comes in. */
function comingIn(sent: EventBooking & { readonly key?: string }): Happening {
  const { key = '', amount, bookingDate, valueDate, details } = sent;
  const booking = { amount: -amount, bookingDate, valueDate, details };
  const action = { kind: 'post', needsFunds: false, ...booking } as const;
  return { event: '', key, at: startOfDay(bookingDate), action, isKnown: false };
}

async function requireFree(reader: Reader, account: Account, from: LocalDate): Promise<void> {
  const number = account.bban ?? account.iban;
  if ((await livedAccounts(reader, [account.id])).length > 0) {
    const text = `The account ${number} has a life already. DELETE /sandbox/life/${number} ends it; then begin another one.`;
    throw new Refusal({ code: 'CONFLICT', path: 'account', text });
  }
  if (account.currency !== 'NOK') {
    const text = `The account is in ${account.currency}, and lives are in NOK. Choose an account in NOK.`;
    throw new Refusal({ code: 'BAD_REQUEST', path: 'account', text, allowed: ['NOK'] });
  }
  if (from >= earliestPast) return;
  const text = `The past would begin on ${from}; the banking calendar begins in March 1990. Ask for fewer months.`;
  throw new Refusal({ code: 'BAD_REQUEST', path: 'months', text, allowed: { from: earliestPast } });
}

type PaidByRun = Extract<LifeAction, { readonly kind: 'order' | 'pay' }>;

interface PaidPast {
  readonly account: Account;
  readonly payer: OrderingLife;
  readonly course: Course;
  /** Those of the holder's type of customers. */
  readonly runs: Runs;
  /** The last day whose orders and salaries are past. */
  readonly paidThrough: LocalDate;
  readonly from: LocalDate;
  readonly today: LocalDate;
  /** The last run or midnight, at which it ends. */
  readonly began: Instant;
}

/**
 * Books the past among these happenings, which ends at a balance that pays the later ones (rules.md L3, L9), and
 * reserves the purchases that are not booked yet. Returns what went to other accounts of the household.
 */
async function bookPast(
  bank: BankContext,
  tx: Writer,
  { account, payer, course, runs, paidThrough, from, today, began }: PaidPast,
  happenings: readonly Happening[],
): Promise<readonly EventBooking[]> {
  // What a run pays is booked by the next one (S6); if that is yet to come, today.
  const bookedAfter = (run: SettlementRun): LocalDate => {
    const next = firstRunAfter(run.at, bank.schedule.booking).date;
    return next < today ? next : today;
  };
  const hasClosedValues = bank.quirks.has('weekend-values');
  const triesOf = (happening: Happening, action: PaidByRun, date: LocalDate): Happening[] => {
    const first = firstRunOnOrAfter(date, runs);
    if (action.kind === 'pay') {
      const booking = { ...salariesPaid(payer, action), bookingDate: bookedAfter(first) };
      return [{ ...happening, at: first.at, action: { kind: 'post', needsFunds: true, ...booking } }];
    }
    const tries = [first];
    for (let run = first; tries.length < lastAttempt; tries.push(run)) {
      run = firstRunAfter(run.at, runs);
      if (run.at > began) break;
    }
    return tries.map((run, place) => {
      const valueDate = hasClosedValues && action.wanted < date ? action.wanted : run.date;
      const isLast = place === tries.length - 1;
      const tried = { ...action, bookingDate: bookedAfter(run), valueDate, isLast };
      return { ...happening, at: run.at, action: tried };
    });
  };
  const [before, ahead]: [Happening[], Happening[]] = [[], []];
  const paidByRuns: { readonly isPast: boolean; readonly tries: readonly Happening[] }[] = [];
  for (const happening of happenings) {
    const { action, at } = happening;
    if (action.kind === 'order' || action.kind === 'pay') {
      const date = action.kind === 'order' ? action.bookingDate : action.date;
      paidByRuns.push({ isPast: date <= paidThrough, tries: triesOf(happening, action, date) });
    } else (at <= began ? before : ahead).push(happening);
  }
  // At the instant of a run, what lives hold comes before what it pays.
  for (const { isPast, tries } of paidByRuns) (isPast ? before : ahead).push(...tries);
  for (const each of [before, ahead]) each.sort((one, other) => one.at - other.at);
  const pauses = new Pauses();
  await pauses.take();
  const making = pastOf(before, ahead, {
    balance: account.balance_minor,
    creditLine: account.credit_line_minor,
    previousSettlement: (event, date) => course.previousSettlement(event, date, from),
  });
  let made = making.next();
  for (; made.done !== true; made = making.next()) if (pauses.isDue()) await pauses.take();
  const past = made.value;
  const movements = past.bookings.map(({ amount, bookingDate, valueDate, details, key: event }) => {
    return { accountId: account.id, amount, bookingDate, valueDate, details, event };
  });
  if (pauses.isDue()) await pauses.take();
  await postPast(bank.ids, tx, account, { movements, from, balance: past.balance });
  const begun = [...past.open].map(([event, action]) => {
    return { ...action, event, resourceId: bank.ids.resourceId(), accountId: account.id };
  });
  await changeReservations(tx, { begun, ended: [] });
  await keepMarks(tx, new Set(past.awaited.map((event) => markOf(account.id, event))));
  return past.bookings.filter(({ to }) => to !== undefined);
}

/** The batch of a bulk payment, as its debtor sees it. */
function salariesPaid({ life }: OrderingLife, action: Extract<LifeAction, { readonly kind: 'pay' }>): EventBooking {
  const { payees, text } = action.event;
  const entryDetails = payees.map(({ name, account, amount }) => ({
    transactionAmount: { amount: formatAmount({ minor: ore(amount), currency: 'NOK' }), currency: 'NOK' as const },
    creditorName: name,
    ...(account !== undefined && { creditorAccount: { bban: account } }),
    remittanceInformationUnstructured: text,
  }));
  const amount = amountOf(action);
  const debtor = { name: life.holder, bban: null, iban: null, ...accountMember(life.account) };
  const batch = detailsOfBatch(debtor, payees.length, { minor: amount, currency: 'NOK' });
  return { amount, bookingDate: action.date, valueDate: action.date, details: { ...batch, entryDetails } };
}

/**
 * Ends the life of an account: its standing orders are cancelled and its reservations released; what is booked stays
 * (docs/life.md). An account without a life, or an unknown one: NOT_FOUND.
 */
export async function endLife(bank: BankContext, number: string): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const { row } = await requireLife(bank, tx, number);
    const { now } = await bankTime(bank, tx);
    await endLifeOn(bank, tx, row.account_id, now);
  });
}

/** All lives, the oldest first. */
export function listLives(bank: BankContext): Promise<LifeReport[]> {
  return bank.ledger.read(async (reader) => (await livesOf(bank, reader)).map(lifeReport));
}

function lifeReport({ row, persona: { persona } }: Living): LifeReport {
  return { account: row.account, persona: persona.name, seed: row.seed, from: row.from_date, role: row.role };
}
