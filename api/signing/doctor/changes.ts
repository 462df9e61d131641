import { words } from '../../../engine/values/text.ts';
import { coveredWhenSent } from '../signature/signed-text.ts';
import { createHash } from 'node:crypto';
import type { HashName } from './signature-block.ts';

/** A signing string that a TPP may have built, before it is written out. */
export interface Draft {
  /** Names in lower case, in the order signed. */
  readonly names: readonly string[];
  /** Value of each name, `(request-target)` without its method included. */
  readonly values: ReadonlyMap<string, string>;
  /** Method of the `(request-target)`. */
  readonly method: string;
  /** Spells a name; null: the line has its value alone. */
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

/** One mistake that changes a draft. */
export interface Change {
  /** What the TPP's string is or has, after "your signing string": `ends with a line break`. */
  readonly did: string;
  /** What to do, as a sentence without its full stop. */
  readonly cure: string;
  /** 1 is likely. The costs of combined changes are added. */
  readonly cost: 1 | 2 | 3;
  readonly apply: (draft: Draft) => Draft;
}

/** Alternative changes of one part: at most one is applied. */
export type Axis = readonly Change[];

/** The text of a draft, as latin1. */
export function textOf({ names, values, method, spell, separator, joint, ending, letters }: Draft): string {
  const line = (name: string): string => {
    const value = values.get(name) ?? '';
    const [spelled, whole] = [spell(name), name === '(request-target)' ? `${method} ${value}` : value];
    return spelled === null ? whole : `${spelled}${separator}${whole}`;
  };
  return letters(names.map(line).join(joint) + ending);
}

/** A change of one value. */
export function valueChange(
  name: string,
  value: string,
  { did, cure, cost = 1 }: { readonly did: string; readonly cure: string; readonly cost?: Change['cost'] },
): Change {
  return { did, cure, cost, apply: (draft) => ({ ...draft, values: new Map([...draft.values, [name, value]]) }) };
}

/** Maximum number of names that are put in every order: 720 orders. */
const maxPermuted = 6;
/** Maximum number of names that are left out or added two at a time, and of received names that are added. */
const maxCombined = 12;
/** Headers that are there on every request, and that some libraries sign. */
const oftenAdded = words([
  '(request-target) host content-type content-length accept user-agent digest date x-request-id',
]);

/** Mistakes in the choice and the order of headers. `listed`: the names of headers="...". `sent`: the names of all sent headers. */
export function nameAxis(listed: readonly string[], sent: readonly string[]): Axis {
  const received = [...new Set(sent)];
  const few = listed.length > maxCombined ? [] : listed;
  const orders = [
    listed.toSorted(),
    listed.toReversed(),
    inOrderOf(coveredWhenSent, listed),
    inOrderOf(received, listed),
  ];
  const there = oftenAdded.filter(
    (name) => !listed.includes(name) && (name === '(request-target)' || received.includes(name)),
  );
  const added = [...new Set([...there, ...received.slice(0, maxCombined).filter((name) => !listed.includes(name))])];
  return distinct(listed, [
    ...few.map((name) => leftOut(listed, [name], 1)),
    ...orders.map((names) => reordered(names, 1)),
    ...there
      .slice(0, 3)
      .flatMap((name) => [alsoSigned(name, [name, ...listed], 1), alsoSigned(name, [...listed, name], 1)]),
    ...added.map((name) => alsoSigned(name, [...listed, name], 2)),
    ...added.map((name) => alsoSigned(name, [name, ...listed], 2)),
    ...coveredWhenSent
      .filter((name) => !received.includes(name))
      .map((name) => changed([...listed, name], `has an empty ${name}, which was not sent`, 'Sign what is sent', 1)),
    ...few.flatMap((name, at) => few.slice(at + 1).map((other) => leftOut(listed, [name, other], 2))),
    ...added.flatMap((name) => few.slice(1).map((_, at) => alsoSigned(name, listed.toSpliced(at + 1, 0, name), 2))),
    ...few.map((name) => changed([name], `has ${name} alone`, signAll, 2)),
  ]);
}

/** The last thing to try: every other order of a few names. Many names have too many orders. */
export function orderAxis(listed: readonly string[]): Axis {
  return listed.length <= maxPermuted ? permutations(listed).map((names) => reordered(names, 3)) : [];
}

interface Named extends Change {
  readonly names: readonly string[];
}

function changed(names: readonly string[], did: string, cure: string, cost: Change['cost']): Named {
  return { names, did, cure, cost, apply: (draft) => ({ ...draft, names }) };
}

/** The changes that give new names: not the listed names, and not those of an earlier change. */
function distinct(listed: readonly string[], changes: readonly Named[]): Axis {
  const seen = new Set([listed.join(' '), '']);
  return changes.filter(({ names }) => {
    const key = names.join(' ');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const signAll = 'Sign every header that headers="..." names';

function leftOut(listed: readonly string[], names: readonly string[], cost: Change['cost']): Named {
  const rest = listed.filter((name) => !names.includes(name));
  return changed(rest, `lacks ${names.join(' and ')}`, signAll, cost);
}

function reordered(names: readonly string[], cost: Change['cost']): Named {
  const cure = 'List the names in headers="..." in the order signed';
  return changed(names, `has the order ${names.join(' ')}`, cure, cost);
}

function alsoSigned(name: string, names: readonly string[], cost: Change['cost']): Named {
  const did = `has ${name} too, as line ${names.indexOf(name) + 1}`;
  return changed(names, did, 'Name it in headers="..." in that place', cost);
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

/** How the interface spells the headers that are signed. */
const spelled: ReadonlyMap<string, string> = new Map(
  ['Date', 'Digest', 'X-Request-ID', 'PSU-ID', 'PSU-Corporate-ID', 'TPP-Redirect-URI'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

/** Mistakes in the form of the whole string. `written` has the names in headers="..."; `sent` has the names of the sent headers. */
export function stringAxes(hash: HashName, written: readonly string[], sent: readonly string[]): readonly Axis[] {
  return [endings, joints, separators, cases(written, sent), encodings, wraps(hash)];
}

function change(did: string, cure: string, changes: Partial<Draft>, cost: Change['cost'] = 1): Change {
  return { did, cure, cost, apply: (draft) => ({ ...draft, ...changes }) };
}

const noEnding = 'Put none after the last line';
const endings: Axis = [
  change('ends with a line break', noEnding, { ending: '\n' }),
  change('ends with a CRLF', noEnding, { ending: '\r\n' }),
  change('ends with a blank', noEnding, { ending: ' ' }),
  change('ends with the two characters \\ and n', noEnding, { ending: String.raw`\n` }, 2),
  change('ends with a comma', noEnding, { ending: ',' }, 2),
  change('ends with two line breaks', noEnding, { ending: '\n\n' }, 2),
  change('ends with a zero byte', noEnding, { ending: '\0' }, 3),
];

const joinLines = 'Join the lines with \\n alone';
const joints: Axis = [
  change('has CRLF line breaks', joinLines, { joint: '\r\n' }),
  change('has no line breaks', joinLines, { joint: '' }),
  change('has the two characters \\ and n for each line break', joinLines, { joint: String.raw`\n` }),
  change('has blanks between the headers', joinLines, { joint: ' ' }),
  change('has a comma and a blank between the headers', joinLines, { joint: ', ' }),
  change('has commas between the headers', joinLines, { joint: ',' }, 2),
  change('has semicolons between the headers', joinLines, { joint: ';' }, 2),
  change('has empty lines between the headers', joinLines, { joint: '\n\n' }, 2),
  change('has a blank at the end of each line', joinLines, { joint: ' \n', ending: ' ' }, 2),
];

const lineForm = "Write each line as 'name: value'";
const separators: Axis = [
  change('has no blank after the colons', lineForm, { separator: ':' }),
  change('has a blank before the colons', lineForm, { separator: ' : ' }),
  change('has = between names and values', lineForm, { separator: '=' }),
  change('has the values alone, without the names', lineForm, { separator: '', spell: () => '' }),
  change('has two blanks after the colons', lineForm, { separator: ':  ' }, 2),
  change('has tabs after the colons', lineForm, { separator: ':\t' }, 2),
];

/** Another spelling of the names. */
function spelling(did: string, spell: Draft['spell'], cure = 'Write the names in lower case'): Change {
  return change(did, cure, { spell });
}

function cases(written: readonly string[], sent: readonly string[]): Axis {
  const asWritten = new Map(written.map((name) => [name.toLowerCase(), name]));
  const asSent = new Map(sent.map((name) => [name.toLowerCase(), name]));
  const asPrinted = (name: string): string => spelled.get(name) ?? titled(name);
  return [
    spelling('has the names in capitals', (name) => name.toUpperCase()),
    spelling('has the names with capitals, as in X-Request-Id', titled),
    spelling('has the names as the interface prints them, as in X-Request-ID', asPrinted),
    spelling('has the names as they are sent', (name) => asSent.get(name) ?? name),
    spelling('has the names as headers="..." writes them', (name) => asWritten.get(name) ?? name),
    spelling('has the names in quotes, as RFC 9421 has them', (name) => `"${name}"`, 'Write the names without quotes'),
    ...(asWritten.has(target) ? spellingsOfTarget : []),
  ];
}

const target = '(request-target)';

const plainTarget = 'Write (request-target)';
const spellingsOfTarget: Axis = (
  [
    ['has request-target without its brackets', 'request-target', plainTarget],
    ['has (Request-Target) with capitals', '(Request-Target)', plainTarget],
    ['has (REQUEST-TARGET) in capitals', '(REQUEST-TARGET)', plainTarget],
    ['has the line of the (request-target) without its name', null, 'Write (request-target): before the method'],
  ] as const
).map(([did, spelt, cure]) => spelling(did, (name) => (name === target ? spelt : name), cure));

function titled(name: string): string {
  return name.replace(/(?<![a-z0-9])[a-z]/g, (letter) => letter.toUpperCase());
}

const encodings: Axis = [
  change('is in lower case from end to end', 'Write only the names in lower case, and the values as they are sent', {
    letters: (text) => text.toLowerCase(),
  }),
  change('was signed in UTF-8, but the headers are sent in ISO-8859-1', 'Sign the bytes that are sent', {
    encode: (text) => Buffer.from(text, 'utf8'),
  }),
  change('was signed in ISO-8859-1, but the headers are sent in UTF-8', 'Sign the bytes that are sent', {
    encode: (text) => Buffer.from(Buffer.from(text, 'latin1').toString('utf8'), 'latin1'),
  }),
  change('was signed in UTF-16', 'Sign its bytes in UTF-8', { encode: (text) => Buffer.from(text, 'utf16le') }, 2),
];

function wraps(hash: HashName): Axis {
  const hashed = (bytes: Buffer): Buffer => createHash(hash).update(bytes).digest();
  const wrap = (
    did: string,
    cure: string,
    made: (bytes: Buffer) => Buffer | string,
    cost: Change['cost'] = 1,
  ): Change => change(did, cure, { wrap: (bytes) => Buffer.from(made(bytes)) }, cost);
  const twice = 'Sign the string itself: signing hashes it';
  const itself = 'Sign the string itself';
  return [
    wrap('was hashed twice: its hash was signed', twice, hashed),
    wrap('was hashed twice: its hash in hexadecimal was signed', twice, (bytes) => hashed(bytes).toString('hex')),
    wrap('was hashed twice: its hash in base64 was signed', twice, (bytes) => hashed(bytes).toString('base64')),
    wrap('was written in base64 before it was signed', itself, (bytes) => bytes.toString('base64')),
    wrap('was signed in double quotes', 'Sign the string without them', quoted, 2),
    wrap('was signed as a JSON string', itself, (bytes) => JSON.stringify(bytes.toString()), 2),
    wrap('was signed with its percent escapes', itself, (bytes) => encodeURIComponent(bytes.toString('latin1')), 2),
  ];
}

function quoted(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from('"'), bytes, Buffer.from('"')]);
}
