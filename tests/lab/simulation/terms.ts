import { readFileSync } from 'node:fs';
import type { Quirk } from '../../../engine/bank/rules/quirk.ts';
import { dayAfter, isClosed, isHoliday, kept } from './days.ts';

/*
 * The runs, cut-offs and fixings of a bank, by the values that its profile has in fixtures/profiles. They are read here a second time, so
 * that the auditor shares no parser with the bank. Times are texts `YYYY-MM-DD HH:MM` of Oslo's clocks.
 */

type Kind = 'private' | 'corporate';

interface Settings {
  readonly settlementTimes?: readonly string[] | Readonly<Partial<Record<Kind, readonly string[]>>>;
  readonly cutOffs?: Readonly<Record<string, string>>;
  readonly earlyClose?: Readonly<Record<string, string>>;
  readonly fxFixings?: readonly string[];
}

/** What a bank does beside its document, by the names of its quirks. */
export type ModelQuirks = Readonly<Partial<Record<Quirk, string | boolean>>>;

/** What a listed profile has set and switched on, as its file has it. */
export function profileFile(id: string) {
  const file = new URL(`../../../fixtures/profiles/${id}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as { readonly settings: Settings; readonly quirks: ModelQuirks };
}

/** What a cut-off depends on (rules.md T4g). */
export interface Order {
  readonly kind: Kind;
  readonly product: 'domestic' | 'inside' | 'inside-kid' | 'sepa' | 'cross-border';
  readonly currency: string;
}

/** The names of a product in settings, the narrower first. */
const namesOf: Readonly<Record<Order['product'], readonly string[]>> = {
  domestic: ['domestic'],
  inside: ['inside', 'domestic'],
  'inside-kid': ['inside-kid', 'inside', 'domestic'],
  sepa: ['sepa', 'foreign'],
  'cross-border': ['cross-border', 'foreign'],
};

const nics = ['05:30', '09:30', '11:30', '13:30', '15:30'];

/** The banking day itself, or the next one in that direction (rules.md P3, R6). */
export function bankingDayFrom(day: string, step: 1 | -1): string {
  return isClosed(day) ? bankingDayFrom(dayAfter(day, step), step) : day;
}

export class Terms {
  readonly settings: Settings;
  /** The times of the runs that book (rules.md T4b): the union of both lists, in order. */
  readonly runs: readonly string[];
  private readonly lists: Readonly<Record<Kind, readonly string[]>>;

  constructor(settings: Settings = {}) {
    this.settings = settings;
    const times = settings.settlementTimes ?? nics;
    const listOf = (kind: Kind): readonly string[] =>
      'length' in times ? (times as readonly string[]) : (times[kind] ?? nics);
    this.lists = { private: listOf('private'), corporate: listOf('corporate') };
    this.runs = [...new Set(Object.values(this.lists).flat())].sort();
  }

  /** T4h: the times of all runs of a banking day, those of single products too. */
  readonly runsOf = kept((day: string): string[] => {
    const named = Object.keys(this.settings.cutOffs ?? {}).flatMap((key) => key.split(':').at(-1) ?? []);
    const currencies = [...new Set([...named.filter((name) => /^[A-Z]{3}$/.test(name)), 'XDR'])];
    const orders = (['private', 'corporate'] as const).flatMap((kind): Order[] => [
      ...(['domestic', 'inside', 'inside-kid'] as const).map((product) => ({ kind, product, currency: 'NOK' })),
      { kind, product: 'sepa', currency: 'EUR' },
      ...currencies.map((currency) => ({ kind, product: 'cross-border' as const, currency })),
    ]);
    return [...new Set([...this.runs, ...orders.flatMap((order) => this.lateRun(day, order))])].sort();
  });

  /** `2027-03-30/1`: a run is numbered among all runs of its day. */
  runId(run: string): string {
    const day = run.slice(0, 10);
    return `${day}/${this.runsOf(day).indexOf(run.slice(11)) + 1}`;
  }

  /** Whether a run tries an order (S4c, T4h). */
  tries(run: string, order: Order): boolean {
    const time = run.slice(11);
    return this.lists[order.kind].includes(time) || this.lateRun(run.slice(0, 10), order).includes(time);
  }

  /** T4h: a run of one product books nothing. */
  books(run: string): boolean {
    return this.runs.includes(run.slice(11));
  }

  /** T4h: the cut-off of an order, if it is after the last run of its customer; else none. */
  private lateRun(day: string, order: Order): string[] {
    const [first] = this.cutOffsOf(day, order).sort();
    return first !== undefined && first > (this.lists[order.kind].at(-1) ?? '') ? [first] : [];
  }

  /** R6, T4d: the day of the first run, on this day or later, that takes an order which is signed now. */
  dayOfRunFor(now: string, order: Order, from = ''): string {
    const received = this.receivedAt(now, order);
    const isIt = (run: string): boolean => run > now && run >= received && this.tries(run, order);
    return this.dayWithRun([received.slice(0, 10), from].sort().at(-1) ?? '', isIt);
  }

  /** S6: the day of the run that books what was posted at a time, the next one that books. */
  dayOfBooking(time: string): string {
    return this.dayWithRun(time.slice(0, 10), (run) => run > time && this.books(run));
  }

  /** T4d, T4e: when an order counts as received that is signed at a time: after the cut-off or on a closed day, on the next morning. */
  receivedAt(time: string, order: Order): string {
    const day = time.slice(0, 10);
    return !isClosed(day) && this.cutOffsOf(day, order).every((cutOff) => time.slice(11) <= cutOff)
      ? time
      : `${bankingDayFrom(dayAfter(day, 1), 1)} 00:00`;
  }

  /** T4f: the fixing whose rate an order gets; null: its rate stays. */
  fixingFrom(time: string): string | null {
    const { fxFixings = [] } = this.settings;
    if (fxFixings.length === 0) return null;
    for (let day = time.slice(0, 10); ; day = dayAfter(day, 1)) {
      const found = isClosed(day) ? undefined : fxFixings.find((fixing) => `${day} ${fixing}` >= time);
      if (found !== undefined) return `${day} ${found}`;
    }
  }

  /** T4d: the value date of what is executed on a day. */
  valueDay(date: string, order: Order): string {
    return this.cutOff(order).some((one) => one.endsWith('+1')) ? bankingDayFrom(dayAfter(date, 1), 1) : date;
  }

  private dayWithRun(day: string, isIt: (run: string) => boolean): string {
    const hasRun = !isClosed(day) && this.runsOf(day).some((time) => isIt(`${day} ${time}`));
    return hasRun ? day : this.dayWithRun(dayAfter(day, 1), isIt);
  }

  private cutOffsOf(day: string, order: Order): string[] {
    return [...this.earlyCloses(day, order), ...this.cutOff(order).map((one) => one.slice(0, 5))];
  }

  /** T4g, one or none: the narrowest by customer, then by currency, then by product. */
  private cutOff({ kind, product, currency }: Order): string[] {
    const { cutOffs = {} } = this.settings;
    const keys = [`${kind}:`, ''].flatMap((customer) =>
      [`:${currency}`, ''].flatMap((money) => namesOf[product].map((name) => `${customer}${name}${money}`)),
    );
    return keys.flatMap((key) => cutOffs[key] ?? []).slice(0, 1);
  }

  private earlyCloses(day: string, { kind, product }: Order): string[] {
    const next = bankingDayFrom(dayAfter(day, 1), 1);
    const names = [day, day.slice(5)];
    if (isHoliday(dayAfter(day, 1))) names.push('before-holiday');
    if (next.slice(0, 4) > day.slice(0, 4)) names.push('year-end');
    return Object.entries(this.settings.earlyClose ?? {}).flatMap(([key, time]) => {
      const [name = '', ...closing] = key.split(':');
      const isIts = closing.every((one) => one === kind || namesOf[product].includes(one));
      return names.includes(name) && isIts ? [time] : [];
    });
  }
}
