import type { BankContext } from '../bank/bank-context.ts';
import type { Reader } from '../ledger/database.ts';
import type { RunSchedule } from '../time/rules/settlement-run.ts';
import { assert } from '../values/assert.ts';
import { livedAccounts, type LivedAccount, livedPersonas } from './rows/lives.ts';
import { Course, amountOf } from './rules/life-on.ts';
import { Almanac } from './rules/occasions.ts';
import type { Life, Persona } from './rules/persona.ts';
import type { BankStateRow } from '../bank/rows/tables.ts';
import { addDays, type LocalDate } from '../values/local-date.ts';
import { type Instant, osloDate } from '../values/instant.ts';
import type { Amount } from '../values/money.ts';

/** An account with a life, ready to be lived. */
export interface Living {
  readonly row: LivedAccount;
  readonly persona: LivedPersona;
  readonly course: Course;
}

/** A persona with its days, and the lives that have it. */
interface LivedPersona {
  readonly persona: Persona;
  readonly almanac: Almanac;
  readonly courses: Map<string, Course>;
}

/**
 * Personas of a bank by their JSON. Every transaction that lets lives happen uses them again: an almanac has worked out its months, and
 * a course its last days.
 */
const known = new WeakMap<RunSchedule, Map<string, LivedPersona>>();

/** Maximum number of personas of a bank, and of lives of a persona: a few megabytes. */
const most = { personas: 200, lives: 2_000 };

/** A persona that is stored as this JSON. */
export function personaOf(content: string, runs: RunSchedule): LivedPersona {
  let personas = known.get(runs);
  if (personas === undefined) known.set(runs, (personas = new Map()));
  let found = personas.get(content);
  if (found === undefined) {
    const persona = JSON.parse(content) as Persona;
    if (personas.size >= most.personas) personas.clear();
    personas.set(content, (found = { persona, almanac: new Almanac(persona, runs.calendar), courses: new Map() }));
  }
  return found;
}

/** The course of a life of this persona. */
export function courseOf(
  { persona, almanac, courses }: LivedPersona,
  { seed, account, holder }: Omit<Life, 'persona'>,
  runs: RunSchedule,
): Course {
  const key = JSON.stringify([seed, account, holder]);
  let course = courses.get(key);
  if (course === undefined) {
    if (courses.size >= most.lives) courses.clear();
    courses.set(key, (course = new Course({ persona, seed, account, holder }, almanac, runs)));
  }
  return course;
}

/** All lives of a bank, the oldest first, with the balances of their accounts. */
export async function livesOf({ runs }: BankContext, reader: Reader): Promise<Living[]> {
  const contents = await livedPersonas(reader);
  const personas = new Map([...contents].map(([id, content]) => [id, personaOf(content, runs)]));
  return (await livedAccounts(reader)).map((row) => {
    const persona = personas.get(row.persona_id);
    assert(persona !== undefined, 'a life has a persona');
    return { row, persona, course: courseOf(persona, row, runs) };
  });
}

/** What a life is known to do: its day and its amount stand in its persona. */
export interface PlannedEvent {
  readonly date: LocalDate;
  /** BBAN or IBAN. */
  readonly account: string;
  /** Credit positive. */
  readonly amount: Amount;
  /** The event of the persona: `salary`. */
  readonly event: string;
}

/**
 * What the lives of a bank will do up to an instant, in order of time: not purchases, which nobody knows before, nor standing orders, whose
 * executions the bank knows itself. A direct debit without funds will not happen. Ends after `limit` events.
 */
export async function plannedUntil(
  bank: BankContext,
  reader: Reader,
  { lived_until: from }: BankStateRow,
  { to, limit }: { readonly to: Instant; readonly limit: number },
): Promise<PlannedEvent[]> {
  if (from === null) return [];
  const planned: PlannedEvent[] = [];
  const lives = await livesOf(bank, reader);
  for (let date = osloDate(from); date <= osloDate(to); date = addDays(date, 1)) {
    for (const { row, course } of lives) {
      for (const { event, at, action } of course.knownOn(date)) {
        if (at <= from || at <= row.began_at || at > to) continue;
        planned.push({ date, account: row.account, amount: { minor: amountOf(action), currency: 'NOK' }, event });
      }
    }
    if (planned.length >= limit) return planned;
  }
  return planned;
}
