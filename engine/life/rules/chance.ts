/** What a choice is for: two choices of one event never share a hash. */
export const purposes = {
  day: 1,
  time: 2,
  amount: 3,
  party: 4,
  lag: 5,
  valueDate: 6,
  rate: 7,
  kid: 9,
  shuffle: 10,
  refund: 11,
  trip: 12,
  card: 14,
  basket: 15,
} as const;

/** A number from 0 up to 1, always the same one for the same places. */
export interface Chance {
  (one: number, two?: number, three?: number, four?: number): number;
  /** The numbers of the places that begin with these three, which are hashed once. */
  readonly after: (one: number, two: number, three: number) => (four: number) => number;
  /**
   * The place of a number in a shuffled order of the numbers below `of`: a swap-or-not shuffle. The last two numbers
   * select the order.
   */
  readonly shuffled: (number: number, of: number, one: number, two: number) => number;
}

/**
 * The keyed hash of a life: every choice follows from its seed, its account and the place of the choice (event, month,
 * count, purpose). Two accounts of one seed have different lives. Rules import no package, so that this is a
 * MurmurHash3 by hand.
 */
export function chanceOf(seed: string, account: string): Chance {
  const key = hashText(`${seed}\n${account}`);
  const chance = (one: number, two?: number, three?: number, four?: number): number => {
    let hash = mixed(key, one);
    if (two !== undefined) hash = mixed(hash, two);
    if (three !== undefined) hash = mixed(hash, three);
    if (four !== undefined) hash = mixed(hash, four);
    return finished(hash) / 0x1_0000_0000;
  };
  const after = (one: number, two: number, three: number): ((four: number) => number) => {
    const begun = mixed(mixed(mixed(key, one), two), three);
    return (four) => finished(mixed(begun, four)) / 0x1_0000_0000;
  };
  const shuffled = (number: number, of: number, one: number, two: number): number => {
    const begun = mixed(mixed(mixed(key, purposes.shuffle), one), two);
    let place = number;
    for (let round = 0; round < 20; round += 1) {
      const middle = Math.floor((finished(mixed(begun, round)) / 0x1_0000_0000) * of);
      const partner = (middle - place + of) % of;
      if (finished(mixed(begun, 20 + round * of + Math.max(place, partner))) < 0x8000_0000) place = partner;
    }
    return place;
  };
  return Object.assign(chance, { after, shuffled });
}

function hashText(text: string): number {
  let hash = 0x9747b28c;
  for (let index = 0; index < text.length; index += 1) hash = mixed(hash, text.charCodeAt(index));
  return finished(hash);
}

function mixed(hash: number, value: number): number {
  let block = Math.imul(value | 0, 0xcc9e2d51);
  block = Math.imul((block << 15) | (block >>> 17), 0x1b873593);
  const next = hash ^ block;
  return (Math.imul((next << 13) | (next >>> 19), 5) + 0xe6546b64) | 0;
}

function finished(hash: number): number {
  let end = hash ^ (hash >>> 16);
  end = Math.imul(end, 0x85ebca6b);
  end = Math.imul(end ^ (end >>> 13), 0xc2b2ae35);
  return (end ^ (end >>> 16)) >>> 0;
}
