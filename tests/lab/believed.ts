import { listedPersona } from '../../api/start/fixtures.ts';
import { beginLife } from '../../engine/life/begin-life.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { inspectAccount } from '../../engine/sandbox-data/inspect-accounts.ts';
import { truthOf } from '../../engine/sandbox-data/life-truth.ts';
import { startOfDay } from '../../engine/values/instant.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { memoryBank } from './bank.ts';
import { accountOf, holder, residing } from './lived-bank.ts';
import { rowsIn } from './rows.ts';
import { dayAfter, daysFrom, easterDay, weekdayOf } from './simulation/days.ts';

/* What somebody who reads accounts measures in them (rules.md L3b, L9b): a year that was made and a year that was lived, by eight seeds. */

/** A booked transaction as its reader sees it, with what the truth says of it. Kroner. */
export interface Read {
  readonly booked: string;
  /** The day of a purchase, by its text; else that of the booking. */
  readonly day: string;
  readonly amount: number;
  readonly balance: number;
  readonly text: string;
  /** What a person wrote; else empty. */
  readonly message: string;
  /** Of a purchase; else empty. */
  readonly shop: string;
  readonly event: string;
  readonly category: string;
  readonly place: string | null;
  /** `INDEX.PERIOD.NUMBER`, and what follows it; empty of a payment. */
  readonly key: string;
}

/** A life of two years, of which the first was made. */
export interface ReadLife {
  readonly made: readonly Read[];
  readonly lived: readonly Read[];
  /** What its runs did with each standing order, the dearest first: how many payments settled, and how many failed. */
  readonly orders: readonly { readonly settled: number; readonly failed: number }[];
}

export const seeds = 8;
export const [first, turn, last] = ['2026-01-12', '2027-01-12', '2028-01-12'];

/** Balance and credit line of the day on which the made year ends. */
const funds: Readonly<Record<string, readonly [string, string]>> = {
  family: ['42350.00', '0.00'],
  pensioner: ['21400.00', '0.00'],
  student: ['15796.00', '0.00'],
  'short-of-funds': ['1240.00', '5000.00'],
  shop: ['306400.00', '0.00'],
};

/** Eight lives of a listed persona. */
export async function livesOf(name: string): Promise<ReadLife[]> {
  const persona = await listedPersona(name);
  const residents = residing([persona], seeds);
  const [balance = '0.00', creditLine = '0.00'] = funds[name] ?? [];
  const accounts = residents.map(({ number }) => ({ ...accountOf(number), balance, creditLine }));
  const bank = await memoryBank(`${turn}T10:00:00+01:00`, {
    ids: { seed: 'believed' },
    preparedLedger: null,
    knownState: { customers: [{ ...holder, accounts }], agreements: [] },
  });
  for (const [index, { number }] of residents.entries())
    await beginLife(bank, number, { persona, seed: `believed ${index}`, months: 12 });
  await advanceClock(bank, startOfDay(localDate(last)));
  const all = { from: null, to: null };
  const lives: ReadLife[] = [];
  for (const { number } of residents) {
    const truths = new Map((await truthOf(bank, number, all)).map((truth) => [truth.transactionId, truth]));
    const messages = new Map(
      (
        await rowsIn<{ event: string; message: string | null }>(
          bank,
          `select d.event, json_extract(d.details, '$.remittanceInformationUnstructured') as message from direct_posting d
            join entry e on e.direct_posting_id = d.id join account a on a.id = e.account_id where a.bban = ?`,
          [number],
        )
      ).map(({ event, message }) => [event, message]),
    );
    const { entries } = await inspectAccount(bank, number, all);
    const read = entries.slice(1).map((entry): Read => {
      const { bookingDate: booked, amount, text, transactionId } = entry;
      const { event, category, trip } = truths.get(transactionId ?? '') ?? { event: null, category: null, trip: null };
      const [, day, month, rest = ''] = /^(?:\*\d{4} )?(\d\d)\.(\d\d) (.*)$/.exec(text) ?? [];
      const year = Number(booked.slice(0, 4)) - ((month ?? '') > booked.slice(5, 7) ? 1 : 0);
      const shop = rest.replace(/^[A-Z]{3} [\d.]+ /, '').replace(/ Kurs: [\d.]+$/, '');
      return {
        booked,
        day: day === undefined ? booked : `${year}-${month}-${day}`,
        amount: Number(amount.minor) / 100,
        balance: Number(entry.balance.minor) / 100,
        text,
        shop,
        event: event ?? '',
        category: category ?? '',
        place: trip,
        key: entry.event ?? '',
        message: messages.get(entry.event ?? '') ?? '',
      };
    });
    const orders = await rowsIn<ReadLife['orders'][number]>(
      bank,
      `select sum(x.status = 'ACSC') as settled, sum(x.status = 'RJCT') as failed
        from execution x join payment p on p.id = x.payment_id join account a on a.id = x.debtor_account_id
        where a.bban = ? and p.service = 'periodic-payments' group by p.id order by max(x.amount_minor) desc`,
      [number],
    );
    lives.push({
      made: read.filter(({ booked }) => booked < turn),
      lived: read.filter(({ booked }) => booked >= turn),
      orders,
    });
  }
  await bank.close();
  return lives;
}

/** Both years in one list. */
export function both({ made, lived }: ReadLife): readonly Read[] {
  return [...made, ...lived];
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The largest saving of a month of the made year, as a multiple of the median of its months. */
export function largestSaving({ made }: ReadLife): number {
  const saved = made.filter(({ event, category }) => category === 'savings' || event === 'left-over');
  const months = Map.groupBy(saved, ({ booked }) => booked.slice(0, 7));
  const sums = [...months.values()].map((some) => -sum(some.map(({ amount }) => amount)));
  return sums.length === 0 ? 0 : Math.max(...sums) / median(sums);
}

/** What stood on the account before each salary. */
export function beforePaydays(life: ReadLife): number[] {
  const lines = both(life);
  return lines.flatMap(({ event, balance, amount }) =>
    /^(?:salary|holiday-pay)/.test(event) ? [balance - amount] : [],
  );
}

/** Purchases at home and by card. */
export function purchases(life: ReadLife): Read[] {
  return both(life).filter(({ shop, place, amount }) => shop !== '' && place === null && amount < 0);
}

const grocers = /NÆRMAT|KURV OG KASSE|DAGLIGHANDEL|BYGDAMAT|STORMARKEDET/;

/** Of each 23 December and each Wednesday before Easter: purchases, those of the median day of its week, and purchases at grocers. */
export function busyDays(life: ReadLife): { day: string; bought: number; usual: number; grocers: number }[] {
  const bought = purchases(life);
  const years = [2026, 2027];
  return years
    .flatMap((year) => [`${year}-12-23`, dayAfter(easterDay(year), -4)])
    .map((day) => {
      const on = (one: string): Read[] => bought.filter((each) => each.day === one);
      const monday = dayAfter(day, -((weekdayOf(day) + 6) % 7));
      const week = [0, 1, 2, 3, 4, 5, 6].map((more) => on(dayAfter(monday, more)).length);
      return {
        day,
        bought: on(day).length,
        usual: median(week),
        grocers: on(day).filter(({ shop }) => grocers.test(shop)).length,
      };
    });
}

/** Days from each weekly shopping to the next one. */
export function daysBetween(lines: readonly Read[]): number[] {
  const days = lines.map(({ day }) => day).toSorted();
  return days.slice(1).map((day, place) => daysFrom(days[place] ?? day, day));
}

/** The share of grocery amounts that recur to the øre at another chain, in each year. */
export function recurringAmounts(life: ReadLife): number {
  const shares = [life.made, life.lived].map((year) => {
    const bought = year.filter(({ shop, category }) => category === 'groceries' && grocers.test(shop));
    const chains = Map.groupBy(bought, ({ amount }) => amount);
    const recurring = bought.filter(({ amount, shop }) => chains.get(amount)?.some((other) => other.shop !== shop));
    return recurring.length / Math.max(1, bought.length);
  });
  return Math.max(...shares);
}

/** What each trip cost a day, without its ticket and its nights. */
export function perDayOfTrips(life: ReadLife): number[] {
  const abroad = both(life).filter(({ place, amount, key }) => place !== null && amount < 0 && !/\.0$/.test(key));
  const trips = Map.groupBy(abroad, ({ key }) => key.split('.').slice(0, 2).join('.'));
  return [...trips.values()].map((lines) => {
    const days = lines.map(({ day }) => day).toSorted();
    const length = daysFrom(days[0] ?? '', days.at(-1) ?? '') + 1;
    // Nights are the dearest of several days.
    const nights = length === 1 ? 0 : Math.max(...lines.map(({ amount }) => -amount));
    return (-sum(lines.map(({ amount }) => amount)) - nights) / length;
  });
}
