import { createPrivateKey, createPublicKey } from 'node:crypto';
import { unescaped } from '../../../engine/values/text.ts';
import { decodeStrictBase64 } from '../signature/signed-text.ts';

/** The words of the BEGIN line of a PEM text, also where its line breaks are lost. */
const beginLine = /-----BEGIN ([A-Z0-9 ]{1,40})-----/;

/** What is known of a certificate header that is not the base64 of a certificate. */
export interface OtherContent {
  /** How it is written, such as "a PEM text with percent escapes"; null: as the base64 that is wanted. */
  readonly form: string | null;
  /** Its content if that is no certificate, such as "a public key"; null: it may be a certificate. */
  readonly held: string | null;
}

/** Recognises a certificate header that is no strict base64: PEM and base64 in other spellings. */
export function otherContent(value: string): OtherContent {
  const plain = unescaped(value);
  const label = beginLine.exec(plain)?.[1];
  if (label !== undefined) return { form: `a PEM text ${pemForm(value, plain)}`, held: heldBy(label) };
  const form = plain === value ? base64Form(value) : 'base64 with percent escapes';
  const der = Buffer.from(plain, 'base64');
  return { form, held: form === null ? null : keyIn(der) };
}

/** Names the key or the request in a DER value or a PEM text that holds no certificate; null: not known. */
export function keyIn(bytes: Buffer): string | null {
  const label = beginLine.exec(bytes.toString('latin1'))?.[1];
  if (label !== undefined) return heldBy(label);
  const reads = (read: () => unknown): boolean => {
    try {
      return read() !== undefined;
    } catch {
      return false;
    }
  };
  // First: a public key is read from a private one too.
  for (const type of ['pkcs8', 'pkcs1'] as const) {
    if (reads(() => createPrivateKey({ key: bytes, format: 'der', type }))) return 'a private key';
  }
  for (const type of ['spki', 'pkcs1'] as const) {
    if (reads(() => createPublicKey({ key: bytes, format: 'der', type }))) return 'a public key';
  }
  return null;
}

/** Says what the header holds in place of a certificate, and what to send. */
export function cureOfHeld(held: string): string {
  const careful = held === 'a private key' ? ' A private key is for nobody else: make another.' : '';
  return `It is ${held}, not a certificate.${careful} Send the certificate that was issued for the key.`;
}

function heldBy(label: string): string | null {
  if (label.endsWith('PUBLIC KEY')) return 'a public key';
  if (label.endsWith('PRIVATE KEY')) return 'a private key';
  if (label.endsWith('CERTIFICATE REQUEST')) return 'a certificate request';
  return label === 'CERTIFICATE' ? null : `a PEM block ${label}`;
}

function pemForm(value: string, plain: string): string {
  if (plain !== value) return 'with percent escapes';
  if (plain.includes(String.raw`\n`)) return 'with a backslash and an n in place of each line break';
  return /-----BEGIN [A-Z0-9 ]+-----\s/.test(plain)
    ? 'with blanks in place of its line breaks'
    : 'without its line breaks';
}

function base64Form(value: string): string | null {
  const isBase64 = (text: string): boolean => decodeStrictBase64(text) !== null;
  if (isBase64(value.replace(/\s/g, ''))) return 'base64 with blanks in it';
  if (isBase64(value.replace(/^:(.*):$/s, '$1'))) return 'base64 in colons, as Client-Cert has it (RFC 9440)';
  if (/^[\w-]+={0,2}$/.test(value) && /[-_]/.test(value)) return 'base64 for URLs, with - and _';
  return /^[A-Za-z0-9+/]+$/.test(value) && value.length > 1 ? 'base64 without its padding' : null;
}
