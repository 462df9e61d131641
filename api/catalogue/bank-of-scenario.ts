import type { Scenario } from './scenario.ts';

/** How many of one scenario may start at the same moment. */
const maxRivals = 8;

/** The banks of a server, as whoever plays a scenario reaches them. */
export interface BanksOfServer {
  names(): Promise<readonly string[]>;
  /** Makes a bank by a body of `POST /sandbox/banks`. Rejects when it is refused. */
  make(body: object): Promise<void>;
}

/** What `POST /sandbox/banks` takes for a scenario; left out of the data is what is the same for nearly all. */
export function bankOf({ bank }: Scenario): Required<Scenario['bank']> {
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
    // Another one may be making the same bank.
    const made = await make(`${called}-${number}`).catch(() => null);
    if (made !== null) return made;
  }
  return make(`${called}-${number}`);
}
