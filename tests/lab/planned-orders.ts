import type { Bank } from '../../engine/open-bank.ts';
import { readBank } from '../../engine/bank/bank-context.ts';
import { listPayments } from '../../engine/inspection/list-payments.ts';
import { inspectPayment } from '../../engine/inspection/inspect-payment.ts';
import { messagesOf } from '../../api/causes/payment-messages.ts';
import { notesOf } from '../../engine/payments/gather-notes.ts';
import { paymentToSign } from '../../engine/payments/payment-to-sign.ts';
import { planToShow } from '../../engine/payments/plan-payments.ts';
import { previewSchedule } from '../../engine/payments/preview-schedule.ts';
import { signablePayment } from '../../engine/payments/rows/signable-payments.ts';
import { findPayment } from '../../engine/payments/rows/payments.ts';
import type { Initiation } from '../../engine/payments/rules/payment-initiation.ts';
import { orderOf, type Plan, planOf } from '../../engine/payments/rules/plan.ts';
import { customerByNumber } from '../../engine/parties/rows/customers.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { laneKey } from '../../engine/time/rules/lanes.ts';
import { nicsTimes, runId } from '../../engine/time/rules/settlement-run.ts';
import { formatInstant, type Instant, osloDate, osloInstant } from '../../engine/values/instant.ts';
import { addDays, type LocalDate, localDate } from '../../engine/values/local-date.ts';
import { firstOf } from '../../engine/values/lists.ts';
import { products } from '../../engine/values/product.ts';
import { loadPriceList } from '../../api/start/fixtures.ts';
import { memoryBank } from './bank.ts';
import { deposit, initiate, orRefusal, people, type Person, sign, transferBody } from './payments.ts';
import { inSweden } from './products.ts';
import { quirksIn } from './quirks.ts';
import { type Seeded, seeded } from './seeded.ts';

/*
 * Random orders at random banks: what the plan says of each, what is stored of it, what becomes of it with funds, and what those said who tell
 * of it before its signature.
 */

const begins = '2027-02-05 2027-03-22 2027-03-24 2027-03-27 2027-05-14 2027-10-29 2027-12-22 2027-12-30'.split(' ');

function termsFrom({ pick }: Seeded) {
  const settlementTimes = pick([
    { private: nicsTimes, corporate: nicsTimes },
    { private: ['00:00', '08:00', '14:00'], corporate: ['00:00', '15:00'] },
    { private: ['05:30', '14:00'], corporate: nicsTimes },
  ]);
  const cutOffs = pick([
    {},
    { domestic: '14:00' },
    { 'sepa:EUR': '10:00+1', foreign: '15:45+1', inside: '23:30', 'corporate:domestic': '12:00' },
    { 'inside-kid': '11:00', 'cross-border:USD': '09:00' },
  ]);
  const earlyClose = pick([{}, { 'before-holiday': '12:00' }, { 'year-end:foreign': '09:30', '12-23': '11:00' }]);
  const fxFixings = pick([[], ['10:00'], ['11:00', '16:30']]);
  const quirks = pick([
    '',
    'own-accounts-at-once',
    'same-bank-at-once=all',
    'same-bank-at-once=without-kid,weekend-values',
    'same-bank-at-once=next-day,month-end-bookings',
    'value-date=run-day',
    'value-date=run-day-booked,own-accounts-at-once',
    'value-date=transfer-day,weekend-values',
  ]);
  return { settlementTimes, cutOffRules: { cutOffs, earlyClose, fxFixings }, quirks: quirksIn(quirks) };
}

/** An order somebody makes and signs later. */
interface Drawn {
  readonly from: 'nora' | 'company';
  readonly product: (typeof products)[keyof typeof products];
  readonly initiation: Initiation;
}

function drawn({ pick, below }: Seeded, today: LocalDate, count: number): Drawn {
  const from = pick(['nora', 'company']);
  const own: Person = from === 'nora' ? 'savings' : 'bills';
  const to = pick<Person>(['shop', 'shop', own, 'even']);
  const amount = `${1 + count}.${10 + below(90)}`;
  const on = pick([{}, {}, { requestedExecutionDate: addDays(today, below(9)) }]);
  const domestic = transferBody({ from, to, amount, hasReference: below(3) === 0 });
  const kind = pick(['single', 'single', 'single', 'instant', 'sepa', 'cross-border', 'periodic', 'periodic', 'bulk']);
  switch (kind) {
    case 'single':
      return { from, product: products.domestic, initiation: { service: 'payments', body: { ...domestic, ...on } } };
    case 'instant':
      return { from, product: products.straks, initiation: { service: 'payments', body: domestic } };
    case 'sepa':
    case 'cross-border': {
      const currency = kind === 'sepa' ? 'EUR' : pick(['USD', 'SEK', 'NOK']);
      const sent = transferBody({ from, to, amount, foreign: { product: kind, currency } });
      const body = { ...sent, ...(kind === 'cross-border' && inSweden), ...on };
      const product = kind === 'sepa' ? products.sepa : products.crossBorder;
      return { from, product, initiation: { service: 'payments', body } };
    }
    case 'periodic': {
      const startDate = addDays(today, below(9));
      const plan = {
        startDate,
        ...pick([{}, {}, { endDate: addDays(startDate, below(3)) }]),
        frequency: pick(['Daily', 'Weekly', 'Monthly']),
        executionRule: pick(['following', 'preceeding']),
      };
      return {
        from,
        product: products.domestic,
        initiation: { service: 'periodic-payments', body: { ...domestic, ...plan } },
      };
    }
    case 'bulk': {
      const { debtorAccount, ...item } = domestic;
      const second = {
        ...item,
        instructedAmount: { amount: amount.replace(/^\d+/, '7'), currency: 'NOK' as const },
      };
      const body = { debtorAccount, payments: [item, second], ...on };
      return { from, product: products.domestic, initiation: { service: 'bulk-payments', body } };
    }
  }
}

/** What was said and what happened of an order, each as lines: they must be the same. */
export interface Compared extends Lines {
  readonly seed: number;
  readonly order: string;
}

interface Lines {
  readonly said: readonly string[];
  readonly happened: readonly string[];
}

/** An order that was made. */
interface Made {
  readonly id: string;
  readonly order: Drawn;
}

/** Makes so many orders at a bank that follows from the seed, signs most of them, and lets a month pass. */
export async function comparedOrders(seed: number, count: number): Promise<Compared[]> {
  const random = seeded(seed);
  const { pick, below } = random;
  const terms = termsFrom(random);
  const start = osloInstant(localDate(pick(begins)), '09:07');
  await using bank = await memoryBank(formatInstant(start), { ...terms, prices: await loadPriceList() });
  for (const person of ['nora', 'company'] as const) await deposit(bank, person, 10n ** 12n);
  const pending: Made[] = [];
  const signed: (Made & { readonly plan: Plan })[] = [];
  const found: Compared[] = [];
  const compare = ({ id, order }: Made, lines: Lines): void =>
    void found.push({ seed, order: named(order, id), ...lines });
  let now = start;
  for (let made = 0; made < count || pending.length > 0;) {
    for (let left = below(4); left > 0 && made < count; left -= 1) {
      made += 1;
      const order = drawn(random, osloDate(now), made);
      const out = await orRefusal(
        initiate(bank, order, order.initiation, order.product, { allowLogicalDuplicate: true }),
      );
      if (typeof out === 'string') continue;
      const { resource_id: id, status } = out.payment;
      const one = { id, order };
      const asked = await planOfQuestion(bank, order, now);
      if (status === 'RCVD') {
        pending.push(one);
        compare(one, await asUnsigned(bank, one, asked));
      } else signed.push({ ...one, plan: asked });
    }
    for (const one of pending.splice(0)) {
      if (made < count ? below(2) === 0 : below(4) === 0) {
        pending.push(one);
        continue;
      }
      const plan = await planIn(bank, one.id);
      compare(one, await asUnsigned(bank, one, plan));
      const code = await sign(bank, one.id, one.order.from);
      compare(one, { said: [plan.refusal?.code ?? 'signed'], happened: [code ?? 'signed'] });
      if (code !== null) continue;
      signed.push({ ...one, plan });
      compare(one, await asStored(bank, one.id, plan));
    }
    now = nextMoment(random, bank, now);
    await advanceClock(bank, now);
  }
  await advanceClock(bank, (now + 40 * 86_400_000) as Instant);
  for (const { plan, ...one } of signed) compare(one, await asHappened(bank, one.id, plan));
  return found;
}

const named = ({ product, initiation, from }: Drawn, id: string) =>
  `${id.slice(0, 12)} ${from} ${product} ${initiation.service} ${JSON.stringify(initiation.body)}`;

/** Some hours later, often at the very instant of a run, a cut-off or a fixing, or a millisecond beside it. */
function nextMoment({ pick, below }: Seeded, bank: Bank, now: Instant): Instant {
  const later = (now + below(30 * 60) * 60_000) as Instant;
  if (below(2) === 0) return later;
  const { settlementTimes, cutOffRules } = bank.schedule;
  const times = [...settlementTimes.private, ...Object.values(cutOffRules.cutOffs), ...cutOffRules.fxFixings];
  const sharp = osloInstant(osloDate(later), pick(times).slice(0, 5)) + pick([-1, 0, 0, 1]);
  return Math.max(now, sharp) as Instant;
}

/** The plan of the question that asks the same. */
async function planOfQuestion(bank: Bank, { from, initiation, product }: Drawn, at: Instant): Promise<Plan> {
  const customer = from === 'nora' ? 'private' : 'corporate';
  const own = from === 'nora' ? people.savings.bban : people.bills.bban;
  const creditors = new Map([
    [own, { currency: 'NOK' as const, isOwn: true }],
    [people.even.bban, { currency: 'NOK' as const, isOwn: false }],
  ]);
  const order = orderOf({ ...initiation, product }, { type: customer, currency: 'NOK' }, creditors, osloDate(at));
  return readBank(bank, ({ lastRunAt }) => Promise.resolve(planOf(order, bank, { at, lastRunAt, isSigned: false })));
}

async function planIn(bank: Bank, id: string): Promise<Plan> {
  return readBank(bank, async (reading) => {
    const payment = await findPayment(reading.reader, { resourceId: id });
    if (payment === undefined) throw new Error(`there is no payment ${id}`);
    return planToShow(reading, payment.id);
  });
}

/** The days of a plan, first what is executed and then what an order pays later. */
const daysOf = (plan: Plan) =>
  [...plan.executions, ...firstOf(plan.ahead(), 6)].map(
    ({ nominalDate, executionDate }) => `${nominalDate} ${executionDate}`,
  );

/** What the plan of an unsigned payment says, against the SCA page, details, list, warnings, and the question or preview that asks the same. */
async function asUnsigned(bank: Bank, { id, order }: Made, asked: Plan): Promise<Lines> {
  const plan = await planIn(bank, id);
  const [first] = plan.executions;
  const { initiation } = order;
  const isPeriodic = initiation.service === 'periodic-payments';
  const { toSign, warnings, now } = await readBank(bank, async (reading) => {
    const customer = await customerByNumber(reading.reader, people[order.from].psu);
    const payment = await findPayment(reading.reader, { resourceId: id });
    if (payment === undefined || customer === undefined) throw new Error(`there is no payment ${id}`);
    const signable = await signablePayment(reading, payment.id, customer.id);
    const { toTpp } = messagesOf(await notesOf(reading, payment));
    const shown = await paymentToSign(reading, signable, 1);
    return { toSign: shown, warnings: toTpp.map(({ text }) => text), now: reading.now };
  });
  const details = await inspectPayment(bank, id);
  const date = first?.executionDate ?? null;
  const page = { offset: 0, limit: 1000, status: null, service: null, numbers: null };
  const listed = date === null ? [] : (await listPayments(bank, { ...page, from: date, to: date })).payments;
  const said = [
    `lane ${laneKey(asked.lane)}`,
    `days ${daysOf(asked).join()}`,
    `run ${asked.executions.map(runOf).join()}`,
    `booked ${asked.executions.map(bookedOf).join()}`,
    `page ${date} ${first === undefined || first.run === null || first.run.date === date ? '' : runOf(first)}`,
    `details ${isPeriodic ? daysOf(plan).slice(plan.executions.length) : date}`,
    `listed ${date !== null}`,
    `moved ${first?.causes.some(({ kind }) => kind === 'moved') === true ? date : ''}`,
    `late ${first?.causes.some(({ kind }) => kind === 'late') === true ? runOf(first) : ''}`,
    `fixed ${plan.fixing === null ? '' : formatInstant(plan.fixing).slice(0, 16).replace('T', ' at ')}`,
  ];
  const { timing, late } = toSign;
  const shown = 'schedule' in timing ? timing.dates.first[0]?.executionDate : timing.executionDate;
  const planned = details.occurrences.slice(0, 6).map((each) => `${each.nominalDate} ${each.executionDate}`);
  const found = (pattern: RegExp) => warnings.flatMap((text) => pattern.exec(text)?.[1] ?? []).join();
  const happened = [
    `lane ${laneKey(plan.lane)}`,
    `days ${daysOf(plan).join()}`,
    `run ${plan.executions.map(runOf).join()}`,
    `booked ${plan.executions.map(bookedOf).join()}`,
    `page ${shown ?? null} ${late === null ? '' : runId(late.run)}`,
    `details ${isPeriodic ? planned : details.executionDate}`,
    `listed ${listed.some(({ paymentId, executionDate }) => paymentId === id && executionDate === date)}`,
    `moved ${found(/is (?:executed|due) on (\S{10})/)}`,
    `late ${found(/run (\S+) carries it out/)}`,
    `fixed ${found(/rate (?:is|was) fixed on (\S+ at \S{5})/)}`,
  ];
  if (initiation.service !== 'periodic-payments') return { said, happened };
  const preview = await previewSchedule(bank, initiation.body, { count: 6, signedAt: now });
  const previewed = preview.occurrences.map(({ nominalDate, executionDate }) => `${nominalDate} ${executionDate}`);
  const ahead = firstOf(plan.ahead(), 6).map(({ nominalDate, executionDate }) => `${nominalDate} ${executionDate}`);
  return { said: [...said, `preview ${ahead.join()}`], happened: [...happened, `preview ${previewed.join()}`] };
}

const runOf = ({ run }: Plan['executions'][number]) => (run === null ? 'at once' : runId(run));

const bookedOf = ({ bookedAt, bookingDate, valueDate }: Plan['executions'][number]) =>
  `${formatInstant(bookedAt)} ${bookingDate} ${valueDate}`;

/** What the plan says, against the rows right after the signature. */
async function asStored(bank: Bank, id: string, plan: Plan): Promise<Lines> {
  return bank.ledger.read(async (reader) => {
    const rows = await reader
      .selectFrom('execution')
      .innerJoin('payment', 'payment.id', 'execution.payment_id')
      .leftJoin('standing_order', 'standing_order.payment_id', 'payment.id')
      .leftJoin('foreign_transfer', 'foreign_transfer.payment_id', 'payment.id')
      .select(['lane', 'nominal_date', 'execution.execution_date', 'execution.received_at', 'next_index'])
      .select(['foreign_transfer.debit_minor', 'foreign_transfer.value_date', 'foreign_transfer.fee_minor'])
      .where('payment.resource_id', '=', id)
      .orderBy('sequence')
      .execute();
    const { price, fixing, nextIndex } = plan;
    const stored = rows.map((row) => {
      const { debit_minor: debit, fee_minor: fee, value_date: value } = row;
      const isLater = value !== null && value !== row.execution_date;
      const money = price === null ? '' : `${fixing === null ? '' : `${debit} ${fee}`} ${isLater ? value : ''}`;
      const { lane, nominal_date: nominal, execution_date: date, received_at: received, next_index: next } = row;
      return `${lane} ${nominal} ${date} ${received} ${next} ${money}`;
    });
    const planned = plan.executions.map(({ nominalDate, executionDate, valueDate }) => {
      const rates = fixing === null ? '' : `${price?.debit.minor} ${price?.fee.minor}`;
      const money = price === null ? '' : `${rates} ${valueDate === executionDate ? '' : valueDate}`;
      return `${laneKey(plan.lane)} ${nominalDate} ${executionDate} ${plan.receivedAt} ${nextIndex} ${money}`;
    });
    return { said: [...new Set(planned)], happened: [...new Set(stored)] };
  });
}

/** What the plan says, against the first attempt and the debits. */
async function asHappened(bank: Bank, id: string, plan: Plan): Promise<Lines> {
  const happened = await bank.ledger.read(async (reader) => {
    const rows = await reader
      .selectFrom('execution')
      .innerJoin('payment', 'payment.id', 'execution.payment_id')
      .innerJoin('attempt', 'attempt.execution_id', 'execution.id')
      .innerJoin('entry', (join) =>
        join
          .onRef('entry.execution_id', '=', 'execution.id')
          .onRef('entry.account_id', '=', 'payment.debtor_account_id'),
      )
      .select(['execution.nominal_date', 'run_date', 'run_number', 'outcome', 'attempt.number'])
      .select(['booking_date', 'value_date', 'booked_at'])
      .where('payment.resource_id', '=', id)
      .where('is_fee', '=', 0)
      .orderBy('sequence')
      .execute();
    return rows.map((row) => {
      const run = row.run_date === null ? 'at once' : `${row.run_date}/${row.run_number}`;
      const booked = `${formatInstant(row.booked_at ?? (0 as Instant))} ${row.booking_date} ${row.value_date}`;
      return `${row.nominal_date} ${run} ${row.outcome} ${row.number} ${booked}`;
    });
  });
  const said = plan.executions.map((each) => `${each.nominalDate} ${runOf(each)} settle 1 ${bookedOf(each)}`);
  const isPlanned = (line: string) => plan.executions.some(({ nominalDate }) => line.startsWith(nominalDate));
  return { said, happened: [...new Set(happened.filter(isPlanned))] };
}
