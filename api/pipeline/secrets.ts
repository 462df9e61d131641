/**
 * Replaces the control token by `***`: as it is written, with any of its characters percent-encoded, and as a text of
 * JSON has it.
 */
export type Mask = (text: string) => string;

const hidden = '***';
const secretWords = /token|secret|key|auth|password|credential|cookie|subscription/i;
/** Names that hold one of the words, and are no secret. */
const openNames: readonly string[] = ['idempotency-key', 'keyid'];
const headerLine = /^([\w!#$%&'*+.^`|~-]+)(:[ \t]*)[^\r\n]+/gm;

/** Whether the value of this header is a secret (docs/spec/control-plane.md C3). */
function isSecretHeader(name: string): boolean {
  return secretWords.test(name) && !openNames.includes(name.toLowerCase());
}

/** The mask of a server with this control token, or null for a server without one. */
export function maskOf(token: string | null): Mask {
  if (token === null) return (text) => text;
  const inJson = JSON.stringify(token).slice(1, -1);
  // PHP escapes slashes too.
  const forms = [token, inJson, inJson.replaceAll('/', '\\/')];
  return (text) =>
    withoutEncoded(
      forms.reduce((left, form) => left.replaceAll(form, hidden), text),
      token,
    );
}

/** Masks a token that is percent-encoded: which of its characters, each client decides by itself. */
function withoutEncoded(text: string, token: string): string {
  const plain = text.replaceAll(/%[2-7][\da-f]/gi, (hex) => String.fromCharCode(Number.parseInt(hex.slice(1), 16)));
  let at = plain.indexOf(token);
  if (at === -1) return text;
  const signs: string[] = text.match(/%[2-7][\da-f]|[^]/gi) ?? [];
  for (; at !== -1; at = plain.indexOf(token, at + token.length))
    signs.fill('', at, at + token.length).splice(at, 1, hidden);
  return signs.join('');
}

/** The id of an SCA, or of a page of access, in the address of its page. */
const pageId = /(?<=(?:\/|%2f)sca(?:\/|%2f))(?:[\w-]{32}|access(?:\/|%2f)\d{1,15}\.[\w-]{43})(?![\w-])/gi;

/** Replaces what opens a page of a bank by itself. */
export function withoutPageIds(text: string): string {
  return text.replace(pageId, hidden);
}

/** Masks the headers of a request: the value of a secret header, and the control token in all others. */
export function maskedHeaders(pairs: readonly (readonly [string, string])[], mask: Mask): [string, string][] {
  return pairs.map(([name, value]) => [mask(name), isSecretHeader(name) ? hidden : mask(value)]);
}

/**
 * Masks a text that holds headers as lines, such as a signing string: the values of secret headers, and the control
 * token.
 */
export function maskedLines(text: string, mask: Mask): string {
  return mask(
    text.replace(headerLine, (line, name: string, colon: string) =>
      isSecretHeader(name) ? `${name}${colon}${hidden}` : line,
    ),
  );
}

/** A value of JSON with {@link maskedLines} of each text in it. */
export function maskedValue<Value>(value: Value, mask: Mask): Value {
  const hide = (_: string, each: unknown): unknown => (typeof each === 'string' ? maskedLines(each, mask) : each);
  return JSON.parse(JSON.stringify(value, hide)) as Value;
}

/**
 * Eleven digits that stand alone. Those in a member `bban`, in a serial number (`SN=...`) and at the end of a UUID are
 * something else.
 */
const elevenDigits =
  /(?<!\d)(?<!"bban"\s*:\s*")(?<!SN=[0-9A-F]{0,40})(?<![\da-f]{8}(?:-[\da-f]{4}){3}-(?=[\da-f]{12}(?![\da-f]))[\da-f]?)\d{11}(?!\d)/gi;

/**
 * Masks national identity numbers, D-, H- and synthetic numbers, as they are written, with asterisks of the same
 * length.
 */
export function withoutIdentityNumbers(text: string): string {
  return text.replace(elevenDigits, (digits) => (isIdentityNumber(digits) ? '*'.repeat(digits.length) : digits));
}

const firstWeights = [3, 7, 6, 1, 8, 9, 4, 5, 2, 1];
const secondWeights = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1];

/**
 * Whether eleven digits are an identity number: a day, a month and both check digits. A D-number adds 40 to the day; H-
 * and synthetic numbers add 40, 65 or 80 to the month. From 2032 on, the first check digit may leave a rest of 0 to 3.
 */
export function isIdentityNumber(digits: string): boolean {
  const day = Number(digits.slice(0, 2)) % 40;
  const wholeMonth = Number(digits.slice(2, 4));
  const month = [80, 65, 40, 0].map((more) => wholeMonth - more).find((left) => left > 0) ?? 0;
  if (Number(digits.slice(0, 2)) > 71 || day < 1 || day > 31 || month < 1 || month > 12) return false;
  const sum = (weights: readonly number[]): number =>
    weights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0) % 11;
  return sum(firstWeights) <= 3 && sum(secondWeights) === 0;
}
