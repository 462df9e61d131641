import { issuerMismatch } from '../name/issuer-mismatch.ts';
import { normaliseSerial } from '../certificate/serial.ts';
import { oneLine } from '../../../engine/values/text.ts';
import { invalidSignature } from '../signing-refusal.ts';
import type { TppCertificate } from '../certificate/tpp-certificate.ts';

/** The serial and the issuer of a keyId, as written. Null if the keyId lacks the form `SN=...,CA=...`. */
export function readKeyId(keyId: string): { readonly serial: string; readonly issuer: string } | null {
  const [, serial, issuer] = /^\s*SN\s*=([^,]*),\s*CA\s*=(.*)$/is.exec(keyId) ?? [];
  return serial === undefined || issuer === undefined ? null : { serial, issuer };
}

/**
 * Checks that the keyId (`SN=<hexadecimal serial>,CA=<issuer>`) names the sent certificate (rules.md G3). Compares the
 * serial as a number and the issuer attribute by attribute. Throws a SIGNATURE_INVALID refusal with both values if they differ. `instead`
 * says that the certificate belongs to another key than the signing key; null if it fits or if nobody can tell.
 */
export function checkKeyId(
  keyId: string,
  certificate: Pick<TppCertificate, 'tpp' | 'issuer'>,
  instead: () => string | null = () => null,
): void {
  if (agreed.get(certificate) === keyId) return;
  const { tpp, issuer } = certificate;
  const written = readKeyId(keyId);
  if (written === null) {
    throw invalidSignature(
      `The keyId is "${oneLine(keyId, 120)}".${cureOfForm(keyId)} Expected SN=<hexadecimal serial>,CA=<issuer in RFC 2253 form>.`,
    );
  }
  const serial = written.serial.trim();
  if (normaliseSerial(serial) !== tpp.serial) {
    const spelling = cureOfSpelling(serial, tpp.serial);
    const wrong = spelling === null ? instead() : null;
    if (wrong !== null) {
      throw invalidSignature(
        `The certificate sent is the wrong one: its serial is ${oneLine(tpp.serial)}, the keyId names "${oneLine(serial)}". ${wrong}`,
      );
    }
    const cure = spelling ?? 'Write the serial of the certificate that is sent.';
    throw invalidSignature(
      `The serial in the keyId is "${oneLine(serial)}", the certificate's is ${oneLine(tpp.serial)}. ${cure}`,
    );
  }
  const mismatch = issuerMismatch(written.issuer, issuer);
  if (mismatch !== null)
    throw invalidSignature(`The issuer in the keyId does not match the certificate: ${oneLine(mismatch, 240)}.`);
  agreed.set(certificate, keyId);
}

/** The last keyId that named a certificate. A TPP sends the same keyId each time, and parsing names is slow. */
const agreed = new WeakMap<object, string>();

function cureOfForm(keyId: string): string {
  if (/^\s*CA\s*=/i.test(keyId)) return ' The issuer stands before the serial: put SN= first.';
  if (/^\s*SN\s*=/i.test(keyId)) return ' The issuer is missing: add ,CA= and its name.';
  return '';
}

/** The advice on another spelling of this serial. Null if the serial is a different one. */
function cureOfSpelling(sent: string, serial: string): string | null {
  const isSerial = (text: string): boolean => normaliseSerial(text) === serial;
  if (isSerial(sent.replaceAll(':', ''))) return 'Write it without colons.';
  if (isSerial(sent.replace(/^0x/i, ''))) return 'Write it without 0x.';
  if (isSerial(sent.replace(/[\s-]/g, ''))) return 'Write it without blanks and hyphens.';
  if (isDecimalOf(sent, serial)) return 'What was sent is the serial in decimal; write it in hexadecimal.';
  if (isSerial((sent.match(/../g) ?? []).reverse().join(''))) {
    return "Its bytes are in reverse order, as .NET's GetSerialNumber gives them: use SerialNumber.";
  }
  return null;
}

function isDecimalOf(text: string, serial: string): boolean {
  return /^\d{1,60}$/.test(text) && BigInt(text) === BigInt(`0x${serial}`);
}
