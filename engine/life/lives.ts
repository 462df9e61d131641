import { requireAccountByNumber } from '../accounts/customer-accounts.ts';
import type { BankContext } from '../bank/bank-context.ts';
import type { Reader } from '../ledger/database.ts';
import type { RunSchedule } from '../time/rules/settlement-run.ts';
import { Refusal } from '../values/fault.ts';
import {
  bookedByLives,
  type InterestPeriod,
  livedAccounts,
  type LivedAccount,
  type LifeBookings,
  storedPersona,
} from './rows/lives.ts';
import { bankState } from '../bank/rows/bank-state.ts';
import { lastEntry } from '../accounts/rows/entries.ts';
import { Course } from './rules/life-on.ts';
import { Almanac } from './rules/occasions.ts';
import { type Life, livedAs, type Persona, type Role } from './rules/persona.ts';
import { assert } from '../values/assert.ts';
import { addDays } from '../values/local-date.ts';
import { type Instant, osloDate } from '../values/instant.ts';

/** An account with a life, ready to be lived. */
export interface Living {
  readonly row: LivedAccount;
  readonly persona: LivedPersona;
  readonly course: Course;
}

/** A persona with its days, and the lives that have it. */
interface LivedPersona {
  /** With the events of its own account alone. */
  readonly persona: Persona;
  /** Every event of the household. */
  readonly whole: Persona;
  readonly almanac: Almanac;
  readonly courses: Map<string, Course>;
}

/**
 * Personas of a bank by their role and JSON. Every transaction that lets lives happen uses them again: an almanac has
 * worked out its months, and a course its last days.
 */
const personasOfBanks = new WeakMap<RunSchedule, Map<string, LivedPersona>>();

/** Maximum number of personas of a bank, counted by role, and of lives of each: 30 KB each while they go on. */
const maxKept = { personas: 200, lives: 2_000 };

/** A persona that is stored as this JSON. */
export function personaOf(content: string, role: Role | null, schedule: RunSchedule): LivedPersona {
  let personas = personasOfBanks.get(schedule);
  if (personas === undefined) personasOfBanks.set(schedule, (personas = new Map()));
  const key = `${role} ${content}`;
  let found = personas.get(key);
  if (found === undefined) {
    if (personas.size >= maxKept.personas) personas.clear();
    const whole = JSON.parse(content) as Persona;
    const persona = livedAs(whole, role);
    const almanac = new Almanac(persona, schedule.calendar);
    personas.set(key, (found = { persona, whole, almanac, courses: new Map() }));
  }
  return found;
}

/** The course of a life of this persona. */
export function courseOf(
  { persona, almanac, courses }: LivedPersona,
  { seed, account, holder, role, others }: Omit<Life, 'persona'>,
  schedule: RunSchedule,
): Course {
  const key = JSON.stringify([seed, account, holder, others]);
  let course = courses.get(key);
  if (course === undefined) {
    if (courses.size >= maxKept.lives) courses.clear();
    courses.set(key, (course = new Course({ persona, seed, account, holder, role, others }, almanac, schedule)));
  }
  return course;
}

/** The personas that a transaction has read, by their keys and roles. */
export type PersonasRead = Map<string, LivedPersona>;

/**
 * All lives of a bank, or those of all accounts of a household; the oldest first, with the balances of their accounts.
 */
export async function livesOf(
  { schedule }: BankContext,
  reader: Reader,
  household?: readonly number[],
  personas: PersonasRead = new Map(),
): Promise<Living[]> {
  const rows = await livedAccounts(reader, household);
  const keyOf = ({ persona_id: id, role }: LivedAccount): string => `${id} ${role}`;
  for (const row of rows) {
    if (personas.has(keyOf(row))) continue;
    personas.set(keyOf(row), personaOf(await storedPersona(reader, row.persona_id), row.role, schedule));
  }
  const households = Map.groupBy(rows, (row) => row.household);
  return rows.map((row) => {
    const persona = personas.get(keyOf(row));
    assert(persona !== undefined, 'the persona of each life was read');
    const members = row.household === null ? [] : (households.get(row.household) ?? []);
    const others = members.flatMap(({ role, account, holder }) =>
      role === null || role === row.role ? [] : [{ role, account, holder }],
    );
    return { row, persona, course: courseOf(persona, { ...row, others }, schedule) };
  });
}

/** The life of an account. Unknown account, or one without a life: NOT_FOUND. */
export async function requireLife(bank: BankContext, reader: Reader, number: string): Promise<Living> {
  const account = await requireAccountByNumber(reader, number);
  const living = (await livesOf(bank, reader)).find(({ row }) => row.account_id === account.id);
  if (living !== undefined) return living;
  const text = `The account ${number} has no life. GET /sandbox/life lists those that have one.`;
  throw new Refusal({ code: 'NOT_FOUND', text });
}

/** Returns a function that tells what lives have booked on their accounts since this call. */
export async function followLives({ ledger }: BankContext): Promise<() => Promise<LifeBookings[]>> {
  const last = await ledger.read(async (reader) =>
    (await bankState(reader)).lived_until === null ? null : lastEntry(reader),
  );
  return () => (last === null ? Promise.resolve([]) : ledger.read((reader) => bookedByLives(reader, last)));
}

/**
 * What interest to come depends on: the entries of each account whose life has interest after `since` and up to `to`
 * (docs/life.md).
 */
export async function interestPeriods(
  bank: BankContext,
  reader: Reader,
  { since, to }: { readonly since: Instant; readonly to: Instant },
): Promise<InterestPeriod[]> {
  const [first, last] = [osloDate(since), osloDate(to)];
  return (await livesOf(bank, reader)).flatMap(({ row, course }) => {
    const began = row.from_date;
    const begins = course.life.persona.events.flatMap((event) => {
      const hasInterest = event.kind === 'interest' || event.kind === 'overdraft interest';
      const isDue = hasInterest && course.previousSettlement(event, addDays(last, 1), began) > first;
      return isDue ? [course.previousSettlement(event, addDays(first, 1), began)] : [];
    });
    const [earliest] = begins.toSorted();
    return earliest === undefined ? [] : [{ accountId: row.account_id, from: earliest }];
  });
}
