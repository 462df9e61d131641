import type { Scenario } from './scenario.ts';

/** Maximum number of simultaneous starts of one scenario. */
const maxRivals = 8;

/** The banks of a server, for the player of a scenario. */
export interface BanksOfServer {
  names(): Promise<readonly string[]>;
  /** Makes a bank with a body of `POST /sandbox/banks`. Rejects if the server refuses. */
  make(body: object): Promise<void>;
}

/** The body of `POST /sandbox/banks` for a scenario, including defaults. */
export function bankOf({ bank }: Scenario): Scenario['bank'] {
  return { mode: 'frozen', fixtures: 'known-state', quirks: [], ...bank };
}

/** Makes the bank of a scenario, under the first free name of CALLED-1, CALLED-2, ... Returns the name. */
export async function makeBank(scenario: Scenario, called: string, banks: BanksOfServer): Promise<string> {
  const make = async (name: string): Promise<string> => {
    await banks.make({ name, ...bankOf(scenario) });
    return name;
  };
  const taken = new Set(await banks.names());
  let number = 1;
  while (taken.has(`${called}-${number}`)) number += 1;
  for (const last = number + maxRivals; number < last; number += 1) {
    // Another player may make the same bank now.
    const made = await make(`${called}-${number}`).catch(() => null);
    if (made !== null) return made;
  }
  return make(`${called}-${number}`);
}
