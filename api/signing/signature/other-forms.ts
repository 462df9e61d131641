import { unreadableWord } from '../name/encoded-word.ts';
import { decodeStrictBase64 } from './signed-text.ts';

/**
 * Names the form of a Signature header that the bank does not read, and says what to send instead. Null: it has the bank's own form, or an
 * unknown one. `isWrapped`: it begins as an RFC 2047 encoded word, and could not be decoded.
 */
export function otherForm(value: string, isWrapped: boolean): string | null {
  if (isWrapped) {
    const fault = unreadableWord(value);
    return fault === null ? null : `${fault} Write =?utf-8?B?...?= around the base64 of the whole value in UTF-8.`;
  }
  // The usual form; what follows decodes and reads the whole value.
  if (/^keyid="/i.test(value)) return null;
  if (/^signature\s/i.test(value)) {
    return 'It begins with the word "Signature", which belongs to the header Authorization. Leave that word out.';
  }
  if (/^[a-z*][\w.*-]{0,80}=:/.test(value)) {
    return 'It is a signature of RFC 9421. The bank wants the older draft (draft-cavage-http-signatures): sign Date, and send no Signature-Input.';
  }
  const decoded = decodeStrictBase64(value);
  if (decoded !== null) {
    return decoded.includes('keyId=')
      ? 'It is base64 without the wrap of an encoded word. Write =?utf-8?B? before it and ?= behind it.'
      : 'It is the signature value alone. Send the four parts keyId, algorithm, headers and signature.';
  }
  if (/^\s*keyid\s*='/i.test(value)) return 'Its values are in single quotes. Put them in double quotes.';
  if (/^\s*"?keyid"?\s*:/i.test(value) || value.startsWith('{')) {
    return 'It is written as JSON. Write each part as name="value", with commas between them.';
  }
  return /^\s*keyid\s*=[^"]/i.test(value) ? 'Its values have no quotes. Put each in double quotes.' : null;
}

const laterPart = /,\s*(created|expires|nonce|tag)\s*=|^\s*(created|expires|nonce|tag)\s*=/gi;

/** Names the parts of a later draft in a Signature header, with quotes or without, and says what to do; null: it has none. */
export function laterParts(text: string): string | null {
  const bare = text.replace(/"[^"]*"/g, '""');
  const names = [...new Set([...bare.matchAll(laterPart)].map(([, behind, first]) => behind ?? first ?? ''))];
  const [only, ...others] = names;
  if (only === undefined) return null;
  const [parts, them] = others.length === 0 ? ['part', 'it'] : ['parts', 'them'];
  return `It has the ${parts} ${names.join(' and ')} of a later draft, which the bank does not read: leave ${them} out, and sign Date.`;
}

/** What to do about an algorithm that is not rsa-sha256. */
export function cureOfAlgorithm(name: string): string {
  const plain = name.toLowerCase();
  if (plain === 'hs2019') {
    return 'That name is of a later draft: write rsa-sha256, and sign with RSA PKCS#1 v1.5 and SHA-256.';
  }
  if (['sha256withrsa', 'sha256rsa', 'rs256', 'rsa-sha-256', 'rsa-v1_5-sha256', 'sha-256', 'sha256'].includes(plain)) {
    return 'Write it as rsa-sha256.';
  }
  return 'Sign with RSA PKCS#1 v1.5 and SHA-256.';
}

/** What is wrong with the names of headers="...", and what to do; null: nothing. */
export function faultOfNames(names: readonly string[]): string | null {
  if (names.some((name) => name.includes(','))) {
    return 'The names in headers="..." have commas between them. Put blanks there, not commas: headers="date digest".';
  }
  if (names.some((name) => name.includes(';'))) {
    return 'The names in headers="..." have semicolons in them. Put blanks between them: headers="date digest".';
  }
  const later = names.find((name) => /^\((?:created|expires)\)$/i.test(name));
  return later === undefined
    ? null
    : `headers="..." names ${later}, which is of a later draft and which the bank does not read. Sign date in its place.`;
}

export const inHexadecimal = 'It is in hexadecimal. Write its bytes in base64.';

/** Whether a signature value is written in hexadecimal, which is base64 of other bytes too. */
export function isHexadecimal(value: string): boolean {
  return value.length >= 256 && value.length % 2 === 0 && /^[0-9a-f]+$/i.test(value);
}

/** Says how a part `signature` is written that is not strict base64, and what to do. */
export function otherEncoding(value: string): string {
  if (isHexadecimal(value)) return inHexadecimal;
  if (/^:.*:$/.test(value)) return 'It has colons around it, as in RFC 9421. Leave them out.';
  if (/[%]/.test(value)) return 'It has percent escapes. Send the base64 itself, with + / and =.';
  if (/\s/.test(value)) return 'It has blanks or line breaks in it. Write the base64 in one line.';
  if (/^[\w-]+={0,2}$/.test(value) && /[-_]/.test(value)) {
    return 'It is base64url. Write + and / in place of - and _, and pad it with =.';
  }
  if (/^[A-Za-z0-9+/]+$/.test(value))
    return 'It lacks its padding. Put = behind it until the length is a multiple of four.';
  return 'Send the base64 of its bytes.';
}
