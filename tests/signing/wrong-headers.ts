import { digestOf, json, type Mistake, redate, redigest, sha256 } from './hand-signed.ts';

/** Date, Digest and body. */
export const wrongHeaders: readonly Mistake[] = [
  ['a one-digit day', redate((date) => date.toUTCString().replace(/, \d\d/, ', 7')), 'FORMAT_ERROR', 'with two digits'],
  ['ISO 8601', redate((date) => date.toISOString()), 'FORMAT_ERROR', 'It is in ISO 8601'],
  [
    'a wrong weekday',
    redate((date) => date.toUTCString().replace(/^.../, (day) => (day === 'Sun' ? 'Mon' : 'Sun'))),
    'FORMAT_ERROR',
    'The weekday of that day is',
  ],
  [
    'no GMT',
    redate((date) => date.toUTCString().replace(' GMT', '')),
    'FORMAT_ERROR',
    'GMT is missing at its end. Exp',
  ],
  [
    'no GMT and a one-digit day',
    redate((date) =>
      date
        .toUTCString()
        .replace(/, \d\d/, ', 7')
        .replace(' GMT', ''),
    ),
    'FORMAT_ERROR',
    'GMT is missing at its end. Write the day with two digits',
  ],
  ['+0000', redate((date) => date.toUTCString().replace('GMT', '+0000')), 'FORMAT_ERROR', 'write GMT at its end'],
  [
    'a Norwegian date',
    redate((date) => date.toUTCString().replace(/^..., (\d\d) .../, 'tir., $1 mars')),
    'FORMAT_ERROR',
    'in English, whatever the locale',
  ],
  [
    'one hour off',
    redate((date) => new Date(date.getTime() + 3_600_000).toUTCString()),
    'TIMESTAMP_INVALID',
    'One hour off: is it local time labelled GMT?',
  ],
  [
    'two hours off',
    redate((date) => new Date(date.getTime() + 7_200_000).toUTCString()),
    'TIMESTAMP_INVALID',
    '2 hours off',
  ],
  [
    'a clock that is behind',
    redate((date) => new Date(date.getTime() - 600_000).toUTCString()),
    'TIMESTAMP_INVALID',
    'check the clock',
  ],
  [
    'digest of the pretty-printed body',
    digestOf((body) => JSON.stringify(json(body), null, 2)),
    'FORMAT_ERROR',
    'the digest of the pretty-printed body',
  ],
  [
    'digest of the body as Python writes it',
    digestOf((body) => JSON.stringify(json(body)).replaceAll('":', '": ').replaceAll(',"', ', "')),
    'FORMAT_ERROR',
    'as Python does',
  ],
  [
    'digest of the body and a newline',
    digestOf((body) => `${body}\n`),
    'FORMAT_ERROR',
    'the digest of the body and a line break',
  ],
  ['digest of an empty body', digestOf(() => ''), 'FORMAT_ERROR', 'the digest of an empty body'],
  [
    'digest of [object Object]',
    digestOf(() => '[object Object]'),
    'FORMAT_ERROR',
    'the digest of the text [object Object]',
  ],
  [
    'digest of JSON in JSON',
    digestOf((body) => JSON.stringify(body.toString())),
    'FORMAT_ERROR',
    'written as JSON twice',
  ],
  ['digest of the hash', digestOf((body) => sha256(body)), 'FORMAT_ERROR', 'the hash of the body: it was hashed twice'],
  ['digest of another body', digestOf(() => 'x'), 'FORMAT_ERROR', 'bytes of the body. Hash the exact bytes'],
  [
    'digest in hexadecimal',
    redigest((value) => `SHA-256=${Buffer.from(value, 'base64').toString('hex')}`),
    'FORMAT_ERROR',
    'it is in hexadecimal',
  ],
  [
    'digest in base64 of hexadecimal',
    redigest((value) => `SHA-256=${Buffer.from(Buffer.from(value, 'base64').toString('hex')).toString('base64')}`),
    'FORMAT_ERROR',
    'base64 of hexadecimal',
  ],
  [
    'digest in base64 twice',
    redigest((value) => `SHA-256=${Buffer.from(value).toString('base64')}`),
    'FORMAT_ERROR',
    'it is in base64 twice, write',
  ],
  [
    'digest in base64url',
    redigest((value) => `SHA-256=-${Buffer.from(value, 'base64').toString('base64url').slice(1)}`),
    'FORMAT_ERROR',
    'it is base64url',
  ],
  [
    'digest without padding',
    redigest((value) => `SHA-256=${value.replace('=', '')}`),
    'FORMAT_ERROR',
    'it lacks its padding, put',
  ],
  ['digest without its name', redigest((value) => value), 'FORMAT_ERROR', 'lacks SHA-256= before'],
  [
    'digest as Content-Digest has it',
    redigest((value) => `sha-256=:${value}:`),
    'FORMAT_ERROR',
    'leave out the colons',
  ],
  ['digest of MD5', redigest(() => 'MD5=XUFAKrxLKna5cZ2REBfFkg=='), 'FORMAT_ERROR', 'neither SHA-256 nor SHA-512'],
  [
    'a body that is an object written as text',
    (parts) => {
      parts.body = Buffer.from('[object Object]');
      digestOf((body) => body)(parts);
    },
    'FORMAT_ERROR',
    'an object was written as text',
  ],
];
