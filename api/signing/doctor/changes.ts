import { createHash } from 'node:crypto';
import { coveredWhenSent } from '../signature/signed-text.ts';
import type { HashName } from './signature-block.ts';

/** A signing string that a TPP may have built, before it is written out. */
export interface Draft {
  /** Names in lower case, in the order signed. */
  readonly names: readonly string[];
  /** Value of each name, `(request-target)` without its method included. */
  readonly values: ReadonlyMap<string, string>;
  /** Method of the `(request-target)`. */
  readonly method: string;
  /** Spells a name. Null for a line that has its value alone. */
  readonly spell: (name: string) => string | null;
  /** Between name and value. */
  readonly separator: string;
  /** Between lines. */
  readonly joint: string;
  /** After the last line. */
  readonly ending: string;
  /** Writes the whole text in other letters. */
  readonly letters: (text: string) => string;
  readonly encode: (text: string) => Buffer;
  /** What was hashed instead of the signing string. */
  readonly wrap: (bytes: Buffer) => Buffer;
}

/** One mistake. */
export interface Change {
  /** What the TPP's string is or has, after "your signing string": `ends with a line break`. */
  readonly did: string;
  /** What to do, as a sentence without its full stop. */
  readonly cure: string;
  /** What the draft has with the mistake. */
  readonly to: Partial<Draft>;
}

/** The text of a draft, as latin1. */
export function draftText({ names, values, method, spell, separator, joint, ending, letters }: Draft): string {
  const line = (name: string): string => {
    const value = values.get(name) ?? '';
    const [spelled, whole] = [spell(name), name === target ? `${method} ${value}` : value];
    return spelled === null ? whole : `${spelled}${separator}${whole}`;
  };
  return letters(names.map(line).join(joint) + ending);
}

const target = '(request-target)';

function change(did: string, cure: string, to: Partial<Draft>): Change {
  return { did, cure, to };
}

const noEnding = 'Put none after the last line';
const lineBreakAtEnd = change('ends with a line break', noEnding, { ending: '\n' });
const crlfAtEnd = change('ends with a CRLF', noEnding, { ending: '\r\n' });
const joinLines = 'Join the lines with \\n alone';
const crlfBetween = change('has CRLF line breaks', joinLines, { joint: '\r\n' });
const lineForm = "Write each line as 'name: value'";

/**
 * Mistakes in the form of the whole string. `written`: the names in headers="..."; `sent`: the names of all sent
 * headers.
 */
export function formChanges(hash: HashName, written: readonly string[], sent: readonly string[]): readonly Change[] {
  return [...forms, ...spellings(written, sent), ...encodings, ...wraps(hash)];
}

const forms: readonly Change[] = [
  lineBreakAtEnd,
  crlfAtEnd,
  change('ends with a blank', noEnding, { ending: ' ' }),
  crlfBetween,
  change('has no line breaks', joinLines, { joint: '' }),
  change('has the two characters \\ and n for each line break', joinLines, { joint: String.raw`\n` }),
  change('has blanks between the headers', joinLines, { joint: ' ' }),
  change('has a comma and a blank between the headers', joinLines, { joint: ', ' }),
  change('has no blank after the colons', lineForm, { separator: ':' }),
  change('has a blank before the colons', lineForm, { separator: ' : ' }),
  change('has = between names and values', lineForm, { separator: '=' }),
  change('has the values alone, without the names', lineForm, { spell: () => null }),
];

/** How the interface spells the headers that are signed. */
const printed: ReadonlyMap<string, string> = new Map(
  ['Date', 'Digest', 'X-Request-ID', 'PSU-ID', 'PSU-Corporate-ID', 'TPP-Redirect-URI'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

function spellings(written: readonly string[], sent: readonly string[]): readonly Change[] {
  const plain = 'Write (request-target)';
  const ofTarget = (did: string, spelled: string | null, cure = plain): Change =>
    change(did, cure, { spell: (name) => (name === target ? spelled : name) });
  return [
    ...capitals(written, sent),
    change('has the names in quotes, as RFC 9421 has them', 'Write the names without quotes', {
      spell: (name) => `"${name}"`,
    }),
    ...(written.some((name) => name.toLowerCase() === target)
      ? [
          ofTarget('has request-target without its brackets', 'request-target'),
          ofTarget('has (Request-Target) with capitals', '(Request-Target)'),
          ofTarget(
            'has the line of the (request-target) without its name',
            null,
            'Write (request-target): before the method',
          ),
        ]
      : []),
  ];
}

function capitals(written: readonly string[], sent: readonly string[]): readonly Change[] {
  const as = (names: readonly string[]): Draft['spell'] => {
    const byName = new Map(names.map((name) => [name.toLowerCase(), name]));
    return (name) => byName.get(name) ?? name;
  };
  const titled = (name: string): string => name.replace(/(?<![a-z0-9])[a-z]/g, (letter) => letter.toUpperCase());
  const cases: readonly (readonly [what: string, spell: Draft['spell']])[] = [
    ['in capitals', (name) => name.toUpperCase()],
    ['with capitals, as in X-Request-Id', titled],
    ['as the interface prints them, as in X-Request-ID', (name) => printed.get(name) ?? titled(name)],
    ['as they are sent', as(sent)],
    ['as headers="..." writes them', as(written)],
  ];
  return cases.map(([what, spell]) => change(`has the names ${what}`, 'Write the names in lower case', { spell }));
}

/**
 * The two pairs of mistakes that clients make together. A loop over the headers writes each name as it is sent and a
 * line break after each line, the last one too. And what ends lines by the system (AppendLine, println, os.EOL) writes
 * CRLF on Windows, at the end too.
 */
export function pairs(written: readonly string[], sent: readonly string[]): readonly Change[] {
  return [
    together(crlfAtEnd, crlfBetween),
    ...capitals(written, sent).map((spelling) => together(lineBreakAtEnd, spelling)),
  ];
}

function together(one: Change, other: Change): Change {
  return change(`${one.did} and ${other.did}`, `${one.cure}. ${other.cure}`, { ...one.to, ...other.to });
}

const signSent = 'Sign the bytes that are sent';
const encodings: readonly Change[] = [
  change('is in lower case from end to end', 'Write only the names in lower case, and the values as they are sent', {
    letters: (text) => text.toLowerCase(),
  }),
  change('was signed in UTF-8, but the headers are sent in ISO-8859-1', signSent, {
    encode: (text) => Buffer.from(text, 'utf8'),
  }),
  change('was signed in ISO-8859-1, but the headers are sent in UTF-8', signSent, {
    encode: (text) => Buffer.from(Buffer.from(text, 'latin1').toString('utf8'), 'latin1'),
  }),
];

function wraps(hash: HashName): readonly Change[] {
  const hashed = (bytes: Buffer): Buffer => createHash(hash).update(bytes).digest();
  const twice = 'Sign the string itself: signing hashes it';
  return [
    change('was hashed twice: its hash was signed', twice, { wrap: hashed }),
    change('was hashed twice: its hash in hexadecimal was signed', twice, {
      wrap: (bytes) => Buffer.from(hashed(bytes).toString('hex')),
    }),
    change('was hashed twice: its hash in base64 was signed', twice, {
      wrap: (bytes) => Buffer.from(hashed(bytes).toString('base64')),
    }),
    change('was written in base64 before it was signed', 'Sign the string itself', {
      wrap: (bytes) => Buffer.from(bytes.toString('base64')),
    }),
  ];
}

/** Maximum number of names that are put in every order: 720 orders. */
const maxPermuted = 6;
/** Maximum number of received names that are added. */
const maxAdded = 12;

/**
 * Mistakes in the choice and the order of headers. `listed`: the names of headers="..."; `sent`: the names of all sent
 * headers.
 */
export function nameChanges(listed: readonly string[], sent: readonly string[]): readonly Change[] {
  const received = [...new Set(sent)];
  const added = [target, ...received.slice(0, maxAdded)].filter((name) => !listed.includes(name));
  return [
    ...listed.map((name) => leftOut(listed, name)),
    ...[listed.toSorted(), listed.toReversed(), inOrderOf(coveredWhenSent, listed), inOrderOf(received, listed)].map(
      reordered,
    ),
    ...added.flatMap((name) => [alsoSigned(name, [...listed, name]), alsoSigned(name, [name, ...listed])]),
    ...coveredWhenSent
      .filter((name) => !received.includes(name) && !listed.includes(name))
      .map((name) =>
        change(`has an empty ${name}, which was not sent`, 'Sign what is sent', { names: [...listed, name] }),
      ),
    ...(listed.length <= maxPermuted ? permutations(listed).map(reordered) : []),
  ];
}

function leftOut(listed: readonly string[], name: string): Change {
  const names = listed.filter((other) => other !== name);
  return change(`lacks ${name}`, 'Sign every header that headers="..." names', { names });
}

function reordered(names: readonly string[]): Change {
  const cure = 'List the names in headers="..." in the order signed';
  return change(`has the order ${names.join(' ')}`, cure, { names });
}

function alsoSigned(name: string, names: readonly string[]): Change {
  const did = `has ${name} too, as line ${names.indexOf(name) + 1}`;
  return change(did, 'Name it in headers="..." in that place', { names });
}

function inOrderOf(order: readonly string[], names: readonly string[]): string[] {
  const places = new Map(order.map((name, at) => [name, at]));
  const place = (name: string): number => places.get(name) ?? order.length;
  return names.toSorted((one, other) => place(one) - place(other));
}

function permutations(names: readonly string[]): string[][] {
  if (names.length < 2) return [[...names]];
  return names.flatMap((name, at) => permutations(names.toSpliced(at, 1)).map((rest) => [name, ...rest]));
}
