import { quirkNames, quirks } from '../../engine/bank/rules/quirk.ts';
import type { Profile } from '../../api/start/config.ts';
import { listedProfiles } from '../../api/start/profile.ts';
import { tellRound, tellStory } from './story.ts';
import { Teller, type ToldCall } from './teller.ts';

/** The listed profiles that change a bank. Of those that change it in the same way only the first. */
export async function changingProfiles(): Promise<readonly Profile[]> {
  const byChange = Map.groupBy(await listedProfiles(), ({ settings, quirks: on }) => JSON.stringify([settings, on]));
  byChange.delete(JSON.stringify([{}, {}]));
  return [...byChange.values()].flatMap((alike) => alike.slice(0, 1));
}

/** The story of a bank. */
export async function storyOf(): Promise<readonly ToldCall[]> {
  const teller = await Teller.begin(null);
  try {
    await tellStory(teller);
  } finally {
    await teller.bank.stop();
  }
  return teller.told;
}

const values: Readonly<Record<string, readonly string[]>> = {
  'reissued-ids': ['P1D', 'session'],
  'id-lengths': ['transaction:241/payment:69/resource:69/unpadded', 'payment:512'],
  'rewritten-texts': ['PT37H', 'P10D'],
  'accept-fix-dates': ['card-amounts:2027-03-25/longer-names:2027-04-25'],
  'consent-days': ['90', '180'],
};

/** Each quirk with its values, as `--quirks` takes them: `pending-dates=none`. */
export const quirkTexts: readonly string[] = quirkNames.flatMap((name) => {
  const form = quirks[name].value;
  const usual = form === undefined ? [] : form.words.length > 0 ? form.words : [form.usual];
  const all = values[name] ?? usual;
  return all.length === 0 ? [name] : all.map((value) => `${name}=${value}`);
});

/** A bank in which one round after the other is played, each under other quirks. */
export class Rounds {
  readonly #teller: Teller;

  private constructor(teller: Teller) {
    this.#teller = teller;
  }

  static async begin(profile: Profile | null = null): Promise<Rounds> {
    const teller = await Teller.begin(profile);
    await teller.control('POST', '/snapshots', { name: 'before' });
    return new Rounds(teller);
  }

  /** `quirks`: as `PUT /sandbox/quirks` takes them, beside those of the profile. */
  async under(quirks: object): Promise<readonly ToldCall[]> {
    this.#teller.begin();
    await tellRound(this.#teller, quirks);
    return [...this.#teller.told];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  stop(): Promise<void> {
    return this.#teller.bank.stop();
  }
}
