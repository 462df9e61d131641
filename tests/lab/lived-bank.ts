import { listedPersona, personaNames } from '../../api/start/fixtures.ts';
import type { Bank } from '../../engine/open-bank.ts';
import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import { beginHousehold } from '../../engine/life/begin-household.ts';
import { beginLife, listLives } from '../../engine/life/begin-life.ts';
import type { Persona } from '../../engine/life/rules/persona.ts';
import { isBbanMod11, norwegianIban } from '../../engine/values/account-number.ts';
import { inspectAccount } from '../../engine/sandbox-data/inspect-accounts.ts';
import { memoryBank } from './bank.ts';
import { ore } from './simulation/money.ts';

/** An account and who lives on it. */
export type Resident = Readonly<{ number: string; persona: Persona }>;

/** What it plans to pay may fail. */
export const shortOfFunds = 'short-of-funds';

/** So many accounts of each listed persona. */
export async function residentsOf(ofEach: number): Promise<Resident[]> {
  const personas = await Promise.all(personaNames().map(listedPersona));
  return residing(personas, ofEach * personas.length);
}

/** So many accounts, on which these personas live in turn. */
export function residing(personas: readonly Persona[], count: number): Resident[] {
  const residents: Resident[] = [];
  for (let stem = 99_870_001; residents.length < count; stem += 1) {
    const number = Array.from({ length: 10 }, (_, digit) => `${stem}00${digit}`).find(isBbanMod11);
    const persona = personas[residents.length % personas.length];
    if (number !== undefined && persona !== undefined) residents.push({ number, persona });
  }
  return residents;
}

/** Who has all accounts. */
export const holder = { customerNumber: '99887766554', name: 'Kari Myhrvold', type: 'private' } as const;

/** An account of this number. */
export function accountOf(bban: string) {
  const kind = { product: 'Brukskonto', currency: 'NOK', cashAccountType: 'CACC' } as const;
  return { ...kind, accountName: 'Brukskonto', bban, iban: norwegianIban(bban), creditLine: '5000.00' };
}

/**
 * A bank in which all of them have begun to live on a day, with months of past; those of `households` on the accounts of all its members. Throws if
 * one did not begin, or an account lost or won money by it (rules.md L3).
 */
export async function inhabited(
  first: string,
  residents: readonly Resident[],
  {
    seed,
    months,
    households = [],
    quirks,
  }: {
    readonly seed: string;
    readonly months: number;
    readonly households?: readonly Resident[];
    readonly quirks?: Quirks;
  },
): Promise<Bank> {
  const accounts = [...residents, ...households].map(({ number, persona }) => ({
    ...accountOf(number),
    balance: persona.name === shortOfFunds ? '2000.00' : '600000.00',
  }));
  const customer = { ...holder, accounts };
  const bank = await memoryBank(`${first}T10:00:00+01:00`, {
    ids: { seed },
    preparedLedger: null,
    ...(quirks && { quirks }),
    knownState: { customers: [customer], agreements: [] },
  });
  for (const { number, persona } of residents) await beginLife(bank, number, { persona, seed, months });
  for (const { number, persona } of households)
    await beginHousehold(bank, new Map([['shared', number]]), { persona, seed, months });
  const lives =
    residents.length + households.reduce((sum, { persona }) => sum + 1 + (persona.household ?? []).length, 0);
  if ((await listLives(bank)).length !== lives) throw new Error(`not all of ${lives} lives began`);
  for (const { bban, balance } of accounts) {
    const { balances } = await inspectAccount(bank, bban, { from: null, to: null });
    if (balances.interimBooked !== ore(balance)) throw new Error(`${bban} no longer has ${balance}`);
  }
  return bank;
}
