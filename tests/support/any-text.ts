import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };
/** Any code point but a surrogate. */
const character = fc
  .nat(0x10ffff - surrogates.count)
  .map((code) => String.fromCodePoint(code < surrogates.first ? code : code + surrogates.count));

/** Any text at all. The unit `binary` of fast-check draws the same, and first makes a table of all characters, which takes a second. */
export function anyText(constraints: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: character });
}
