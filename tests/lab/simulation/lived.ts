import type { Bank } from '../../../engine/open-bank.ts';
import { rowsIn } from '../rows.ts';
import { dayAfter, daysFrom, isClosed, isHoliday, kept, weekdayOf } from './days.ts';
import { halfEven, ore } from './money.ts';
import {
  type Dated,
  daysOf,
  wantedDaysOf,
  daysOfMonth,
  type Details,
  eventsOf,
  type FileEvent,
  isAt,
  isBeforeHolidays,
  isIn,
  isInSeason,
  isOfTrip,
  isSent,
  isSaturdayAtMonthEnd,
  isShut,
  lastOpen,
  periodOf,
  type Place,
  placeIn,
  pricedIn,
  type Posted,
  sellsAlways,
  slotOf,
} from './persona-file.ts';
import { bankingDayFrom } from './terms.ts';

/*
 * The lives of a bank against the files of their personas (rules.md L). Which purchases happen, and when, a life draws by chance; what each of them
 * may be, and what must happen each month, the file says.
 */

/** An entry of the account, or a reservation: `booked` null. */
interface Line extends Posted {
  /** `INDEX.PERIOD.NUMBER` and what follows it. */
  readonly key: string;
  readonly suffix: string;
  readonly value: string;
  /** The balance after it. */
  readonly balance: bigint;
}

interface Life extends Readonly<Record<'number' | 'persona' | 'first' | 'began', string>> {
  readonly id: number;
  readonly role: string | null;
  readonly credit_line_minor: bigint;
}

interface PostedRow {
  readonly amount_minor: bigint;
  /** After it; of a reservation 0. */
  readonly balance_minor: bigint;
  readonly booked: string | null;
  readonly value: string;
  readonly event: string | null;
  readonly details: string;
}

interface EntryRow extends PostedRow {
  readonly booked: string;
  readonly is_ordered: 0 | 1;
}

interface OrderRow extends Readonly<Record<'nominal' | 'day' | 'status' | 'service', string>> {
  readonly amount_minor: bigint;
  readonly attempts: number;
  /** The day of the run that gave it up. */
  readonly rejected: string | null;
}

const entriesOf = `select e.amount_minor, sum(e.amount_minor) over (order by e.id) as balance_minor, e.booking_date as booked,
    e.value_date as value, e.execution_id is not null as is_ordered, d.event, d.details
  from entry e left join direct_posting d on d.id = e.direct_posting_id where e.account_id = ? order by e.id`;
const reservedOf = `select amount_minor, 0 as balance_minor, null as booked, value_date as value, event, details
  from reservation where account_id = ?`;
const ordersOf = `select x.nominal_date as nominal, x.execution_date as day, x.status, x.amount_minor, x.attempts, p.service,
    (select max(run_date) from attempt t where t.execution_id = x.id and t.outcome = 'reject') as rejected
  from execution x join payment p on p.id = x.payment_id where x.debtor_account_id = ? and p.tpp_id = 'own-channel'`;
const livesOf = `select l.account_id as id, coalesce(a.bban, a.iban) as number, json_extract(p.content, '$.name') as persona, l.role, l.from_date as first,
    date(l.began_at / 1000, 'unixepoch', '+2 hours') as began, a.credit_line_minor from life l join persona p on p.id = l.persona_id
  join account a on a.id = l.account_id`;

/** What the lives of a bank did until a day that none of their files can explain, in words; empty if all agrees. */
export async function lifeDifferences(bank: Bank, until: string): Promise<string[]> {
  const found: string[] = [];
  const lags = new Map<string, number>();
  for (const life of await rowsIn<Life>(bank, livesOf)) {
    const problems = await problemsOf(bank, life, until, lags);
    found.push(...problems.map((problem) => `${life.persona} on ${life.number}: ${problem}`));
  }
  return [...found, ...wrongShares(lags)];
}

/** Lags from purchase to booking in days, in per cent of all (register 24), and refunds: the fewest and the most. */
const shares = [
  ['domestic 0', 12, 32],
  ['domestic 1', 42, 70],
  ['visa 0', 1, 9],
  ['visa 1', 55, 90],
  ['foreign 0', 0, 2],
  ['foreign 1', 45, 90],
  ['value 1', 45, 78],
  ['kid 1', 25, 55],
  // Of the refunds that the files tell.
  ['refund made', 40, 200],
] as const;

function wrongShares(lags: ReadonlyMap<string, number>): string[] {
  return shares.flatMap(([name, low, high]) => {
    const all = lags.get(name.split(' ')[0] ?? '') ?? 0;
    const share = (100 * (lags.get(name) ?? 0)) / all;
    // Four standard deviations of a half, in per cent: chance alone moves a share of few bookings as far.
    const slack = 200 / Math.sqrt(all);
    return all < (name === 'refund made' ? 8 : 400) || (share >= low - slack && share <= high + slack)
      ? []
      : [`${share} % of ${all} bookings have the lag ${name}`];
  });
}

/** Øre that no persona spends at once. */
const plenty = 5_000_000n;

/** What the life of one account did that the file of its persona cannot explain. Counts in `lags` those of its bookings. */
async function problemsOf(bank: Bank, life: Life, until: string, lags: Map<string, number>): Promise<string[]> {
  const { id, persona, role, first, began, credit_line_minor: creditLine } = life;
  const read = <Shape>(statement: string) => rowsIn<Shape>(bank, statement, [id]);
  const entries = await read<EntryRow>(entriesOf);
  const orders = await read<OrderRow>(ordersOf);
  const events = eventsOf(persona);
  const problems: string[] = [];
  /** Whether funds may have lacked for what it pays. */
  const isShort = entries.length === 0 || entries.some(({ balance_minor: balance }) => balance < plenty);
  const bookedLines = entries.flatMap((row) => lineOf(row) ?? []);
  const lines = [...bookedLines, ...(await read<PostedRow>(reservedOf)).flatMap((row) => lineOf(row) ?? [])];
  const byKey = new Map(lines.map((line) => [line.key, line]));
  /** What was bought on trips, and on which days. */
  const abroad = lines.filter((one) => one.event.kind === 'trip' && one.number > 0 && one.suffix === '');
  const away = new Set(abroad.map(({ bought }) => bought));
  const isByHabit = ({ event: { kind, when }, suffix }: Line): boolean =>
    kind === 'card' && when.days === undefined && suffix === '';
  const boughtOn = Map.groupBy(lines.filter(isByHabit), ({ bought }) => bought);
  const ends = balancesByDay(entries, first, until);
  const endOf = (day: string): bigint => ends.get(day) ?? 0n;

  /** Which of several days the account keeps: the first one that explains all bookings of dated events with as many. */
  const keptPlace = kept((of: number): number => {
    const isKept = (place: number): boolean =>
      bookedLines.every(({ event, period, booked, bought, suffix, number }) => {
        const { kind, when } = event;
        const day = kind === 'card' ? bought : booked;
        const isKeeping = ['transfer', 'card', 'left over'].includes(kind) && when.days?.length === of && isMine(event);
        if (!isKeeping || suffix !== '' || number !== 0) return true;
        return daysOf(when as Dated, period)[place] === day;
      });
    const place = Array.from({ length: of }, (_, index) => index).find(isKept);
    demand(place !== undefined, `the account keeps none of its ${of} days`);
    return place ?? 0;
  });

  for (const line of lines) {
    const { key, booked } = line;
    demand(byKey.get(key) === line, `${key} is twice`);
    if (line.suffix === '.refund') checkRefund(line);
    else if (line.suffix === '') check(line);
    if (booked !== null) demand(booked <= until && booked >= first, `${key} on ${booked}`);
  }
  for (const [index, event] of events.entries()) {
    if (!isMine(event)) continue;
    if (event.when.days !== undefined) checkMonths(event, index, event.when as Dated);
    else if (event.kind === 'trip') checkTrips(event, index);
    else checkCounted(event, index);
    const purchases = bookedLines.filter((line) => line.event === event && line.suffix === '');
    checkRange(event, purchases);
    countRefunds(event, purchases.length);
  }
  checkFunds();
  checkDays();
  return problems;

  function lineOf({ amount_minor: amount, balance_minor: balance, booked, value, ...row }: PostedRow): Line | null {
    const { event: key, details: text } = row;
    const [, index = '', periodOfKey = '', number = '', suffix = ''] =
      /^(\d+)\.(\d+)\.(\d+)(.*)$/.exec(key ?? '') ?? [];
    const event = index === '' ? undefined : events[Number(index)];
    if (key === null || event === undefined) return null;
    const details = JSON.parse(text) as Details;
    const [, day, month] = /^(?:\*\d{4} )?(\d\d)\.(\d\d) /.exec(details.remittanceInformationUnstructured ?? '') ?? [];
    const year = Number((booked ?? value).slice(0, 4)) - ((month ?? '') > (booked ?? value).slice(5, 7) ? 1 : 0);
    const bought = booked === null || day === undefined ? value : `${year}-${month}-${day}`;
    const period = Number(periodOfKey);
    // A period of twelve months has the amounts of its January.
    const priced = pricedIn(persona, event, period * (event.when.perYear === undefined ? 1 : 12));
    const place = { key, period, number: Number(number), suffix };
    return { ...place, event, priced, amount, balance, booked, value, bought, details };
  }

  function demand(holds: boolean, what: string): void {
    if (!holds) problems.push(what);
  }

  /** L12: an account that is alone has what the adults do, but what goes between their accounts. */
  function isMine({ kind, on = 'shared', to }: FileEvent): boolean {
    if (role !== null) return on === role;
    if (!['shared', 'own-1', 'own-2'].includes(on)) return false;
    if ((kind === 'left over' || kind === 'interest') && on !== 'shared') return false;
    return to === undefined || to === 'savings' || to === 'loan';
  }

  function check(line: Line): void {
    const { event, priced, key, period, number, amount, booked, value } = line;
    const what = `${event.event} ${key} of ${amount} on ${booked ?? value}`;
    if (!isMine(event)) {
      const paid = event.kind === 'standing order' ? ore(event.amount) : -ore(priced.amount ?? '0');
      const isFromOther = role !== null && event.to === role;
      demand(isFromOther && (event.kind === 'left over' || amount === paid), `${what} is not of this account`);
      return;
    }
    if (event.kind === 'card' || event.kind === 'trip') {
      const place = event.places?.find((one) => number > 0 && isAt(line, one));
      const isReserved = booked === null && event.reserved !== undefined && amount === ore(event.reserved);
      const isFare = event.places?.some(({ fare }) => number === 0 && isIn(line, fare)) === true;
      const isBought = event.places === undefined ? isIn(line, priced) : place !== undefined || isFare;
      demand(isReserved || isBought, `${what} is out of its bounds`);
      demand(booked === null || event.lapsesAfterDays === undefined, `${what} was to lapse`);
      const card = event.kind === 'card' ? (event.card ?? 'visa') : place === undefined ? 'visa' : 'foreign';
      checkPurchase(line, what, card);
      return;
    }
    if (booked === null) return demand(false, `${what} is reserved`);
    if (event.kind !== 'transfer') return;
    const { drawnWith, hasKid = false } = event;
    demand(drawnWith !== undefined || isIn(line, priced), `${what} is out of its bounds`);
    // Of a debit with a KID, and never a later one of a credit.
    const isLate = hasKid && amount < 0n && value === bankingDayFrom(dayAfter(booked, 1), 1);
    if (hasKid && amount < 0n) count('kid', isLate ? 1 : 0);
    if (event.when.days !== undefined) {
      const days = daysOf(event.when as Dated, period);
      demand(days.includes(booked), `${what} is not due then`);
      demand(value === booked || isLate, `${what} has the value date ${value}`);
      return;
    }
    // The sales of a shop's day come on the next banking day, with its value date.
    const { everyOpenDay: isSales = false } = event.when;
    const counted = slotOf(event.when, line).filter(
      (day) => bankingDayFrom(isSales ? dayAfter(day, 1) : day, 1) === booked,
    );
    const text = line.details.remittanceInformationUnstructured ?? '';
    demand(isSales || isSent(event, text, value), `${what} says ${text}`);
    demand(
      counted.some((day) => isLate || (isSales ? booked : day) === value),
      `${what} has the value date ${value}`,
    );
    if (drawnWith === undefined) return;
    const share = bookedLines.find(
      (one) => one.event.event === drawnWith && one.period === period && one.number === number,
    );
    if (share === undefined) return;
    const [part, whole] = [-ore(event.amount), ore(share.event.amount)];
    demand(-amount === (2n * share.amount * part + whole) / (2n * whole), `${what} is no share of ${share.amount}`);
  }

  /** L6: when a purchase was, is booked, and has its value. */
  function checkPurchase(
    { event, period, number, bought, booked, value, details }: Line,
    what: string,
    card: string,
  ): void {
    const { when, kind } = event;
    if (when.days !== undefined) demand(daysOf(when as Dated, period).includes(bought), `${what} is not due then`);
    else if (kind === 'card') {
      // What a closed shop sells on the last open day before is of a day until the next open one.
      const slot = slotOf(when, { period, number });
      const { closedOn } = when;
      demand(
        slot.some((day) => (closedOn === 'weekends' ? day : lastOpen(day, closedOn)) === bought),
        `${what} was bought on ${bought}`,
      );
      demand(lastOpen(bought, closedOn) === bought, `${what} was sold on ${bought}`);
    }
    const shop = details.remittanceInformationUnstructured ?? '';
    const mayBeOpen = lastOpen(bought, 'holidays') === bought || kind === 'trip' || sellsAlways.test(shop);
    demand(mayBeOpen, `${what} was sold by ${shop} on ${bought}`);
    const isAtHome = kind === 'card' && card !== 'foreign';
    demand(!isAtHome || !away.has(bought), `${what} was bought at home on a trip`);
    if (booked === null) {
      demand(daysFrom(bought, until) <= Math.max(9, event.lapsesAfterDays ?? 0), `${what} is still reserved`);
      return;
    }
    const [lag, later] = [daysFrom(bought, booked), daysFrom(booked, value)];
    const isOpen = !isClosed(booked) || (card === 'foreign' && isSaturdayAtMonthEnd(booked));
    const isNext = booked === bankingDayFrom(dayAfter(bought, 1), 1);
    demand(isOpen && lag >= 0 && (lag <= (card === 'foreign' ? 5 : 4) || isNext), `${what} was bought on ${bought}`);
    demand(later >= 0 && later <= (card === 'foreign' ? 3 : 0), `${what} has the value date ${value}`);
    const isPlain = [0, 1, 2].every((more) => !isClosed(dayAfter(bought, more)));
    if (isPlain) count(card, lag);
    if (card === 'foreign') count('value', later);
  }

  function count(name: string, lag: number): void {
    add(name, 1);
    add(`${name} ${lag}`, 1);
  }

  function add(name: string, more: number): void {
    lags.set(name, (lags.get(name) ?? 0) + more);
  }

  /** L9: so many of a year's purchases are paid back. */
  function countRefunds(event: FileEvent, bought: number): void {
    const { refundsPerYear = 0, when } = event;
    const made = bookedLines.filter((line) => line.event === event && line.suffix === '.refund').length;
    add('refund', (bought * refundsPerYear) / (when.perYear ?? 12 * (when.perMonth ?? 1)));
    add('refund made', made);
  }

  /** L9: a refund is of an earlier purchase, at most its amount, 1 to 20 days later. */
  function checkRefund({ key, amount, booked, event }: Line): void {
    const purchase = byKey.get(key.slice(0, -'.refund'.length));
    if (purchase === undefined || purchase.booked === null || booked === null)
      return demand(false, `${key} refunds nothing`);
    const days = daysFrom(purchase.booked, booked);
    const share = Number((100n * amount) / -purchase.amount);
    // Three tenths of the smallest price, in tens of kroner less one, are 22 per cent.
    demand(share >= 22 && share <= 100, `${key} refunds ${share} %`);
    demand(days >= 1 && days <= 20 && !isClosed(booked), `${key} of ${event.event} is paid back after ${days} days`);
  }

  /** What a file dates happens each month, and in no other. */
  function checkMonths(event: FileEvent, index: number, when: Dated): void {
    const place = keptPlace(when.days.length);
    let previous: string | null = null;
    const [from, to] = [periodOf(first) - 1, periodOf(until) + 1];
    for (let period = from; period <= to; period += 1) {
      const day = daysOf(when, period)[place];
      if (day === undefined || day < first || day >= until) continue;
      const line = byKey.get(`${index}.${period}.0`);
      const what = `${event.event} on ${day}`;
      const isPast = day < began;
      if (event.kind === 'interest' || event.kind === 'overdraft interest' || event.kind === 'fee for failed orders') {
        const start = previous ?? first;
        if (day !== began) checkInterest(event, [start, day], isPast, line);
        previous = day;
      } else if (event.kind === 'standing order' || event.kind === 'bulk')
        checkOrder(event, [wantedDaysOf(when, period)[place] ?? day, day], line);
      else if (event.kind === 'left over') checkLeft(event, day, line);
      else if (line === undefined && !isPast) checkMissing(pricedIn(persona, event, period), day, what);
    }
  }

  /** A payment whose day is known happens, unless funds lack. */
  function checkMissing(event: FileEvent, day: string, what: string): void {
    const isCredit = !event.amount.startsWith('-');
    const cost = isCredit ? 0n : (ore(event.upTo ?? event.amount) * 200n) / 100n;
    const isAway = event.kind === 'card' && event.card !== 'foreign' && mayBeAway(day);
    const hasLapsed = event.lapsesAfterDays !== undefined;
    const mayLack = isShort && !isCredit && (event.foreign !== undefined || leastOn(day) + cost < mayHaveLapsed());
    demand(isAway || hasLapsed || mayLack, `${what} is missing`);
  }

  /** What deposits that lapsed later may have reserved: they left no entry. */
  function mayHaveLapsed(): bigint {
    const lapsing = events.filter(({ lapsesAfterDays }) => lapsesAfterDays !== undefined);
    return lapsing.reduce((sum, { amount }) => sum - ore(amount), 0n);
  }

  /** What was available on a day at least: without what was bought until then and not booked before. */
  function leastOn(day: string): bigint {
    let least = endOf(dayAfter(day, -1));
    for (const { balance_minor: balance, booked } of entries) if (booked === day && balance < least) least = balance;
    return least + creditLine - reservedOn(day, true);
  }

  /** What purchases had reserved as a day began, or (`isWhole`) at any time of it. */
  function reservedOn(day: string, isWhole: boolean): bigint {
    let sum = 0n;
    for (const { event, suffix, amount, bought, booked } of lines) {
      const isPurchase = (event.kind === 'card' || event.kind === 'trip') && suffix === '';
      if (!isPurchase || !(bought < day || (isWhole && bought === day))) continue;
      if (booked !== null && booked < day) continue;
      const cost = -(event.reserved === undefined || booked === day ? amount : ore(event.reserved));
      sum += isWhole && -amount > cost ? -amount : cost;
    }
    return sum;
  }

  /** L5: an order is paid once for each of its months, in the past under its key and then by a run. */
  function checkOrder(event: FileEvent, [wanted, day]: readonly [string, string], line: Line | undefined): void {
    const { payees, amount: once } = pricedIn(persona, event, periodOf(wanted));
    const amounts = payees?.map(({ amount }) => ore(amount)) ?? [ore(once)];
    const total = amounts.reduce((sum, one) => sum + one, 0n);
    const made = orders.filter((one) => one.day === day && amounts.includes(one.amount_minor));
    const times = made.length / amounts.length + (line === undefined ? 0 : 1);
    const what = `${event.event} for ${day}`;
    demand(times === 1 || (isShort && line === undefined && day <= began), `${what} is ordered ${times} times`);
    if (line !== undefined) {
      demand(line.amount === -total, `${what} costs ${line.amount}`);
      demand(
        line.booked === day && line.value === (bank.quirks.has('weekend-values') && wanted < day ? wanted : day),
        `${what} is booked on ${line.booked} with the value date ${line.value}`,
      );
    }
    for (const { status, attempts } of made) {
      const isOver = status === 'ACSC' || (status === 'RJCT' && attempts === 5 && isShort);
      demand(isOver || dayAfter(day, 1) >= until, `${what} is ${status} after ${attempts} attempts`);
    }
  }

  /** L9: in whole thousands (hundreds, if less is kept), what is above `keeps` as the day begins; without it only a past is levelled. */
  function checkLeft({ event, keeps, amount: most }: FileEvent, day: string, line: Line | undefined): void {
    const what = `${event} on ${day}`;
    const unit = keeps !== undefined && ore(keeps) < 100_000n ? 10_000n : 100_000n;
    if (line !== undefined) {
      demand(line.amount < 0n && line.amount % unit === 0n, `${what} is ${line.amount}`);
      demand(line.booked === day && line.value === day, `${what} is booked on ${line.booked}`);
      demand(keeps !== undefined || day <= began, `${what} leaves though nothing is kept`);
      // Of the file's form, but an event of this kind may have no amount.
      if ((most as string | undefined) !== undefined) demand(line.amount >= ore(most), `${what} is ${line.amount}`);
    }
    if ((most as string | undefined) !== undefined && line?.amount === ore(most)) return;
    if (keeps === undefined || day <= began) return;
    const before = endOf(dayAfter(day, -1));
    const left = (line?.balance ?? before) - reservedOn(day, false) - ore(keeps);
    // What else is booked as the day begins may come first, and an order was paid by a run of the day before.
    const hasOrders = entries.some((one) => one.booked === day && one.is_ordered === 1);
    const hasBills = bookedLines.some(
      (one) => one.booked === day && one.amount < 0n && one.event.when.days !== undefined,
    );
    const isFirst = !hasOrders && (line === undefined ? !hasBills : line.balance - line.amount === before);
    demand(
      !isFirst || ((line === undefined || left >= 0n) && left < unit + mayHaveLapsed()),
      `${what} leaves ${left} above what is kept`,
    );
  }

  /** Interest by the balance at the end of each day; a fee for each order that a run gave up. */
  function checkInterest(
    event: FileEvent,
    [start, day]: readonly [string, string],
    isPast: boolean,
    line?: Line,
  ): void {
    const rate = ore(event.rate ?? '');
    const isFee = event.kind === 'fee for failed orders';
    const failed = orders.filter(({ rejected }) => rejected !== null && rejected >= start && rejected < day);
    // What failed in a past left no order.
    const fees = isPast || start <= began ? (line?.amount ?? 0n) : -rate * BigInt(failed.length);
    const expected = isFee ? fees : interest(event.kind === 'interest', rate, start, day);
    if (isFee) demand(fees <= 0n && fees % rate === 0n, `${event.event} on ${day} is ${fees}`);
    // The balance that a past begins with and its interest follow from each other, to an øre.
    const off = (line?.amount ?? 0n) - expected;
    demand(
      off === 0n || (isPast && !isFee && (off === 1n || off === -1n)),
      `${event.event} on ${day} is ${line?.amount ?? 0n} and not ${expected}`,
    );
    if (line !== undefined) demand(line.booked === day && line.value === day, `${event.event} on ${line.booked}`);
  }

  /** Of what stood on the account, or else of what was overdrawn, at the end of each day; the last day is left out. */
  function interest(isCredit: boolean, rate: bigint, start: string, day: string): bigint {
    const sign = isCredit ? 1n : -1n;
    let sum = 0n;
    for (let each = start; each < day; each = dayAfter(each, 1)) {
      const balance = endOf(each) * sign;
      if (balance > 0n) sum += balance;
    }
    const year = Number(day.slice(0, 4));
    return sign * halfEven(sum * rate, 10_000n * BigInt(daysFrom(`${year}-01-01`, `${year + 1}-01-01`)));
  }

  /** So many times in each month or year, unless a trip or lack of funds takes their place. */
  function checkCounted(event: FileEvent, index: number): void {
    const { perMonth, perYear } = event.when;
    const isDebit = event.amount.startsWith('-');
    const mayMiss = (isShort && isDebit) || event.lapsesAfterDays !== undefined;
    const periods = new Set<number>();
    for (let day = first; day < until; day = dayAfter(day, 1)) {
      periods.add(perYear === undefined ? periodOf(day) : Number(day.slice(0, 4)));
    }
    for (const period of periods) {
      const of = perMonth ?? perYear ?? daysOfMonth(period).length;
      for (let number = 0; number < of && !mayMiss; number += 1) {
        const slot = slotOf(event.when, { period, number });
        const [from = '', to = ''] = [slot[0], slot.at(-1)];
        // Days next to the ends may lie outside, and shops that are closed sell nothing.
        const isInside = from > dayAfter(first, 9) && to < dayAfter(until, -9);
        const isOpen = perMonth !== undefined || perYear !== undefined || !(isHoliday(from) || weekdayOf(from) === 0);
        const isAway =
          event.kind === 'card' && slot.some((day) => mayBeAway(day) || mayBeAway(lastOpen(day, event.when.closedOn)));
        const { closedOn, everyWeek } = event.when;
        const mayNot =
          event.kind === 'card' &&
          (everyWeek === true ||
            slot.some((day) => isTaken(event, lastOpen(day, closedOn)) || isTaken(event, day)) ||
            slot.some((day) => isBeforeHolidays(lastOpen(day, closedOn)) || isBeforeHolidays(day)) ||
            (closedOn === 'weekends' && slot.some((day) => isShut(day, closedOn))));
        const isSeason = perYear !== undefined || isInSeason(event.when, period);
        const isThere = byKey.has(`${index}.${period}.${number}`);
        demand(isSeason || !isThere, `${event.event} has no season in ${period}`);
        if (!isInside || isAway || mayNot || !isOpen || !isSeason) continue;
        demand(isThere, `${event.event} ${number} of ${period} is missing`);
      }
    }
    const most = perMonth ?? perYear ?? 31;
    const more = bookedLines.find((one) => one.event === event && one.number >= most && one.suffix === '');
    demand(more === undefined, `${event.event} happens more than ${most} times: ${more?.key}`);
  }

  /** Whether something else was bought in one of its shops on a day, or food twice, or another pastime (L9g). */
  function isTaken(event: FileEvent, day: string): boolean {
    const bought = (boughtOn.get(day) ?? []).filter((line) => line.event !== event);
    const same = bought.filter(({ event: other }) => other.category === event.category).length;
    const isFull = (event.category === 'groceries' && same > 1) || (event.category === 'leisure' && same > 0);
    return isFull || bought.some((line) => event.shops?.includes(shopOf(line)) === true);
  }

  /** L9g: what is not dated is bought once a day in a shop, and food twice. */
  function checkDays(): void {
    for (const [day, bought] of boughtOn) {
      const shops = bought.map(shopOf);
      const twice = shops.filter((shop, place) => shop !== '' && shops.indexOf(shop) !== place);
      demand(twice.length === 0, `${twice.join()} on ${day} twice`);
      const food = bought.filter(({ event }) => event.category === 'groceries');
      demand(food.length < 3, `food ${food.length} times on ${day}`);
      const outings = bought.filter(({ event }) => event.category === 'leisure');
      demand(outings.length < 2, `${outings.length} pastimes on ${day}`);
    }
  }

  function shopOf({ event: { shops = [] }, details }: Line): string {
    return shops.findLast((shop) => details.remittanceInformationUnstructured?.includes(shop)) ?? '';
  }

  /** Whether a day is one of a trip; without funds nothing need be bought on the trip, and it may be any day of its month. */
  function mayBeAway(day: string): boolean {
    const hasTicket = ({ event: { kind }, number, period }: Line): boolean =>
      kind === 'trip' && number === 0 && period === periodOf(day);
    return away.has(day) || (isShort && lines.some(hasTicket));
  }

  /** L9: one trip in each of its months, of so many days, each with a purchase; the ticket is bought 3 to 20 days before. */
  function checkTrips(event: FileEvent, index: number): void {
    for (let period = periodOf(first); period <= periodOf(until); period += 1) {
      const isPlanned = event.when.months?.includes((period % 12) + 1) === true;
      const ofTrip = abroad.filter((one) => one.event === event && one.period === period);
      const days = [...new Set(ofTrip.map(({ bought }) => bought))].toSorted();
      const [from, to] = [days[0], days.at(-1)];
      const ticket = byKey.get(`${index}.${period}.0`);
      const month = daysOfMonth(period);
      const isWhole = (month[0] ?? '') > dayAfter(first, 31) && (month.at(-1) ?? '') < dayAfter(until, -9);
      if (from === undefined || to === undefined) {
        demand(!isPlanned || !isWhole || isShort, `${event.event} of ${month[0]} is missing`);
        continue;
      }
      const what = `${event.event} from ${from} to ${to}`;
      demand(isPlanned && month.includes(from) && month.includes(to), `${what} is in another month`);
      if (!isWhole || isShort) continue;
      const length = daysFrom(from, to) + 1;
      const isTo = (place: Place): boolean =>
        length >= place.days[0] &&
        length <= place.days[1] &&
        ofTrip.every((line) => isOfTrip(line, place, length, from));
      demand(event.places?.some(isTo) === true, `${what} fits no place`);
      demand(days.length === length, `${what} has ${days.length} days`);
      const before = ticket === undefined ? -1 : daysFrom(ticket.bought, from);
      demand(before >= 3 && before <= 20, `the ticket of ${what} is bought ${before} days before`);
    }
  }

  /** Each of a year's times has its own part of the range, so that a year costs about as much as another. */
  function checkRange(event: FileEvent, purchases: readonly Line[]): void {
    const { upTo, byMonth, byWeekday = byMonth, roundTo, foreign, when, kind } = event;
    const of = when.days === undefined ? (when.perYear ?? 12 * (when.perMonth ?? 0)) : 12;
    const isEven = [byWeekday, roundTo, foreign].every((other) => other === undefined);
    if (upTo === undefined || !isEven || kind === 'trip' || of === 0) return;
    const range = Math.abs(Number(ore(event.amount)) - Number(ore(upTo)));
    const partOf = ({ amount, priced }: Line): number =>
      placeIn(amount, Number(ore(priced.amount)), Number(ore(priced.upTo ?? priced.amount))) * of;
    for (const ofYear of Map.groupBy(purchases, ({ period }) =>
      when.perYear === undefined ? Math.floor(period / 12) : period,
    ).values()) {
      const parts = ofYear.map(partOf).toSorted((a, b) => a - b);
      const blur = (300 / range) * of;
      // Of four times, the first and the last are more than two parts from each other; those of usual amounts move by a twenty-fourth of the range.
      const more = Math.ceil(of / 12) + 3;
      const close = parts.findIndex((part, place) => (parts[place + more] ?? Infinity) - part < 1 - 2 * blur);
      demand(
        close === -1 || blur > 0.3,
        `${event.event} has ${more + 1} amounts in one part of its range: ${ofYear[0]?.key}`,
      );
    }
  }

  /** L4: a debit in favour of somebody has funds; what was reserved, and the bank's own fees, may pass the credit line. */
  function checkFunds(): void {
    for (const { event, amount, balance, booked, suffix } of bookedLines) {
      const isAllowed = event.kind !== 'transfer' || event.parties === undefined || amount > 0n || suffix !== '';
      demand(isAllowed || balance >= -creditLine, `${event.event} on ${booked} left ${balance}`);
    }
  }
}

/** The balance at the end of each day until then, by booking dates. */
function balancesByDay(entries: readonly EntryRow[], first: string, until: string): ReadonlyMap<string, bigint> {
  const ends = new Map<string, bigint>();
  const moved = Map.groupBy(entries, ({ booked }) => booked);
  let balance = 0n;
  for (let day = [...moved.keys()].toSorted()[0] ?? first; day <= until; day = dayAfter(day, 1)) {
    for (const { amount_minor: amount } of moved.get(day) ?? []) balance += amount;
    ends.set(day, balance);
  }
  return ends;
}
