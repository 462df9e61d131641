import { readFileSync } from 'node:fs';
import type { inspectAccount } from '../../engine/sandbox-data/inspect-accounts.ts';
import { addDays, daysBetween, localDate, type LocalDate, weekday } from '../../engine/values/local-date.ts';

type Entry = Awaited<ReturnType<typeof inspectAccount>>['entries'][number];

/** A purchase or a refund as its text tells it: `12.03 KLESKROKEN`. */
interface Bought {
  readonly day: LocalDate;
  readonly shop: string;
  /** Øre, a debit below zero. */
  readonly amount: bigint;
}

const holidays = new Map(
  readFileSync('tests/data/norway-holidays.tsv', 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([day = '', name = '']) => [day, name]),
);

function isClosed(day: LocalDate): boolean {
  return weekday(day) === 7 || holidays.has(day);
}

/** What may sell on Sundays and holidays (helligdagsfredloven § 5), what needs nobody, and shops abroad. */
const mayBeOpen =
  /KIOSK|BAKERI|KAFFE|KAFÉ|SPISERI|PIZZERIA|RISBOLLEN|BENSIN|DRIVSTOFF|BUSS|TOGLINJEN|FERGE|BÅTEN|SYKKEL|TILHENGER|MINIBANK|HOTELL|LUNSJBAR|GJESTEGÅRD|NATTAPOTEK|\.EXAMPLE$/;
const abroad = /(ROMA|LISBOA|MALAGA|STRÖMSTAD|BERLIN|KBH|LAS PALMAS)$/;
const fares = /FJORDFLY|SKAGERRAKFERGEN|ØRESUNDSBÅTEN|SOLBYEN/;
/** A package has the hotel in its price. */
const nights = /HOTEL|HOSTEL|ALBERGO|SOLBYEN/;
/** `12.03 KIOSK`, and `*1044 12.03 EUR 18.50 TRATTORIA ROMA Kurs: 11.8300`. */
const purchaseText = /^(?:\*\d{4} )?(\d\d)\.(\d\d) ([A-Z]{3} \d+\.\d\d )?(.+?)(?: Kurs: \d+\.\d{4})?$/;
const cafes = /^(?!KIOSK HOVED).*(?:KIOSK|BAKERI|KAFFEB|SPISERI|PIZZERIA|RISBOLLEN|KAFÉ LYKTA)/;
const offices = /LEGESENTER|LUNSJBAR/;
/** What costs the same each time. */
const subscriptions = /STRØMMLY|TONESTRØM|ORDLEK/;
/** What is bought from anywhere. */
const online = /\.EXAMPLE$/;

/** Counts what was looked at. */
export type Counts = Record<string, number>;

/**
 * The rules of L9 that these entries of an account break, each in a line. They are read from texts and amounts alone. `isWhole`: the account never
 * lacked funds, so that no day of a trip is without a purchase.
 */
export function brokenInNorway(entries: readonly Entry[], isWhole: boolean, counts: Counts = {}): string[] {
  const broken: string[] = [];
  const demand = (what: string, holds: boolean, detail: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
    if (!holds) broken.push(`${what}: ${detail}`);
  };
  const bought = entries.flatMap(({ text, bookingDate, amount }): Bought[] => {
    const [, day, month, , shop = ''] = purchaseText.exec(text) ?? [];
    if (day === undefined || month === undefined) return [];
    const year = Number(bookingDate.slice(0, 4)) - (month > bookingDate.slice(5, 7) ? 1 : 0);
    return [{ day: localDate(`${year}-${month}-${day}`), shop, amount: amount.minor }];
  });
  const purchases = bought.filter(({ amount }) => amount < 0n);
  for (const { day, shop, amount } of purchases) {
    if (shop.startsWith('MINIBANK'))
      demand('cash in hundreds', amount % 10_000n === 0n && amount <= -20_000n, `${day} ${amount}`);
    if (isClosed(day))
      demand('open on closed days', mayBeOpen.test(shop) || abroad.test(shop), `${shop} sold on ${day}`);
    const [name, isWeekend] = [holidays.get(day) ?? '', weekday(day) > 5];
    if (/^Første|Langfredag|Julaften/.test(name))
      demand('cafés close on high holidays', !cafes.test(shop), `${shop} ${day}`);
    if (offices.test(shop)) demand('offices open on weekdays', name === '' && !isWeekend, `${shop} ${day}`);
  }
  const refunded = new Set<Bought>();
  for (const refund of bought.filter(({ amount }) => amount > 0n)) {
    const of = purchases.find((one) => {
      const days = daysBetween(one.day, refund.day);
      return !refunded.has(one) && one.shop === refund.shop && days >= 1 && days <= 20 && -one.amount >= refund.amount;
    });
    if (of !== undefined && of.amount % 100n === 0n)
      demand('a refund of whole kroner', refund.amount % 100n === 0n, `${refund.day} ${refund.shop} ${refund.amount}`);
    // The purchase may be of before the entries.
    const first = purchases.map(({ day }) => day).toSorted()[0] ?? refund.day;
    if (of !== undefined) refunded.add(of);
    demand(
      'refund of a purchase',
      of !== undefined || daysBetween(first, refund.day) < 25,
      JSON.stringify({ ...refund, amount: `${refund.amount}` }),
    );
  }
  for (const trip of tripsOf(purchases)) {
    const [from, to] = [trip[0]?.day, trip.at(-1)?.day];
    if (from === undefined || to === undefined) continue;
    const places = new Set(trip.map(({ shop }) => abroad.exec(shop)?.[1]));
    demand('a trip is to one place', places.size === 1, `${from} to ${to}: ${[...places].join()}`);
    const home = purchases.filter(
      ({ day, shop }) => day >= from && day <= to && !abroad.test(shop) && !online.test(shop) && !fares.test(shop),
    );
    demand('nothing at home on a trip', home.length === 0, `${from} to ${to}: ${home.map(({ shop }) => shop).join()}`);
    const hasFare = purchases.some(({ shop, day }) => fares.test(shop) && day < from && daysBetween(day, from) <= 30);
    demand('a ticket before a trip', hasFare, from);
    const hasBed = purchases.some(({ shop, day }) => nights.test(shop) && daysBetween(day, to) <= 50 && day <= to);
    const days = new Set(trip.map(({ day }) => day)).size;
    // The last purchases may be reserved still.
    const isBooked = daysBetween(to, entries.at(-1)?.bookingDate ?? to) > 9;
    if (isWhole && isBooked)
      demand('the days of a trip follow each other', days === daysBetween(from, to) + 1, `${from} to ${to}`);
    if (isWhole && isBooked) demand('the nights of a trip are paid', from === to || hasBed, `${from} to ${to}`);
  }
  const trips = Map.groupBy(tripsOf(purchases), ([first]) => first?.day.slice(0, 4));
  for (const [year, ofYear] of trips) demand('at most four trips a year', ofYear.length <= 4, String(year));
  for (const [shop, paid] of Map.groupBy(purchases, (one) => one.shop))
    if (subscriptions.test(shop))
      demand('a subscription has one price', new Set(paid.map(({ amount }) => amount)).size === 1, shop);
  const power = (month: string): readonly number[] =>
    entries
      .filter(({ text, bookingDate }) => /^Strøm |Elvekraft/.test(text) && bookingDate.slice(5, 7) === month)
      .map(({ amount }) => Number(-amount.minor));
  const [january, july] = [power('01'), power('07')].map((all) => all.reduce((sum, one) => sum + one, 0) / all.length);
  if (january !== undefined && july !== undefined && Number.isFinite(january / july))
    demand('electricity by month', january / july > 2.2 && january / july < 4.2, `${january} and ${july}`);
  const settled = entries.filter(({ text }) => text === 'Terminaloppgjør AS');
  for (const [day, ofDay] of Map.groupBy(settled, ({ bookingDate }) => bookingDate)) {
    const sum = (isFee: boolean): bigint =>
      ofDay.reduce((all, { amount: { minor } }) => (minor < 0n === isFee ? all + minor : all), 0n);
    // To the øre, for each day whose sales are settled.
    const rest = sum(false) + sum(true) * 100n;
    const isPercent = rest >= 0n && rest < 50n * BigInt(ofDay.length);
    if (isWhole) demand('the fee of a terminal is a per cent', isPercent, `${day}: ${sum(true)}`);
  }
  for (const { text } of entries) if (/Vipps/i.test(text)) demand('Vipps has a message', text !== 'Vipps', text);
  const texts = new Set(entries.map(({ text }) => text));
  demand('one kind of housing costs', !(texts.has('Felleskostnader') && texts.has('Kommunale avgifter')), 'both');
  return broken;
}

/** Purchases abroad that are at most a few days apart, in order of their days. */
function tripsOf(purchases: readonly Bought[]): Bought[][] {
  const trips: Bought[][] = [];
  for (const one of purchases.filter(({ shop }) => abroad.test(shop)).toSorted((a, b) => (a.day < b.day ? -1 : 1))) {
    const last = trips.at(-1);
    const end = last?.at(-1)?.day;
    if (end !== undefined && one.day <= addDays(end, 3)) last?.push(one);
    else trips.push([one]);
  }
  return trips;
}

/** The lowest balance after an entry, in øre; the opening entry counts. */
export function lowestOf(entries: readonly Entry[]): bigint {
  return entries.reduce(
    (low, { balance }) => (balance.minor < low ? balance.minor : low),
    entries[0]?.balance.minor ?? 0n,
  );
}
