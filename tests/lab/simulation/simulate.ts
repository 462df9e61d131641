import { listedPersona, loadPriceList } from '../../../api/start/fixtures.ts';
import { pricesAt } from '../../../engine/payments/rules/foreign-transfer.ts';
import { type Currency, formatAmount, isCurrency } from '../../../engine/values/money.ts';
import type { PriceList } from '../../../engine/values/price-list.ts';
import type { Bank } from '../../../engine/open-bank.ts';
import { isProblem, noQuirks, switched } from '../../../engine/bank/rules/quirk.ts';
import { frequencies } from '../../../engine/time/rules/occurrences.ts';
import { formatInstant, type Instant } from '../../../engine/values/instant.ts';
import { localDate } from '../../../engine/values/local-date.ts';
import { beginLife } from '../../../engine/life/begin-life.ts';
import { knownState, manualClock, memoryBank, ofProfile } from '../bank.ts';
import { addTransactions, deleteTransaction } from '../../../engine/accounts/mock-transactions.ts';
import { createAccount, deleteAccount } from '../../../engine/sandbox-data/customers.ts';
import {
  approve,
  beginSigning,
  deposit,
  order,
  orRefusal,
  pay,
  payBulk,
  people,
  remove,
  sign,
  type Person,
  type Transfer,
} from '../payments.ts';
import { accountIdOf } from '../consented.ts';
import { brokenProofs } from '../proof.ts';
import { compare, firstDifference } from '../forecast-and-fact.ts';
import { seeded, type Seeded } from '../seeded.ts';
import { differences, finalDifferences } from './audit.ts';
import { dayAfter, instantOf, isClosed } from './days.ts';
import { lifeDifferences } from './lived.ts';
import { ore } from './money.ts';
import { passTo, timeOf } from './passing.ts';
import { Model, nominalDays, type ModelAccount, type ModelBank, type ModelPayment, type ModelPlan } from './model.ts';
import { type ModelQuirks, profileFile, Terms } from './terms.ts';

/** Called at the beginning of each day, from 0. A test of the auditor does something to the bank, behind the model's back. */
export type EachDay = (bank: Bank, day: number) => Promise<void>;

export interface SimulationOptions {
  readonly eachDay?: EachDay;
  /** Left out: 4 January 2027. */
  readonly firstDay?: string;
  /** With them, days have foreign payments, KIDs and transfers between own accounts. */
  readonly quirks?: ModelQuirks;
  /**
   * The id of a listed profile, whose quirks it then has. Companies pay too, and abroad in the currencies of its cut-offs; days pass at
   * which nobody acts, after a forecast of them.
   */
  readonly profile?: string;
  /** A persona that lives on an account which nobody here pays from or to; what it did is held against its file. */
  readonly persona?: string;
  /** Numbers of the steps at which nobody acts, though somebody would. */
  readonly leftOut?: ReadonlySet<number>;
  /** Called before the bank closes. */
  readonly atEnd?: (bank: Bank, model: Model) => Promise<void>;
}

const privateDebtors = ['nora', 'even', 'anne', 'kari', 'per'] as const;
/** Half of the payments under a profile are those of a company. */
const companies = ['company', 'company', 'company', 'bills', 'bills'] as const;
/** The account on which a persona lives: another one of Per's. */
const livedNumber = '34500000025';
type Debtor = (typeof privateDebtors)[number] | (typeof companies)[number];
type ForeignOrder = NonNullable<Transfer['foreign']>;
/** Øre. */
const fees = { sepa: 500n, 'cross-border': 5_000n } as const;
const inKroner: ForeignOrder = { product: 'cross-border', currency: 'NOK' };

/**
 * Lives some days with a bank in memory and with the model, and compares them at every step. The bank's clock runs, while the
 * wall clock sleeps and is set back. The same seed, the same days: each step draws from numbers of its own, so that a step which is left out
 * changes no other. Tells counts, attempts that were foreseen too, the steps at which somebody acted, and in `problems` where bank and model
 * went apart; it ends there.
 */
export async function simulate(
  seed: number,
  days: number,
  { eachDay = () => Promise.resolve(), firstDay = '2027-01-04', leftOut, atEnd, ...options }: SimulationOptions = {},
) {
  const world = await worldOf(seed, firstDay, options);
  const { bank, model } = world;
  let runs = 0;
  const acted: number[] = [];
  let step = 0;
  let problems: string[] = [];
  for (let day = 0; day < days && problems.length === 0; day += 1) {
    await eachDay(bank, day);
    world.random = seeded(Math.imul(seed, 31) + Math.imul(day, 0x9e3779b1));
    if (world.isForeseen && world.random.below(12) === 0) day += world.random.below(12);
    const date = dayAfter(firstDay, day);
    for (const time of timesOf(world, date)) {
      step += 1;
      world.random = seeded(Math.imul(seed, 31) + Math.imul(step, 0x85ebca6b));
      const moved = await moveTo(world, `${date} ${time}`);
      runs += moved.runs;
      problems = [...moved.problems, ...(await differences(bank, model, world.live))];
      if (problems.length > 0) break;
      world.live = world.live.filter(
        (one) => !['RJCT', 'CANC'].includes(one.status) && (one.status !== 'ACSC' || model.seen(one) !== null),
      );
      if (leftOut?.has(step) === true) continue;
      acted.push(step);
      await act(world);
    }
  }
  if (problems.length === 0) {
    const broken = Object.entries(await brokenProofs(bank)).map(([name, rows]) => `${name}: ${rows.length}`);
    const lived = await lifeDifferences(bank, model.now.slice(0, 10));
    problems = [...(await finalDifferences(bank, model)), ...broken, ...lived];
  }
  await atEnd?.(bank, model);
  await bank.close();
  const told = problems.map((problem) => `by ${model.now}: ${problem}`);
  return { counts: { ...countsOf(model), runs, foreseen: world.foreseen }, acted, problems: told };
}

type World = Awaited<ReturnType<typeof worldOf>>;

/** Bank and model at the beginning, and what decides on the days. The bank reads a profile as a server does, the model reads its file. */
async function worldOf(
  seed: number,
  firstDay: string,
  { quirks, profile, persona }: Pick<SimulationOptions, 'quirks' | 'profile' | 'persona'>,
) {
  const now = `${firstDay} 03:00`;
  const wall = manualClock(instantOf(now) as Instant);
  const start = { mode: 'running', now: wall.now() } as const;
  const on = switched(noQuirks, Object.entries(quirks ?? {}));
  if (isProblem(on)) throw new Error(on.problem);
  const prices = await loadPriceList();
  const set = profile === undefined ? { quirks: on } : await ofProfile(profile);
  const told = profile === undefined ? null : profileFile(profile);
  const terms = new Terms(told?.settings);
  const debtors: readonly Debtor[] = told === null ? privateDebtors : [...privateDebtors, ...companies];
  const own = told?.quirks ?? quirks;
  const bank = await memoryBank(firstDay, { ids: { seed: 'counted' }, wall, start, prices, ...set });
  if (persona !== undefined) await beginLife(bank, livedNumber, { persona: await listedPersona(persona), months: 1 });
  return {
    bank,
    model: new Model(now, accounts(debtors), { quirks: own ?? {}, terms, rateOf: ratesOf(prices) }),
    hasQuirks: own !== undefined,
    hasLife: persona !== undefined,
    random: seeded(seed),
    /** Who pays, and at whom, and in which currencies abroad. */
    debtors,
    creditors: [...debtors, 'shop', ...(own === undefined ? [] : ['savings', 'savings'])] as readonly Person[],
    orders: told === null ? [inKroner] : foreignOrders(told.settings.cutOffs ?? {}, prices),
    /** Times of day at which something may change, `05:30`. */
    moments: momentsOf(terms),
    /** Whether forecasts are compared, and how many attempts they told. */
    isForeseen: told !== null,
    foreseen: 0,
    /** The machine's clocks, and what decides how they jump. */
    ...{ wall, jumps: seeded(seed + 1), behind: 0 },
    /** The payments whose status can still change. */
    live: [] as ModelPayment[],
  };
}

function accounts(debtors: readonly Debtor[]): ModelAccount[] {
  const known = knownState.customers.flatMap(({ type, accounts: own }) => own.map((one) => ({ ...one, type })));
  return [...new Set([...debtors, 'savings' as const])].map((name) => {
    const account = known.find(({ bban }) => bban === people[name].bban);
    const kind = account?.type === 'corporate' ? 'corporate' : 'private';
    return { name, kind, balance: ore(account?.balance ?? '0'), creditLine: ore(account?.creditLine ?? '0') };
  });
}

/** Listed currencies with two decimals: those that the cut-offs name, and some that they may not name. */
function foreignOrders(cutOffs: Readonly<Record<string, string>>, { nokPerUnit }: PriceList): ForeignOrder[] {
  const named = Object.keys(cutOffs).flatMap((key) => key.split(':').at(-1) ?? []);
  const currencies = [...new Set([...named, 'SEK', 'USD', 'EUR', 'AUD'])]
    .filter(isCurrency)
    .filter((one) => nokPerUnit.has(one));
  const abroad = currencies.map((currency) => ({ product: 'cross-border', currency }) as const);
  const sepa = { product: 'sepa', currency: 'EUR' } as const;
  return [inKroner, sepa, sepa, sepa, ...abroad];
}

/** The course is the bank's own; the model knows how far it may go from the listed rate (rules.md P11c). */
function ratesOf(prices: PriceList): ModelBank['rateOf'] {
  return (currency, fixing) => {
    const listed = prices.nokPerUnit.get(currency as Currency);
    const rate =
      fixing === null ? listed : pricesAt(instantOf(fixing) as Instant, prices).nokPerUnit.get(currency as Currency);
    if (listed === undefined || rate === undefined) throw new Error(`no rate for ${currency}`);
    const off = rate.digits - listed.digits;
    const isNear = (off < 0n ? -off : off) * 10_000n <= listed.digits * 165n + 5_000n;
    if (rate.scale !== listed.scale || !isNear)
      throw new Error(`P11c: ${currency} is fixed at ${rate.digits} at ${fixing}`);
    return rate;
  };
}

/** The times of day of runs, cut-offs and fixings. */
function momentsOf({ runs, settings: { cutOffs = {}, earlyClose = {}, fxFixings = [] } }: Terms): string[] {
  const others = [...Object.values(cutOffs), ...Object.values(earlyClose)].map((one) => one.slice(0, 5));
  return [...runs, ...others, ...fxFixings];
}

/** Up to four different minutes of a day, some at such a moment; none in the hour in which clocks change. More where a bank closes early, before its last run. */
function timesOf({ random, moments, model }: World, date: string): string[] {
  const { earlyClose = {} } = model.terms.settings;
  const isEarly = Object.keys(earlyClose).some((key) => [date, date.slice(5)].includes(key.split(':')[0] ?? ''));
  const minutes = Array.from({ length: random.below(5) }, () => 180 + random.below(1260));
  if (isEarly) minutes.push(...Array.from({ length: 16 }, () => 480 + random.below(450)));
  const times = minutes.map(timeOf);
  if (random.below(3) === 0) times.push(random.pick(moments as [string, ...string[]]));
  return [...new Set(times)].sort().filter((time) => `${date} ${time}` > model.now);
}

/** Bank and model come to a time; at times the forecast is compared with what happened then. */
async function moveTo(world: World, time: string): Promise<{ runs: number; problems: string[] }> {
  const { bank, model, jumps } = world;
  const there = instantOf(time) as Instant;
  const isLong = time.slice(0, 10) > dayAfter(model.now.slice(0, 10), 1);
  const since = instantOf(model.now) as Instant;
  let passed = { runs: 0, now: since };
  const pass = async (): Promise<void> => void (passed = await passTo(bank, world, there));
  const compared = world.isForeseen && (isLong || jumps.below(6) === 0) ? await compare(bank, there, pass) : null;
  if (compared === null) await pass();
  const { runs, now } = passed;
  model.advance(time);
  const problems = now === there ? [] : [`the clock shows ${formatInstant(now)}`];
  if (compared === null) return { runs, problems };
  const { foreseen, made } = compared;
  world.foreseen += made.attempts.length;
  const differ = firstDifference(foreseen, made);
  if (differ !== null) problems.push(differ);
  return { runs, problems };
}

async function act(world: World): Promise<void> {
  const { random } = world;
  // S9c: some items of a bulk payment have settled and others are open, which is so for a day at most.
  const isOpen = ({ status }: { readonly status: string }): boolean => status === 'open';
  const part = world.live.find((one) => one.status === 'PART' && one.executions.some(isOpen) && isPrivate(one.from));
  if (part !== undefined && random.below(3) === 0) return close(world, part.from as Debtor);
  if (random.below(100) === 0) return close(world, random.pick(privateDebtors));
  if (random.below(8) === 0) await reopen(world);
  const chance = random.below(20);
  if (chance < 7) return initiate(world, null, random.below(4) === 0 ? 2 + random.below(3) : 1);
  if (chance < 9)
    return initiate(world, planOf(random, dayAfter(world.model.now.slice(0, 10), random.pick([0, 0, 1, 5, 11]))));
  if (chance < 11) return topUp(world);
  const payment = world.live[random.below(world.live.length)];
  if (payment === undefined) return;
  if (payment.status === 'RCVD' && chance < 18) return signIn(world, payment);
  if (chance >= 18) return takeBack(world, payment);
}

/** P5c, S9c, R9c: an account is closed. */
async function close({ bank, model }: World, name: Debtor): Promise<void> {
  if (model.closed.get(name) === 'closed') return;
  await deleteAccount(bank, await accountIdOf(bank, name));
  model.close(name);
}

function isPrivate(name: string): boolean {
  return privateDebtors.some((one) => one === name);
}

/** P5c: the number of a closed account is opened again, seldom in another currency. */
async function reopen({ bank, model, random }: World): Promise<void> {
  const name = random.pick(privateDebtors);
  if (model.closed.get(name) !== 'closed') return;
  const { bban, psu } = people[name];
  const currency = random.below(4) === 0 ? 'EUR' : 'NOK';
  const numbers = { customerNumber: psu, name, bban, currency, product: null, cashAccountType: null } as const;
  await createAccount(bank, { ...numbers, creditLine: 0n, openingBalance: 0n });
  model.reopen(name, currency);
}

/** A single or bulk payment, or a standing order. Nobody can pay from an account that is closed, or to one in another currency. */
async function initiate(world: World, plan: ModelPlan | null, items = 1): Promise<void> {
  const { bank, model, random, live } = world;
  const from = random.pick(world.debtors as [Debtor, ...Debtor[]]);
  const others = world.creditors.filter((name) => name !== from && model.closed.get(name) !== 'EUR');
  if (model.closed.has(from) || others.length === 0) return;
  // The last digits make every amount another one, so that no payment is a logical duplicate.
  const amount = BigInt(
    (1 + random.below(random.below(4) === 0 ? 900 : 40)) * 10_000 + (model.payments.length % 10_000),
  );
  const inDays = world.isForeseen ? random.pick([0, 0, 0, 0, 1, 2, 4, 8]) : random.below(10);
  const requested = dayAfter(model.now.slice(0, 10), inDays);
  const transfers = Array.from({ length: items }, (_, index) => {
    const own = others.filter((name) => people[name].psu === people[from].psu);
    const isToOwn = world.isForeseen && own.length > 0 && random.below(2) === 0;
    const to = random.pick((isToOwn ? own : others) as [Person, ...Person[]]);
    const isOwn = people[to].psu === people[from].psu;
    return { to, amount: amount + BigInt(index) * 10_000n, isOwn };
  });
  const kind = world.hasQuirks && plan === null && items === 1 ? random.below(4) : 0;
  const foreign = kind === 1 ? random.pick(world.orders as [ForeignOrder, ...ForeignOrder[]]) : null;
  const told = transfers.map((one) =>
    foreign === null ? { ...one, hasReference: kind === 2 } : abroad(foreign, one.amount),
  );
  const { payment } = await sent(bank, { from, transfers: told, requested, plan });
  const known = {
    id: payment.resource_id,
    from,
    transfers: told,
    isBulk: items > 1,
    requested,
    plan,
    ...{ status: 'RCVD', finalIn: null, hasLeft: false, executions: [] },
  };
  model.take(known);
  live.push(known);
  // A5: only what a PSU pays to itself may need no signature, once the TPP knows the PSU.
  if (payment.status !== 'RCVD' && told.every(({ isOwn }) => isOwn === true)) model.sign(known);
  else if (payment.status !== 'RCVD') return;
  else if (random.below(2) === 0) await signIn(world, known);
}

/** Other currencies are worth more than a krone, most of them. */
function abroad(foreign: ForeignOrder, amount: bigint): ModelPayment['transfers'][number] {
  const minor = foreign.currency === 'NOK' ? amount : 10_000n + (amount % 10_000n);
  return { to: 'shop', amount: minor, fee: fees[foreign.product], foreign };
}

type Sent = Pick<ModelPayment, 'from' | 'transfers' | 'requested' | 'plan'>;

function sent(bank: Bank, { from, transfers, requested, plan }: Sent): ReturnType<typeof pay> {
  const [first, ...others] = transfers.map(({ amount: minor, ...one }): Transfer => {
    return { ...one, from, amount: formatAmount({ minor, currency: one.foreign?.currency ?? 'NOK' }) };
  });
  if (first === undefined) throw new Error('a payment has a transfer');
  if (plan !== null) return order(bank, first, plan);
  const on = localDate(requested);
  return others.length === 0 ? pay(bank, first, on) : payBulk(bank, [first, ...others], on);
}

function planOf(random: Seeded, startDate: string): ModelPlan {
  const frequency = random.pick(['Daily', 'Daily', ...frequencies]);
  const often = {
    frequency,
    startDate: localDate(startDate),
    endDate: localDate(dayAfter(startDate, random.below(500))),
    executionRule: random.below(2) === 0 ? 'preceeding' : 'following',
    ...(random.below(2) === 0 && { dayOfExecution: String(1 + random.below(31)) }),
  } as const;
  const monthsOfExecution = [1 + random.below(3), 4 + random.below(4), 8 + random.below(4)];
  const plan: ModelPlan = frequency === 'MonthlyVariable' ? { ...often, monthsOfExecution } : often;
  // The bank refuses a plan with no day of execution in it (rules.md R7): look further.
  return nominalDays(plan).length > 0 ? plan : planOf(random, startDate);
}

async function topUp(world: World): Promise<void> {
  const { bank, model, random } = world;
  const name = random.pick(world.debtors as [Debtor, ...Debtor[]]);
  if (model.closed.has(name)) return;
  const amount = BigInt(1 + random.below(5_000_000));
  if (random.below(3) === 0) return announce(world, name, amount);
  await deposit(bank, name, amount);
  model.add(name, amount);
}

/** S8b, D3d: money is reserved or announced, with a booking date or without; one without a date is deleted at times. */
async function announce({ bank, model, random }: World, name: Debtor, amount: bigint): Promise<void> {
  const key = await accountIdOf(bank, name);
  const undated = model.reservations.find((one) => one.account === name && one.booked === null);
  if (undated !== undefined && random.below(2) === 0) {
    await deleteTransaction(bank, key, undated.id);
    model.reservations = model.reservations.filter((one) => one !== undated);
    return;
  }
  const available = model.available(name);
  const signed = random.below(3) === 0 ? amount : -(amount < available ? amount : available);
  if (signed === 0n) return;
  const days = random.below(8);
  const booked = days === 0 ? null : dayAfter(model.now.slice(0, 10), days);
  const valueDate = localDate(booked ?? model.now.slice(0, 10));
  const bookingDate = booked === null ? null : localDate(booked);
  const wanted = { amount: signed, currency: 'NOK', bookingDate, valueDate, details: {} } as const;
  const [added] = await addTransactions(bank, key, [wanted]);
  model.reservations.push({ id: added?.reservation?.id ?? '', account: name, amount: signed, booked });
}

async function signIn({ bank, model }: World, payment: ModelPayment): Promise<void> {
  const failure = await sign(bank, payment.id, payment.from);
  const isLaid = model.sign(payment);
  if ((failure === null) !== isLaid) throw new Error(`${payment.id} signed: ${failure}, by the model: ${isLaid}`);
}

async function takeBack({ bank, model }: World, payment: ModelPayment): Promise<void> {
  const status = model.status(payment);
  if (status !== 'RCVD' && status !== 'ACSP') {
    const refusal = await orRefusal(remove(bank, payment.id));
    const isGone = model.seen(payment) === null;
    if (refusal !== (isGone ? 'RESOURCE_UNKNOWN' : 'CANCELLATION_INVALID'))
      throw new Error(`${payment.id} is ${status}, deleted: ${String(refusal)}`);
    return;
  }
  await remove(bank, payment.id);
  if (status === 'ACSP') await approve(bank, await beginSigning(bank, payment.id, 'cancellation'), payment.from);
  model.cancel(payment);
}

function countsOf(model: Model) {
  const { payments, toClosed } = model;
  const executions = payments.flatMap(({ from, executions: own }) => own.map((one) => ({ ...one, from })));
  const settled = executions.filter(({ settledIn }) => settledIn !== null);
  const atOnce = settled.filter(({ settledIn, signedAt }) => settledIn === signedAt);
  const count = (status: string): number => executions.filter((one) => one.status === status).length;
  const endedIn = (status: string, has: string): number =>
    payments.filter((one) => one.status === status && one.executions.some((each) => each.status === has)).length;
  return {
    ...{ payments: payments.length, settled: count('ACSC'), rejected: count('RJCT') },
    cancelled: payments.filter((payment) => payment.status === 'CANC').length,
    /** Rejected as the creditor account was closed (P5c), bulk payments that a closed account left in part (S9c), orders kept (R9c). */
    toClosed,
    partsEnded: endedIn('PART', 'CANC'),
    ordersKept: endedIn('ACSC', 'RJCT'),
    /** Settled when they were signed (P10b). */
    atOnce: atOnce.length,
    abroad: settled.filter(({ foreign }) => foreign !== undefined).length,
    byCompanies: payments.filter(({ from, status }) => !isPrivate(from) && status === 'ACSC').length,
    /** Valued on a closed day, fees booked in their month (D3c). */
    closedValues: settled.filter((one) => !atOnce.includes(one) && isClosed(model.valueOf(one, one.from))).length,
    keptFees: settled.filter(({ fee, settledIn }) => {
      return fee !== undefined && model.feeBookedOn(settledIn ?? '') !== model.terms.dayOfBooking(settledIn ?? '');
    }).length,
  };
}
