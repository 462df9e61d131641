import { randomUUID, sign } from 'node:crypto';
import {
  header,
  hostOf,
  json,
  key,
  type Mistake,
  oldDate,
  retext,
  sha256,
  signAs,
  withValue,
  wrong,
} from './hand-signed.ts';

/** The signing string is another one than the bank's. */
export const wrongStrings: readonly Mistake[] = [
  ['a trailing newline', retext((text) => `${text}\n`), wrong, 'ends with a line break.'],
  ['CRLF', retext((text) => text.replaceAll('\n', '\r\n')), wrong, 'has CRLF line breaks.'],
  [
    'CRLF, at the end too',
    retext((text) => `${text}\n`.replaceAll('\n', '\r\n')),
    wrong,
    'ends with a CRLF and has CRLF',
  ],
  ['a literal \\n', retext((text) => text.replaceAll('\n', String.raw`\n`)), wrong, 'the two characters \\ and n'],
  ['no blank after the colon', retext((text) => text.replace(/^(\S+): /gm, '$1:')), wrong, 'no blank after the colons'],
  [
    'the (request-target) without its name',
    retext((text) => text.replace('(request-target): ', '')),
    wrong,
    'has the line of the (request-target) without its name. Write (request-target): before the method.',
  ],
  [
    'the string in lower case',
    retext((text) => text.toLowerCase()),
    wrong,
    'is in lower case from end to end. Write only the names in lower case',
  ],
  ['the values alone', retext((text) => text.replace(/^\S+: /gm, '')), wrong, 'the values alone'],
  [
    'names in capitals',
    retext((text) => text.replace(/^\S+:/gm, (name) => name.toUpperCase())),
    wrong,
    'has the names in capitals.',
  ],
  [
    'names as the interface prints them',
    retext((text) =>
      text.replace(
        /^(\S+):/gm,
        (name) =>
          ({
            'date:': 'Date:',
            'digest:': 'Digest:',
            'x-request-id:': 'X-Request-ID:',
            'tpp-redirect-uri:': 'TPP-Redirect-URI:',
          })[name] ?? name,
      ),
    ),
    wrong,
    'names as they are sent',
  ],
  [
    'a newline and capitals',
    retext((text) => `${text.replace(/^\S+:/gm, (name) => name.toUpperCase())}\n`),
    wrong,
    'ends with a line break and has the names in capitals',
  ],
  [
    'another order',
    retext((text) => text.split('\n').reverse().join('\n')),
    wrong,
    'has the order tpp-redirect-uri x-request-id',
  ],
  [
    'a header left out',
    retext((text) =>
      text
        .split('\n')
        .filter((line) => !line.startsWith('x-request-id'))
        .join('\n'),
    ),
    wrong,
    'lacks x-request-id.',
  ],
  [
    'a header added',
    (parts) => retext((text) => `${text}\nx-psu-identity: ${header(parts, 'X-PSU-IDENTITY')}`)(parts),
    wrong,
    'has x-psu-identity too',
  ],
  ['an older Date', withValue('date', (parts) => oldDate(parts, 7)), wrong, 'another Date, 7 s earlier'],
  [
    'a Date in ISO 8601',
    withValue('date', (parts) => new Date(header(parts, 'Date')).toISOString()),
    wrong,
    'has the date in ISO 8601',
  ],
  [
    'the method in capitals',
    withValue('(request-target)', (parts) => `POST ${parts.target}`),
    wrong,
    'has the method in capitals',
  ],
  [
    '(request-target) without the query',
    withValue('(request-target)', (parts) => `post ${parts.target.split('?')[0]}`),
    wrong,
    'has the path without its query',
  ],
  [
    '(request-target) with the host',
    withValue('(request-target)', (parts) => `post http://${hostOf()}${parts.target}`),
    wrong,
    'has the path as a whole address',
  ],
  [
    '(request-target) behind a proxy',
    withValue('(request-target)', (parts) => `post ${parts.target.replace('/v1', '')}`),
    wrong,
    'without /v1, as behind a proxy',
  ],
  [
    '(request-target) before a gateway',
    withValue('(request-target)', (parts) => `post /api${parts.target}`),
    wrong,
    'with /api before it',
  ],
  [
    'the digest of the pretty-printed body',
    withValue('digest', (parts) => `SHA-256=${sha256(JSON.stringify(json(parts.body), null, 2)).toString('base64')}`),
    wrong,
    'has the Digest of the pretty-printed body',
  ],
  [
    'the digest of an empty body',
    withValue('digest', () => `SHA-256=${sha256('').toString('base64')}`),
    wrong,
    'has the Digest of an empty body',
  ],
  [
    'the digest without its name',
    withValue('digest', (parts) => header(parts, 'Digest').slice(8)),
    wrong,
    'has the Digest without SHA-256=',
  ],
  [
    'hashed twice',
    signAs((text) => sign('RSA-SHA256', sha256(text), key).toString('base64')),
    wrong,
    'hashed twice: its hash was signed',
  ],
  [
    'hashed twice, in hexadecimal',
    signAs((text) => sign('RSA-SHA256', Buffer.from(sha256(text).toString('hex')), key).toString('base64')),
    wrong,
    'its hash in hexadecimal',
  ],
  ['another X-Request-ID', withValue('x-request-id', () => randomUUID()), wrong, 'over another text'],
];
