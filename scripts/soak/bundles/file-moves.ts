import { contentOf, forged } from '../../../lab/forged-bundle.ts';
import type { Seeded } from '../../../lab/seeded.ts';
import type { Move, WrongBundle } from './move.ts';
import { withOddJson } from './odd-values.ts';
import type { SavedBank } from './saved-banks.ts';

const mb = 1024 * 1024;

function listIn(bank: SavedBank, member: string): readonly unknown[] {
  const list = bank.json[member];
  return Array.isArray(list) ? list : [];
}

/** The JSON beside the ledger, with a few places changed. */
function json(random: Seeded, bank: SavedBank): WrongBundle {
  let value: unknown = bank.json;
  const told: string[] = [];
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    const changed = withOddJson(random, value);
    value = changed.value;
    told.push(changed.what);
  }
  return { what: told.join('; '), file: forged(contentOf(value as object, bank.ledger), bank) };
}

/** More of something than a running bank has. */
function limits(random: Seeded, bank: SavedBank): WrongBundle {
  const many = (member: string, count: number): object => {
    const list = listIn(bank, member);
    return { ...bank.json, [member]: Array.from({ length: count }, (_, index) => list[index % list.length]) };
  };
  const count = random.pick([99, 101, 499, 501, 20_000]);
  const member = random.pick(['faults', 'requests', 'trustedCas']);
  const faults = listIn(bank, 'faults').flatMap((fault) =>
    Array.from({ length: 101 }, (_, index) => ({ ...Object(fault), id: index + 1 })),
  );
  const body = { latin1: 'x'.repeat(64 * 1024), length: 64 * 1024 };
  const requests = listIn(bank, 'requests').flatMap((entry) =>
    Array.from({ length: 300 }, () => ({ ...Object(entry), body, answer: body })).slice(0, 500),
  );
  const [what, make] = random.pick<readonly [string, () => object | string]>([
    [`${count} of ${member}`, () => many(member, count)],
    ['101 armed faults', () => ({ ...bank.json, faults })],
    ['a journal that is too large', () => ({ ...bank.json, requests: requests.slice(0, 500) })],
    ['arrays without an end', () => `{"now":${'['.repeat(random.pick([60, 70, 100_000]))}`],
    ['many values', () => `[${'0,'.repeat(random.pick([240_000, 260_000]))}0]`],
    [
      'a long text',
      () => ({ ...bank.json, settings: { SANDBANK_QUIRKS: 'x'.repeat(random.pick([9_000, 11_000, 5 * mb])) } }),
    ],
  ]);
  return { what, file: forged(contentOf(make(), bank.ledger), bank) };
}

/** Bombs: far more than a bundle may have, in a few KB. */
function bombs(random: Seeded, bank: SavedBank): WrongBundle {
  const [what, content] = random.pick<readonly [string, () => Buffer]>([
    ['JSON over its bound', () => contentOf(' '.repeat(33 * mb), bank.ledger)],
    ['no line break', () => Buffer.alloc(352 * mb)],
    ['a ledger over its bound', () => contentOf(bank.json, Buffer.alloc(321 * mb))],
    ['a ledger of zeros', () => contentOf(bank.json, Buffer.alloc(319 * mb))],
    ['a ledger with zeros behind it', () => contentOf(bank.json, Buffer.concat([bank.ledger, Buffer.alloc(300 * mb)]))],
  ]);
  return { what, file: forged(content(), bank) };
}

/** One in so many of what takes a second to build is built. */
const rarely = 40;

/** A head line, or a content, of another length than the other says; a frame that is none. */
function lengths(random: Seeded, bank: SavedBank): WrongBundle {
  const content = contentOf(bank.json, bank.ledger);
  const cut = content.subarray(0, random.below(content.length));
  const [what, make] = random.pick<readonly [string, () => Buffer]>([
    ['another length', () => forged(content, { ...bank, length: random.below(2 * content.length) })],
    [
      'a length beyond all',
      () => forged(content, { ...bank, length: random.pick([352 * mb, 353 * mb, 9_999_999_999]) }),
    ],
    ['a content that is cut', () => forged(cut, bank)],
    ['a content that is cut, and says it whole', () => forged(cut, { ...bank, length: content.length })],
    ['a content with more behind it', () => forged(Buffer.concat([content, Buffer.alloc(8_192)]), bank)],
    ['no line break', () => forged(Buffer.alloc(random.pick([1, 100, mb]), 'x'), bank)],
    ['a ledger of nothing', () => forged(contentOf(bank.json, Buffer.alloc(random.pick([0, 16, 100, 8_192]))), bank)],
    ['a version', () => forged(content, { ...bank, version: random.pick(['0.0.1', '9.9.9', '0.1.0-x', '..', '1']) })],
    ['a format', () => forged(content, { ...bank, format: random.pick(['0', '2', '999999']) })],
  ]);
  return { what, file: make() };
}

/** Bytes of the ledger changed, or pages swapped; the digest is right. */
function bytes(random: Seeded, bank: SavedBank): WrongBundle {
  const ledger = Buffer.from(bank.ledger);
  const [kind, page] = [random.below(4), 8_192];
  const pages = ledger.length / page;
  if (kind === 0) {
    // In the header and the first page, which has the schema.
    const at = random.below(random.pick([100, page]));
    ledger[at] = random.below(256);
  } else if (kind === 1) {
    for (let left = 1 + random.below(20); left > 0; left -= 1) ledger[random.below(ledger.length)] = random.below(256);
  } else if (kind === 2) {
    const [one, other] = [random.below(pages) * page, random.below(pages) * page];
    const kept = Buffer.from(ledger.subarray(one, one + page));
    ledger.copy(ledger, one, other, other + page);
    kept.copy(ledger, other);
  } else {
    ledger.fill(random.below(256), random.below(pages) * page, ledger.length);
  }
  return { what: `kind ${kind}`, file: forged(contentOf(bank.json, ledger), bank) };
}

/** What is beside the rows: JSON, lengths and bytes. */
export const fileMoves: readonly [Move, ...Move[]] = [
  { name: 'JSON', make: json },
  { name: 'JSON', make: json },
  { name: 'JSON', make: json },
  { name: 'limits', make: limits },
  { name: 'lengths', make: (random, bank) => (random.below(rarely) === 0 ? bombs : lengths)(random, bank) },
  { name: 'bytes of the ledger', make: bytes },
  { name: 'bytes of the ledger', make: bytes },
];
