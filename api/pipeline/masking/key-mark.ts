/** Possible values of a byte. */
type ByteSet = readonly number[];

const base64Digits = [...Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')];

/** DER bytes near the beginning of each kind of private key, as hexadecimal digits; a dot is any digit. */
const keyMarks = [
  // PKCS#8: version 0 and the OID of an algorithm, whose parameters may be long; version 1 of Edwards and Montgomery curves.
  ...['..', '81..', '82....'].map((length) => `02010030${length}060.`),
  '020101300506032b65',
  // Encrypted PKCS#8: by PBES1 or PBES2 (PKCS#5), or by PKCS#12.
  '06092a864886f70d01050.',
  '060a2a864886f70d010c01',
  // PKCS#1, and DSA as OpenSSL has it: version 0 and a number. SEC1: version 1 and bytes.
  ...['81..', '82....'].map((length) => `30${length}02010002`),
  ...['..', '81..', '82....'].map((length) => `30${length}02010104`),
];

let mark: RegExp | null = null;

/**
 * Finds the beginning of a private key in a text: in the base64 of its bytes, of its text without PEM lines, and of its text with them.
 * The pattern takes milliseconds to make: a start does not wait for it.
 */
export function keyMarkPattern(): RegExp {
  mark ??= new RegExp(allKeyTexts(), 'g');
  return mark;
}

function allKeyTexts(): string {
  const keyTexts = keyMarks.map(bytesOf).flatMap(base64Of);
  const pemLine = [...Buffer.from('PRIVATE KEY-----')].map((byte) => [byte]);
  return patternOf([...keyTexts, ...[...keyTexts, pemLine].flatMap(base64Of)]);
}

/** A pattern of all these texts, none of which begins another. Texts that begin alike share their beginning, which is faster. */
function patternOf(texts: readonly (readonly ByteSet[])[]): string {
  const alike = Map.groupBy(texts, ([first]) => (first === undefined ? '' : classOf(first)));
  const all = [...alike].map(([first, some]) => {
    return first === '' ? '' : first + patternOf(some.map((text) => text.slice(1)));
  });
  return all.length === 1 ? all.join('') : `(?:${all.join('|')})`;
}

/** The bytes of hexadecimal digits, where a dot is any digit. */
function bytesOf(digits: string): readonly ByteSet[] {
  const any = Array.from({ length: 16 }, (_, digit) => digit);
  const each = [...digits].map((digit) => (digit === '.' ? any : [Number.parseInt(digit, 16)]));
  const high = each.filter((_, at) => at % 2 === 0);
  return high.map((of, at) => of.flatMap((digit) => (each[2 * at + 1] ?? []).map((low) => (digit << 4) | low)));
}

/** The characters of their base64 that depend on these bytes alone, at each alignment: for each character those that it can be. */
function base64Of(bytes: readonly ByteSet[]): (readonly ByteSet[])[] {
  return [0, 1, 2].map((shift) => {
    const end = Math.floor(((shift + bytes.length) * 8) / 6);
    const texts: ByteSet[] = [];
    for (let at = Math.ceil((shift * 8) / 6); at < end; at += 1) {
      const first = Math.floor((at * 6) / 8);
      const drop = 10 - ((at * 6) % 8);
      // Each half for itself, as a pair of unknown bytes has 65,536 values.
      const ends = new Set((bytes[first - shift + 1] ?? [0]).map((next) => (next >> drop) & 63));
      const begins = new Set((bytes[first - shift] ?? []).map((one) => ((one << 8) >> drop) & 63));
      const values = new Set([...begins].flatMap((begin) => [...ends].map((end) => begin | end)));
      texts.push([...values].map((value) => base64Digits[value] ?? 0));
    }
    return texts;
  });
}

/** A pattern of one character of base64 or base64url. */
function classOf(codes: ByteSet): string {
  if (codes.length === base64Digits.length) return '[\\w+/-]';
  const text = String.fromCharCode(...codes);
  return codes.length === 1 && /\w/.test(text) ? text : `[${text.replace('+', '+\\-').replace('/', '/_')}]`;
}
