import { readFileSync } from 'node:fs';
import { dayAfter, isClosed, isHoliday } from './days.ts';

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

/** What a profile has switched on or set. */
interface ModelProfile {
  readonly settings: Settings;
  readonly quirks: Readonly<Record<string, string | boolean>>;
}

/** A listed profile, as its file has it. */
export function profileFile(id: string): ModelProfile {
  const file = new URL(`../../../fixtures/profiles/${id}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as ModelProfile;
}

/** What a cut-off depends on. */
interface Order {
  readonly product: 'domestic' | 'sepa' | 'cross-border';
  readonly currency: string;
}

export const domestic: Order = { product: 'domestic', currency: 'NOK' };

const nics = ['05:30', '09:30', '11:30', '13:30', '15:30'];

/** The banking day itself, or the next one in that direction (rules.md P3, R6). */
export function bankingDayFrom(day: string, step: 1 | -1): string {
  return isClosed(day) ? bankingDayFrom(dayAfter(day, step), step) : day;
}

export class Terms {
  readonly settings: Settings;
  /** The times of all runs of a day (rules.md T4b): the union of both lists, in order. */
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

  /** `2027-03-30/1`: a run is numbered among all runs of its day. */
  runId(run: string): string {
    return `${run.slice(0, 10)}/${this.runs.indexOf(run.slice(11)) + 1}`;
  }

  /** Whether a run tries payments of these customers (S4c). */
  tries(run: string, kind: Kind): boolean {
    return this.lists[kind].includes(run.slice(11));
  }

  /** R6, T4d: the day of the first run that takes a domestic order of these customers, signed now. */
  dayOfRunFor(now: string, kind: Kind): string {
    const received = this.receivedAt(now, domestic);
    return this.dayWithRun(received.slice(0, 10), this.lists[kind], (run) => run > now && run >= received);
  }

  /** S6: the day of the run that books what was posted at a time, the next one of all. */
  dayOfBooking(time: string): string {
    return this.dayWithRun(time.slice(0, 10), this.runs, (run) => run > time);
  }

  /** T4d, T4e: when an order counts as received that is signed at a time. */
  receivedAt(time: string, order: Order): string {
    const day = time.slice(0, 10);
    if (isClosed(day)) return time;
    const cutOffs = [...this.earlyCloses(day, order), ...this.cutOff(order).map((one) => one.slice(0, 5))];
    return cutOffs.every((cutOff) => time.slice(11) <= cutOff) ? time : `${bankingDayFrom(dayAfter(day, 1), 1)} 00:00`;
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

  private dayWithRun(day: string, times: readonly string[], isIt: (run: string) => boolean): string {
    const hasRun = !isClosed(day) && times.some((time) => isIt(`${day} ${time}`));
    return hasRun ? day : this.dayWithRun(dayAfter(day, 1), times, isIt);
  }

  /** One or none: the entry for the currency before that of the product, and the product before both foreign ones. */
  private cutOff({ product, currency }: Order): string[] {
    const { cutOffs = {} } = this.settings;
    const names = product === 'domestic' ? [product] : [product, 'foreign'];
    return [...names.map((name) => `${name}:${currency}`), ...names].flatMap((key) => cutOffs[key] ?? []).slice(0, 1);
  }

  private earlyCloses(day: string, { product }: Order): string[] {
    const next = bankingDayFrom(dayAfter(day, 1), 1);
    const names = [day, day.slice(5)];
    if (isHoliday(dayAfter(day, 1))) names.push('before-holiday');
    if (next.slice(0, 4) > day.slice(0, 4)) names.push('year-end');
    return Object.entries(this.settings.earlyClose ?? {}).flatMap(([key, time]) => {
      const [name = '', closing] = key.split(':');
      const isIts = closing === undefined || closing === product || (closing === 'foreign' && product !== 'domestic');
      return names.includes(name) && isIts ? [time] : [];
    });
  }
}
