/** A number from 0 up to 1, always the same one for the same places. */
export interface Chance {
  (one: number, two?: number, three?: number, four?: number): number;
  /** The numbers of the places that begin with these three, which are hashed once. */
  readonly after: (one: number, two: number, three: number) => (four: number) => number;
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
  return Object.assign(chance, { after });
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
