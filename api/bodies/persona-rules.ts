import { isBban, isBbanMod11, parseIban } from '../../engine/values/account-number.ts';
import { clockRange } from '../../engine/time/rules/bank-clock.ts';
import { osloDate } from '../../engine/values/instant.ts';
import { parseLocalDate } from '../../engine/values/local-date.ts';
import { isCurrency, parseAmount } from '../../engine/values/money.ts';
import { parseRate } from '../../engine/values/price-list.ts';
import {
  type Kind,
  kinds,
  membersOf,
  membersOfOccasion,
  type MembersOfKind,
  type Role,
  roles,
} from '../../engine/life/rules/persona.ts';
import { type BodyRule, faultAt, formatValue, listed, memberOf, type Members, type RuleFault } from './rule.ts';

/* Rules of a persona that its schema cannot say. */

/** Kinds that have a day. */
const kindsWithDay: readonly unknown[] = kinds.filter((kind) => !['transfer', 'card', 'trip'].includes(kind));
const anyMember = new Set(Object.values<MembersOfKind>(membersOf).flatMap(({ must, may }) => [...must, ...may]));

const waysOfWhen = ['days', 'perMonth', 'perYear', 'everyOpenDay', 'everyWeek'];

function oneWayOfWhen(members: Members): readonly RuleFault[] {
  const ways = waysOfWhen.filter((member) => members[member] !== undefined);
  if (ways.length === 0 && Object.keys(members).join() === 'months') return [];
  if (members['weekdays'] !== undefined && !isRare(members))
    return faultAt('weekdays', 'Only perMonth up to 3 and perYear up to 52 have weekdays. Leave it out.');
  if (ways.length !== 1) return faultAt('', `An event has exactly one of ${waysOfWhen.join(', ')}. Send one of them.`);
  if (members['days'] === undefined) {
    if (members['rule'] !== undefined) return faultAt('rule', 'Only days have rule. Leave it out, or send days.');
    if (members['months'] === undefined || members['perMonth'] !== undefined) return [];
    return faultAt('months', 'Only days and perMonth have months. Leave it out, or send one of these.');
  }
  if (members['closedOn'] !== undefined) return faultAt('closedOn', 'Days have a rule. Leave closedOn out.');
  if (members['rule'] !== undefined) return [];
  return faultAt('rule', 'Days need a rule. Send preceeding, following or "month end".');
}

/** Whether each time has a week or more of its period. */
function isRare({ perMonth = Infinity, perYear = Infinity }: Members): boolean {
  return Number(perMonth) <= 3 || Number(perYear) <= 52;
}

/** A season is of a text of the event, and the text in its place is no other's. */
function seasonsOfTexts({ texts, seasons }: Members): readonly RuleFault[] {
  const own: readonly unknown[] = Array.isArray(texts) ? texts : [];
  const sent = [...own, ...listed(seasons).map(({ instead }) => instead)];
  return listed(seasons).flatMap(({ text, instead }, index) => {
    if (!own.includes(text)) return faultAt(`seasons[${index}].text`, 'The event has no such text.');
    const isNew = sent.indexOf(instead) === own.length + index;
    return isNew ? [] : faultAt(`seasons[${index}].instead`, 'It is sent already. Send another text.');
  });
}

function membersOfKind(members: Members): readonly RuleFault[] {
  const { kind, event: _event, when, category: _category, on: _on, ...others } = members;
  if (!kinds.some((known) => known === kind)) return [];
  const { must, may }: MembersOfKind = membersOf[kind as Kind];
  const missing = must.filter((member) => others[member] === undefined);
  const strange = Object.keys(others).filter((member) => anyMember.has(member) && ![...must, ...may].includes(member));
  const { rule, months } = Object(when) as Members;
  const isOrdered = kind === 'standing order' || kind === 'bulk';
  const wrongDay =
    isOrdered && rule === 'month end' ? ['rule'] : kind === 'standing order' && months !== undefined ? ['months'] : [];
  const theKind = `The kind "${String(kind)}"`;
  return [
    ...missing.flatMap((member) => faultAt(member, `${theKind} needs ${member}, which is missing.`)),
    ...strange.flatMap((member) => faultAt(member, `${theKind} has no ${member}. Leave it out.`)),
    ...wrongDay.flatMap((member) =>
      faultAt(
        `when.${member}`,
        `${theKind} takes no such ${member}: the bank pays each month, before or after a closed day.`,
      ),
    ),
    ...(typeof when === 'object' ? wayOfKind(kind as Kind, Object(when) as Members) : []),
  ];
}

/** A trip has months alone, and what is on days has those. */
function wayOfKind(kind: Kind, when: Members): readonly RuleFault[] {
  if (kindsWithDay.includes(kind) && when['days'] === undefined)
    return faultAt('when', `The kind "${kind}" has days. Send days and a rule.`);
  const isTrip = kind === 'trip';
  if (isTrip === (Object.keys(when).join() === 'months')) return [];
  const ways = isTrip ? 'months alone' : waysOfWhen.join(', ');
  return faultAt('when', `The kind "${kind}" has ${ways}.`);
}

function knownCurrency({ currency, rate }: Members): readonly RuleFault[] {
  const isOther = typeof currency !== 'string' || (isCurrency(currency) && currency !== 'NOK');
  const isRate = typeof rate !== 'string' || (parseRate(rate)?.scale ?? 7) <= 6;
  return [
    ...(isOther
      ? []
      : faultAt('currency', `${formatValue(currency)} is no currency other than NOK. Send its ISO 4217 code.`)),
    ...(isRate ? [] : faultAt('rate', `${formatValue(rate)} is no rate above zero with at most 6 fraction digits.`)),
  ];
}

/** Amounts in their currency, not zero, within a million; both ends of a range on one side of zero. */
function amountsOfEvent(members: Members): readonly RuleFault[] {
  const code = memberOf(members['foreign'], 'currency');
  const currency = typeof code === 'string' && isCurrency(code) ? code : 'NOK';
  const signs = new Map<string, boolean>();
  const faults: RuleFault[] = [];
  const check = (member: string, value: unknown, wanted: 'debit' | 'credit' | null, unit = currency): void => {
    const refuse = (why: string) => faults.push({ member, text: `${formatValue(value)} is ${why}.` });
    if (typeof value !== 'string') return;
    const read = parseAmount(value, unit);
    if (typeof read === 'string') refuse(`refused: ${read}`);
    else if (read.minor === 0n || read.minor > maxAmount || read.minor < -maxAmount)
      refuse('zero, or beyond ten million. Send another amount');
    else if (wanted !== null && read.minor < 0n !== (wanted === 'debit'))
      refuse(`${wanted === 'debit' ? 'above' : 'below'} zero. Turn its sign`);
    else signs.set(member, read.minor < 0n);
  };
  const isDebit = members['isDebit'] === true || members['kind'] === 'left over';
  const wantedSign = members['kind'] === 'standing order' ? 'credit' : isDebit ? 'debit' : null;
  check('amount', members['amount'], wantedSign);
  check('upTo', members['upTo'], null);
  check('roundTo', members['roundTo'], 'credit');
  check('keeps', members['keeps'], 'credit', 'NOK');
  check('reserved', members['reserved'], 'debit', 'NOK');
  listed(members['payees']).forEach((payee, index) => check(`payees[${index}].amount`, payee['amount'], 'credit'));
  const isMixed = signs.has('amount') && signs.has('upTo') && signs.get('amount') !== signs.get('upTo');
  if (isMixed)
    faults.push({ member: 'upTo', text: 'amount and upTo are on both sides of zero. Send two debits or two credits.' });
  return faults;
}

/** An amount of NOK, of either sign, or zero. */
function amountIn(member: string, value: unknown): readonly RuleFault[] {
  const read = typeof value === 'string' ? parseAmount(value, 'NOK') : null;
  return typeof read === 'string' ? faultAt(member, `${formatValue(value)} is refused: ${read}.`) : [];
}

/** {@link amountsOfEvent}, of what costs money. */
function amountsOfDebit(members: Members): readonly RuleFault[] {
  return amountsOfEvent({ ...members, kind: 'card', isDebit: true });
}

function daysOfPlace({ days }: Members): readonly RuleFault[] {
  const [shortest, longest] = Array.isArray(days) ? (days as readonly unknown[]) : [];
  if (typeof shortest !== 'number' || typeof longest !== 'number' || shortest <= longest) return [];
  return faultAt('days', 'The fewest days are more than the most. Send the smaller number first.');
}

/** One account of a role, amounts of NOK, and transfers from an earlier role to a later one. */
function accountsOfHousehold({ household, events }: Members): readonly RuleFault[] {
  const accounts = listed(household);
  const given = accounts.map(({ role }) => role);
  const twice = accounts.flatMap(({ role }, index) => {
    if (role !== 'shared' && given.indexOf(role) === index) return [];
    return faultAt(`household[${index}].role`, `There is an account ${String(role)} already. Leave it out.`);
  });
  const wrong = accounts.flatMap((account, index) =>
    ['balance', 'creditLine'].flatMap((member) => amountIn(`household[${index}].${member}`, account[member])),
  );
  const back = listed(events).flatMap(({ on = 'shared', to }, index) => {
    if (to === undefined || roles.indexOf(to as Role) > roles.indexOf(on as Role)) return [];
    const text = `Money goes from an earlier account to a later one: ${roles.join(', ')}.`;
    return faultAt(`events[${index}].to`, text);
  });
  return [...twice, ...wrong, ...back];
}

/** The first and the last day of a bank clock. */
const [firstDay, lastDay] = [osloDate(clockRange.from), osloDate(clockRange.to)];

function dayOfBank(member: string, value: unknown): readonly RuleFault[] {
  const date = typeof value === 'string' ? parseLocalDate(value) : null;
  if (date === null || (date >= firstDay && date <= lastDay)) return [];
  return faultAt(member, `${date} is no day of a bank. Send one from ${firstDay} to ${lastDay}.`);
}

function membersOfOneOccasion({ on: _on, what, ...members }: Members): readonly RuleFault[] {
  const must: readonly string[] | undefined = Object.hasOwn(membersOfOccasion, String(what))
    ? membersOfOccasion[what as keyof typeof membersOfOccasion].must
    : undefined;
  const own = ['event', 'days', 'amount', 'party'];
  return own.flatMap((member) => {
    if (must === undefined || must.includes(member) === (members[member] !== undefined)) return [];
    const text = must.includes(member) ? 'needs' : 'has no';
    return faultAt(member, `The occasion "${String(what)}" ${text} ${member}.`);
  });
}

/** Occasions are of events of the persona, of a kind that can have them. */
function eventsOfOccasions({ occasions, events }: Members): readonly RuleFault[] {
  return listed(occasions).flatMap(({ what, event: name, amount: price }, index) => {
    if (typeof name !== 'string' || !Object.hasOwn(membersOfOccasion, String(what))) return [];
    const kindsOfIt: readonly unknown[] = membersOfOccasion[what as keyof typeof membersOfOccasion].kinds;
    const event = listed(events).find((each) => each['event'] === name);
    const member = `occasions[${index}].event`;
    if (event === undefined) return faultAt(member, `There is no event ${name}.`);
    if (!kindsOfIt.includes(event['kind'])) {
      const is = `The event ${name} is of the kind "${String(event['kind'])}".`;
      return faultAt(member, `${is} Send one of: ${kindsOfIt.join(', ')}.`);
    }
    if (what === 'late' && memberOf(event['when'], 'days') === undefined)
      return faultAt(member, `The event ${name} has no day. Send one that has days.`);
    if (price === undefined) return [];
    const faults = amountsOfEvent({ ...event, amount: price });
    return faults.flatMap(({ text }) => faultAt(`occasions[${index}].amount`, text));
  });
}

/** At most four trips a year, in months of their own, so that they do not overlap (rules.md L9). */
function fewTrips({ events }: Members): readonly RuleFault[] {
  const seen = new Set<unknown>();
  return listed(events).flatMap(({ kind, when }, index) => {
    const months = memberOf(when, 'months');
    if (kind !== 'trip' || !Array.isArray(months)) return [];
    const isTwice = months.some((month) => seen.has(month));
    for (const month of months as readonly unknown[]) seen.add(month);
    if (!isTwice && seen.size <= 4) return [];
    const text = 'A year has at most four trips, in different months. Send fewer months.';
    return faultAt(`events[${index}].when.months`, text);
  });
}

const maxAmount = 1_000_000_000n;

/** Norwegian account numbers have their check digit. A payment needs one; a transfer may go abroad. */
function numbersOfEvent({ kind, parties, party, payees }: Members): readonly RuleFault[] {
  return [
    ...listed(parties).flatMap((each, index) => numberOfParty(`parties[${index}]`, each, false)),
    ...numberOfParty('party', party, kind === 'standing order'),
    ...listed(payees).flatMap((each, index) => numberOfParty(`payees[${index}]`, each, true)),
  ];
}

function numberOfParty(where: string, party: unknown, needsOne: boolean): readonly RuleFault[] {
  const number = memberOf(party, 'account');
  const member = `${where}.account`;
  if (number === undefined && needsOne && typeof party === 'object')
    return faultAt(member, 'A payment needs the account of its payee, which is missing.');
  if (typeof number !== 'string') return [];
  const isAbroad = !isBban(number) && typeof parseIban(number) !== 'string' && !/\s/.test(number);
  if (isBbanMod11(number) || (isAbroad && !needsOne)) return [];
  const text = `${formatValue(number)} is no account number with its mod-11 check digit. Send one of 11 digits.`;
  return faultAt(member, text);
}

function eventNames({ events }: Members): readonly RuleFault[] {
  const seen = new Set<unknown>();
  return listed(events).flatMap(({ event, when: days, drawnWith }, index) => {
    const isNew = !seen.has(event);
    seen.add(event);
    const other = listed(events).find((each) => each['event'] === drawnWith);
    if (drawnWith !== undefined && JSON.stringify(other?.['when']) !== JSON.stringify(days))
      return faultAt(`events[${index}].drawnWith`, 'There is no event of this name with the same days.');
    if (isNew || typeof event !== 'string') return [];
    return faultAt(`events[${index}].event`, `There is an event ${event} already. Send another name.`);
  });
}

/** The most events of a month: ten years of a life are booked at once. */
const maxPerMonth = 1_000;

/** The days of a month on which shops are open: all but Sundays and holidays, at most. */
const openDaysPerMonth = 27;

function notTooMany({ events }: Members): readonly RuleFault[] {
  const counts = listed(events).map(({ when: wanted }) => {
    const [perMonth, perYear] = [memberOf(wanted, 'perMonth'), memberOf(wanted, 'perYear')];
    if (memberOf(wanted, 'everyOpenDay') !== undefined) return openDaysPerMonth;
    if (memberOf(wanted, 'everyWeek') !== undefined) return 5;
    return typeof perMonth === 'number' ? perMonth : typeof perYear === 'number' ? perYear / 12 : 1;
  });
  const all = counts.reduce((sum, one) => sum + one, 0);
  if (all <= maxPerMonth) return [];
  return faultAt('events', `The events are about ${Math.round(all)} a month; at most ${maxPerMonth} a month.`);
}

/**
 * A category rises in one way (rules.md L14). A ledger may have a persona from before this rule: its second rise has no
 * effect.
 */
function risesOnce({ rises }: Members): readonly RuleFault[] {
  const seen = new Set<unknown>();
  return listed(rises).flatMap(({ categories }, index) =>
    (Array.isArray(categories) ? categories : []).flatMap((category, place) => {
      const isNew = !seen.has(category);
      seen.add(category);
      if (isNew) return [];
      const text = `${String(category)} rises already. Leave it out.`;
      return faultAt(`rises[${index}].categories[${place}]`, text);
    }),
  );
}

function netAmount({ netPerYear }: Members): readonly RuleFault[] {
  return amountIn('netPerYear', netPerYear);
}

/** Rules over several members, by the object that has them. */
export const personaRules = {
  persona: [eventNames, risesOnce, netAmount, notTooMany, fewTrips, accountsOfHousehold, eventsOfOccasions],
  currency: [knownCurrency],
  event: [membersOfKind, amountsOfEvent, numbersOfEvent, seasonsOfTexts],
  bought: [amountsOfDebit],
  occasion: [
    membersOfOneOccasion,
    ({ party }) => numberOfParty('party', party, false),
    ({ on }) => dayOfBank('on', on),
  ],
  place: [daysOfPlace],
  rise: [({ since }) => dayOfBank('since', since)],
  when: [oneWayOfWhen],
} satisfies Readonly<Record<string, readonly BodyRule[]>>;
