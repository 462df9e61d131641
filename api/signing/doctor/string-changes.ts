import { createHash } from 'node:crypto';
import type { HashName } from './signature-block.ts';
import type { Axis, Change, Draft } from './draft.ts';

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
