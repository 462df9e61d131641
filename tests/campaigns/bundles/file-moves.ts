import { contentOf } from '../../lab/forged-bundle.ts';
import type { Seeded } from '../../lab/seeded.ts';
import { withOddJson } from '../odd-values.ts';
import type { SavedBank } from '../../lab/saved-banks.ts';

/** What is wrong with a bundle. Members that are left out are right. */
export interface Wrong {
  /** For people. */
  readonly what: string;
  readonly json?: object | string;
  readonly ledger?: Buffer;
  /** JSON and ledger together, in place of both. */
  readonly content?: Buffer;
  readonly version?: string;
  readonly format?: string;
  readonly length?: number;
  /** It has an object that no ledger has: it must not open (docs/spec/control-plane.md B1). */
  readonly isForeign?: true;
}

/** A way to build a bundle wrong, and its weight: how often it is drawn, beside the others. */
export type Move = readonly [name: string, weight: number, make: (random: Seeded, bank: SavedBank) => Wrong];

const mb = 1024 * 1024;
const pageSize = 8_192;

/** Builds what is wrong. */
type Make = (random: Seeded, bank: SavedBank) => Omit<Wrong, 'what'>;

/** One of the makers, by what is wrong. */
function oneOf(makers: Readonly<Record<string, Make>>): Move[2] {
  return (random, bank) => {
    const [what, make] = random.pick(Object.entries(makers));
    return { what, ...make(random, bank) };
  };
}

/** The JSON beside the ledger, with a few places changed. */
function json(random: Seeded, bank: SavedBank): Wrong {
  let value: unknown = bank.json;
  const told: string[] = [];
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    const changed = withOddJson(random, value);
    value = changed.value;
    told.push(changed.what);
  }
  return { what: told.join('; '), json: value as object };
}

/** The list of this member, again and again up to `count` items. */
function repeated(
  bank: SavedBank,
  member: string,
  count: number,
  change: (item: object, index: number) => object,
): object {
  const list = Object(bank.json[member]) as readonly unknown[];
  const items = Array.from({ length: list.length === 0 ? 0 : count }, (_, index) => Object(list[index % list.length]));
  return { ...bank.json, [member]: items.map(change) };
}

const largeBody = { latin1: 'x'.repeat(64 * 1024), length: 64 * 1024 };

const anyCount =
  (member: string): Make =>
  (random, bank) => ({
    json: repeated(bank, member, random.pick([99, 101, 499, 501, 20_000]), (item) => item),
  });

/** More of something than a running bank has. */
const limits = oneOf({
  'many of faults': anyCount('faults'),
  'many of requests': anyCount('requests'),
  'many of trustedCas': anyCount('trustedCas'),
  '101 armed faults': (_, bank) => ({
    json: repeated(bank, 'faults', 101, (fault, at) => ({ ...fault, id: at + 1 })),
  }),
  'a journal that is too large': (_, bank) => ({
    json: repeated(bank, 'requests', 500, (each) => ({ ...each, body: largeBody, answer: largeBody })),
  }),
  'arrays without an end': (random) => ({ json: `{"now":${'['.repeat(random.pick([60, 70, 100_000]))}` }),
  'many values': (random) => ({ json: `[${'0,'.repeat(random.pick([240_000, 260_000]))}0]` }),
  'a long text': (random, { json: own }) => ({
    json: { ...own, settings: { SANDBANK_QUIRKS: 'x'.repeat(random.pick([9_000, 11_000, 5 * mb])) } },
  }),
});

/** Bombs: far more than a bundle may have, in a few KB. Each takes a second to build. */
const bombs = oneOf({
  'JSON over its bound': () => ({ json: ' '.repeat(33 * mb) }),
  'no line break': () => ({ content: Buffer.alloc(352 * mb) }),
  'a ledger over its bound': () => ({ ledger: Buffer.alloc(321 * mb) }),
  'a ledger of zeros': () => ({ ledger: Buffer.alloc(319 * mb) }),
  'a ledger with zeros behind it': (_, { ledger }) => ({ ledger: Buffer.concat([ledger, Buffer.alloc(300 * mb)]) }),
});

const whole = (bank: SavedBank): Buffer => contentOf(bank.json, bank.ledger);
const cut = (random: Seeded, bank: SavedBank): Buffer => whole(bank).subarray(0, random.below(whole(bank).length));

/** A head line, or a content, of another length than the other says; a frame that is none. */
const lengths = oneOf({
  'another length': (random, bank) => ({ length: random.below(2 * whole(bank).length) }),
  'a length beyond all': (random) => ({ length: random.pick([352 * mb, 353 * mb, 9_999_999_999]) }),
  'a content that is cut': (random, bank) => ({ content: cut(random, bank) }),
  'a content that is cut, and says it whole': (random, bank) => ({
    content: cut(random, bank),
    length: whole(bank).length,
  }),
  'a content with more behind it': (_, bank) => ({ content: Buffer.concat([whole(bank), Buffer.alloc(pageSize)]) }),
  'no line break': (random) => ({ content: Buffer.alloc(random.pick([1, 100, mb]), 'x') }),
  'a ledger of nothing': (random) => ({ ledger: Buffer.alloc(random.pick([0, 16, 100, pageSize])) }),
  'a version': (random) => ({ version: random.pick(['0.0.1', '9.9.9', '0.1.0-x', '..', '1']) }),
  'a format': (random) => ({ format: random.pick(['0', '2', '999999']) }),
});

/** Changes a copy of the ledger; `page` draws where a page begins. */
const changed =
  (change: (random: Seeded, ledger: Buffer, page: () => number) => unknown): Make =>
  (random, bank) => {
    const ledger = Buffer.from(bank.ledger);
    change(random, ledger, () => random.below(ledger.length / pageSize) * pageSize);
    return { ledger };
  };

/** Bytes of the ledger changed, or pages swapped; the digest is right. */
const bytes = oneOf({
  'a byte of the header or the schema': changed((random, ledger) => {
    ledger[random.below(random.pick([100, pageSize]))] = random.below(256);
  }),
  'some bytes': changed((random, ledger) => {
    for (let left = 1 + random.below(20); left > 0; left -= 1) ledger[random.below(ledger.length)] = random.below(256);
  }),
  'two pages swapped': changed((_, ledger, page) => {
    const [one, other] = [page(), page()];
    const kept = Buffer.from(ledger.subarray(one, one + pageSize));
    ledger.copy(ledger, one, other, other + pageSize);
    kept.copy(ledger, other);
  }),
  'the last pages filled': changed((random, ledger, page) => ledger.fill(random.below(256), page(), ledger.length)),
});

/** What is beside the rows: JSON, lengths and bytes. */
export const fileMoves: readonly Move[] = [
  ['JSON', 3, json],
  ['limits', 1, limits],
  ['lengths', 1, (random, bank) => (random.below(40) === 0 ? bombs : lengths)(random, bank)],
  ['bytes of the ledger', 2, bytes],
];
