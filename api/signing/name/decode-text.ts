const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const utf16 = new TextDecoder('utf-16be');
const tagOfBmpString = 30;

/** The text of UTF-8 bytes, or null when they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** Decodes bytes of unknown encoding: as UTF-8 when they are valid UTF-8, else as latin1. */
export function decodeUtf8OrLatin1(bytes: Uint8Array): string {
  return decodeUtf8(bytes) ?? Buffer.from(bytes).toString('latin1');
}

/**
 * Text of an ASN.1 string, by its tag number. Issuers put UTF-8 and latin1 bytes into every string type: only BMPString
 * (two bytes a character) is decoded by its type, the others as UTF-8 or else latin1.
 */
export function decodeAsn1String(tag: number, bytes: Uint8Array): string {
  return tag === tagOfBmpString ? utf16.decode(bytes) : decodeUtf8OrLatin1(bytes);
}
