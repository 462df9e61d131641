import { constants, privateEncrypt, publicDecrypt, randomUUID, sign } from 'node:crypto';
import {
  ecKey,
  key,
  type Mistake,
  otherKey,
  type Parts,
  rekey,
  resign,
  setHeader,
  sha256,
  signAs,
  tpp,
  wrong,
} from './hand-signed.ts';

/** Signs so, with an X-Request-ID whose signature shows the mistake: one in thousands does not. */
const signUntil = (shows: (value: string) => boolean, value: Parts['value']) => (parts: Parts) => {
  parts.value = value;
  while (!shows(value(parts.text(parts)))) setHeader(parts, 'X-Request-ID', randomUUID());
};

/** Whether a signature by another key may look like RSA-PSS, which ends with this byte: one of 256 does, and one of 7,000 is told as it. */
function endsAsPss(value: string): boolean {
  try {
    return publicDecrypt({ key, padding: constants.RSA_NO_PADDING }, Buffer.from(value, 'base64')).at(-1) === 0xbc;
  } catch {
    // It is larger than the modulus of the key.
    return false;
  }
}

/** The signature is made otherwise. */
export const wrongSignatures: readonly Mistake[] = [
  [
    'SHA-1',
    signAs((text) => sign('RSA-SHA1', Buffer.from(text), key).toString('base64')),
    wrong,
    'made with SHA-1, which some libraries take where none is named: SHA256withRSA',
  ],
  [
    'SHA-512',
    signAs((text) => sign('RSA-SHA512', Buffer.from(text), key).toString('base64')),
    wrong,
    'made with SHA-512, which only a Digest may have',
  ],
  [
    'SHA-512 and a newline',
    signAs((text) => sign('RSA-SHA512', Buffer.from(`${text}\n`), key).toString('base64')),
    wrong,
    'Sign with SHA-256 (rsa-sha256). Your signing string ends with a line break',
  ],
  [
    'PSS',
    signAs((text) =>
      sign('sha256', Buffer.from(text), { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }).toString(
        'base64',
      ),
    ),
    wrong,
    'made with RSA-PSS',
  ],
  [
    'a bare hash',
    signAs((text) => privateEncrypt(key, sha256(text)).toString('base64')),
    wrong,
    'bare SHA-256 hash, without',
  ],
  [
    'a bare hash in hexadecimal',
    signAs((text) => privateEncrypt(key, Buffer.from(sha256(text).toString('hex'))).toString('base64')),
    wrong,
    'bare SHA-256 hash in hexadecimal',
  ],
  [
    'a text that is not hashed',
    signAs((text) => privateEncrypt(key, Buffer.from(text.slice(0, 100))).toString('base64')),
    wrong,
    'was encrypted with the key',
  ],
  [
    'another key',
    signUntil(
      (value) => !endsAsPss(value),
      (text) => sign('RSA-SHA256', Buffer.from(text), otherKey).toString('base64'),
    ),
    wrong,
    'another key than the certificate',
  ],
  ['ECDSA', signAs((text) => sign('sha256', Buffer.from(text), ecKey).toString('base64')), wrong, 'ECDSA signature'],
  ['HMAC', signAs((text) => sha256(text).toString('base64')), wrong, '32 bytes, as a hash or an HMAC'],
  [
    'base64 twice',
    signAs((text) => Buffer.from(sign('RSA-SHA256', Buffer.from(text), key).toString('base64')).toString('base64')),
    wrong,
    'It is in base64 twice',
  ],
  [
    'hexadecimal',
    signAs((text) => sign('RSA-SHA256', Buffer.from(text), key).toString('hex')),
    wrong,
    'It is in hexadecimal',
  ],
  [
    'base64url',
    signUntil(
      (value) => /[-_]/.test(value),
      (text) => sign('RSA-SHA256', Buffer.from(text), key).toString('base64url'),
    ),
    wrong,
    'Write + and / in place of - and _',
  ],
  [
    'no padding',
    signAs((text) => sign('RSA-SHA256', Buffer.from(text), key).toString('base64').replace(/=+$/, '')),
    wrong,
    'Put = behind it until',
  ],
  [
    'base64 in lines',
    signAs((text) => sign('RSA-SHA256', Buffer.from(text), key).toString('base64').replace(/.{64}/g, '$& ')),
    wrong,
    'blanks or line breaks in it',
  ],
];

/** The Signature header has another form. */
export const wrongForms: readonly Mistake[] = [
  [
    'a serial with colons',
    rekey(`SN=${(tpp.serialHex.match(/../g) ?? []).join(':')},CA=${tpp.issuerDn}`),
    wrong,
    'without colons',
  ],
  ['a serial with 0x', rekey(`SN=0x${tpp.serialHex},CA=${tpp.issuerDn}`), wrong, 'without 0x'],
  [
    'a decimal serial',
    rekey(`SN=${BigInt(`0x${tpp.serialHex}`)},CA=${tpp.issuerDn}`),
    wrong,
    'in decimal; write it in hexadecimal',
  ],
  [
    'a serial in reverse',
    rekey(`SN=${(tpp.serialHex.match(/../g) ?? []).reverse().join('')},CA=${tpp.issuerDn}`),
    wrong,
    'GetSerialNumber',
  ],
  [
    'a comma that is not escaped',
    rekey(`SN=${tpp.serialHex},CA=${tpp.issuerDn.replaceAll('\\,', ',')}`),
    wrong,
    String.raw`write a comma inside a value as \,`,
  ],
  ['no issuer', rekey(`SN=${tpp.serialHex}`), wrong, 'The issuer is missing'],
  ['the issuer first', rekey(`CA=${tpp.issuerDn},SN=${tpp.serialHex}`), wrong, 'put SN= first'],
  [
    'names with commas',
    resign((text) => text.replace(/headers="[^"]*"/, (part) => part.replaceAll(' ', ','))),
    wrong,
    'blanks there, not commas',
  ],
  [
    'created in quotes',
    resign((text) => `${text},created="1618884473"`),
    wrong,
    'has the part created of a later draft',
  ],
  [
    'expires without quotes',
    resign((text) => `${text}, expires=1618884473`),
    wrong,
    'has the part expires of a later draft',
  ],
  [
    'created and expires without quotes, as the later draft has them, and hs2019',
    resign((text) =>
      text.replace('rsa-sha256', 'hs2019').replace(',headers', ',created=1402170695,expires=1402170995.5,headers'),
    ),
    wrong,
    'has the parts created and expires of a later draft, which the bank does not read: leave them out, and sign Date.',
  ],
  ['created first', resign((text) => `created=1402170695,nonce="x",${text}`), wrong, 'the parts created and nonce of'],
  [
    '(created) signed',
    resign((text) => text.replace('headers="', 'headers="(created) ')),
    wrong,
    'names (created), which is of a later draft',
  ],
  ['hs2019', resign((text) => text.replace('rsa-sha256', 'hs2019')), wrong, 'That name is of a later draft'],
  ['SHA256withRSA', resign((text) => text.replace('rsa-sha256', 'SHA256withRSA')), wrong, 'Write it as rsa-sha256'],
  ['bare base64', resign((text) => Buffer.from(text).toString('base64')), wrong, 'base64 without the wrap'],
  [
    'the value alone',
    resign((text) => /signature="([^"]*)"/.exec(text)?.[1] ?? ''),
    wrong,
    'the signature value alone',
  ],
  [
    'a wrap that is not UTF-8',
    resign((text) => `=?utf-8?B?${Buffer.from(text.replace('Test', 'Bl\xe5'), 'latin1').toString('base64')}?=`),
    wrong,
    'its bytes are not UTF-8',
  ],
  [
    'a wrap of a charset that nobody needs',
    resign((text) => `=?utf-16?B?${Buffer.from(text, 'utf16le').toString('base64')}?=`),
    wrong,
    'charset is utf-16',
  ],
  ['the word Signature', resign((text) => `Signature ${text}`), wrong, 'Leave that word out'],
  [
    'in Authorization',
    (parts) => {
      parts.headers.push(['Authorization', `Signature ${parts.signature(parts, parts.value(parts.text(parts)))}`]);
    },
    'SIGNATURE_MISSING',
    'in the header Authorization',
  ],
  ['single quotes', resign((text) => text.replaceAll('"', "'")), wrong, 'in single quotes'],
  ['no quotes', resign((text) => text.replaceAll('"', '')), wrong, 'have no quotes'],
  [
    'a name listed that is not sent',
    (parts) => {
      parts.names.push('psu-corporate-id');
    },
    wrong,
    'covers the header psu-corporate-id, which was not received',
  ],
  [
    'a header that is not covered',
    (parts) => {
      parts.names = parts.names.filter((name) => name !== 'tpp-redirect-uri');
    },
    wrong,
    'not covered by the signature: tpp-redirect-uri',
  ],
];
