/** Replaces the control token, as it is written, by `***`. */
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

/** The mask of a server with this control token; null: it has none. */
export function maskOf(token: string | null): Mask {
  return token === null ? (text) => text : (text) => text.replaceAll(token, hidden);
}

/** Masks the headers of a request: the value of a secret header, and the control token in all others. */
export function maskedHeaders(pairs: readonly (readonly [string, string])[], mask: Mask): [string, string][] {
  return pairs.map(([name, value]) => [mask(name), isSecretHeader(name) ? hidden : mask(value)]);
}

/** Masks a text that holds headers as lines, such as a signing string: the values of secret headers, and the control token. */
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
