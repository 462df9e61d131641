import { listedPersona, personaNames, personaOf } from '../../api/start/fixtures.ts';
import type { Bank, openBank } from '../../engine/open-bank.ts';
import type { KnownState } from '../../engine/bank/known-state.ts';
import type { Persona } from '../../engine/life/rules/persona.ts';
import { inspectAccount } from '../../engine/sandbox-data/inspect-accounts.ts';
import { norwegianIban } from '../../engine/values/account-number.ts';
import { at, calendar, manualClock, memoryBank, type OwnBank } from '../lab/bank.ts';

export const now = '2026-11-23T10:00:00+01:00';
const personas = new Map(
  await Promise.all(personaNames().map(async (name) => [name, await listedPersona(name)] as const)),
);
export const family = personaNamed('family');

export function personaNamed(name: string): Persona {
  const persona = personas.get(name);
  if (persona === undefined) throw new Error(`there is no persona ${name}`);
  return persona;
}

/** A customer with an account for each persona, in this order. */
export const numbers = ['99870000010', '99870000029', '99870000037', '99870000045', '99870000053'];

export function knownState(balance: string, creditLine = '0.00'): KnownState {
  const accounts = numbers.map((bban) => ({
    accountName: 'Brukskonto',
    bban,
    iban: norwegianIban(bban),
    currency: 'NOK' as const,
    product: 'Brukskonto',
    cashAccountType: 'CACC' as const,
    balance,
    creditLine,
  }));
  return {
    customers: [{ customerNumber: '990001', name: 'Kari Myhrvold', type: 'private', accounts }],
    agreements: [],
  };
}

export function open(
  options: Partial<Parameters<typeof openBank>[0]> & { readonly now?: string } = {},
): Promise<OwnBank> {
  const start = { mode: 'frozen', now: at(options.now ?? now) } as const;
  return memoryBank(now, {
    ids: { seed: 'lives' },
    preparedLedger: null,
    knownState: knownState('250000.00'),
    start,
    ...options,
  });
}

/** The lowest balance after an entry, in øre; the opening entry counts. */
export function lowestOf(entries: Awaited<ReturnType<typeof statement>>['entries']): bigint {
  return entries.reduce(
    (low, { balance }) => (balance.minor < low ? balance.minor : low),
    entries[0]?.balance.minor ?? 0n,
  );
}

/** Opens a ledger of another bank. */
export const ownBank = {
  wall: manualClock(at(now)),
  ids: { seed: 'again' },
  calendar,
  knownState: knownState('1.00'),
} as const;

const all = { from: null, to: null };

export async function statement(bank: Bank, number: string) {
  const { entries, pending, balances } = await inspectAccount(bank, number, all);
  return { entries, pending, balances };
}

/** A persona of these events, each on a day of a month. */
export function personaWith(events: readonly (readonly [day: number, event: object])[]): Promise<Persona> {
  const dated = events.map(([day, event], index) => {
    const when = { days: [day], rule: 'following' };
    return { event: `event-${index}`, when, ...event };
  });
  return personaOf({ name: 'made', description: 'A few events', netPerYear: '0.00', events: dated });
}
