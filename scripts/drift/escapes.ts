import { decodedUri } from '../../engine/values/text.ts';

/* Characters by their codes, as addresses, JSON, C and HTML spell them, with all backslashes of JSON within JSON; digits as hexadecimal codes, and digits of other scripts. */
const escape =
  /(?<uri>(?:%[\da-f]{2})+)|(?<!\\)(?<slashes>\\+)(?:u(?<json>[\da-f]{4})|x(?<c>[\da-f]{2}))|&#(?<decimal>\d{2,6});|&#x(?<html>[\da-f]{2,5});|(?<![\da-f])(?<hex>3\d(?:[: -]?3\d){7,})(?![\da-f])|(?<figure>(?!\d)\p{Nd})/giu;

/** Maximum depth of escapes of escapes. */
const maxLayers = 4;

/** A character of a text, and how the text spells another one in its place. */
interface Sign {
  readonly sign: string;
  readonly spell: (sign: string) => string;
}

/** Rewrites what a text means. Escapes stay escapes of the same kind. `rewrite` keeps the length of what it is given. */
export function throughEscapes(text: string, rewrite: (text: string) => string, layers = maxLayers): string {
  const signs = layers > 0 ? signsOf(text) : null;
  if (signs === null) return rewrite(text);
  const meant = meaningOf(signs);
  const own = throughEscapes(meant, rewrite, layers - 1);
  if (own === meant) return text;
  let at = 0;
  return signs.map(({ sign, spell }) => spell(own.slice(at, (at += sign.length)))).join('');
}

/** What a text means after all its escapes. */
export function withoutEscapes(text: string, layers = maxLayers): string {
  const signs = layers > 0 ? signsOf(text) : null;
  return signs === null ? text : withoutEscapes(meaningOf(signs), layers - 1);
}

function meaningOf(signs: readonly Sign[]): string {
  return signs.map(({ sign }) => sign).join('');
}

/** Null: the text has no escapes. */
function signsOf(text: string): Sign[] | null {
  const found: Sign[] = [];
  const plain = (part: string): void => void found.push({ sign: part, spell: (own) => own });
  let at = 0;
  for (const match of text.matchAll(escape)) {
    const signs = escapedIn(match.groups ?? {});
    if (signs === null) continue;
    plain(text.slice(at, match.index));
    for (const sign of signs) found.push(sign);
    at = match.index + match[0].length;
  }
  if (at === 0) return null;
  plain(text.slice(at));
  return found;
}

/** Null: these are no escapes of characters. */
function escapedIn(groups: Readonly<Record<string, string | undefined>>): Sign[] | null {
  const { uri, slashes = '', json, c, decimal, html, hex, figure } = groups;
  if (uri !== undefined) {
    const meant = decodedUri(uri);
    const inCase = uri === uri.toLowerCase() ? (own: string) => own.toLowerCase() : (own: string) => own.toUpperCase();
    const spell = (own: string): string =>
      inCase(
        Buffer.from(own)
          .toString('hex')
          .replaceAll(/../g, (byte) => `%${byte}`),
      );
    return meant === null ? null : Array.from(meant, (sign) => ({ sign, spell }));
  }
  if (hex !== undefined)
    return Array.from(hex.matchAll(/3(\d)([: -]?)/g), ([, sign = '', between = '']) => ({
      sign,
      spell: (own) => codeOf(own).toString(16) + between,
    }));
  if (figure !== undefined) {
    const value = valueOf(figure);
    const zero = codeOf(figure) - value;
    return [
      { sign: String(value), spell: (own) => (/^\d$/.test(own) ? String.fromCodePoint(zero + Number(own)) : own) },
    ];
  }
  if (json !== undefined)
    return [{ sign: String.fromCharCode(Number.parseInt(json, 16)), spell: (own) => `${slashes}u${hexOf(own, 4)}` }];
  if (decimal !== undefined) return [{ sign: signOf(Number(decimal)), spell: (own) => `&#${codeOf(own)};` }];
  if (c !== undefined) return [{ sign: signOf(Number.parseInt(c, 16)), spell: (own) => `${slashes}x${hexOf(own, 2)}` }];
  return [{ sign: signOf(Number.parseInt(html ?? '', 16)), spell: (own) => `&#x${hexOf(own, 2)};` }];
}

function signOf(code: number): string {
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}

function codeOf(sign: string): number {
  return sign.codePointAt(0) ?? 0;
}

function hexOf(sign: string, width: number): string {
  return codeOf(sign).toString(16).padStart(width, '0');
}

/** The value of a digit of any script. Each script has its ten digits in a row. Mathematics has five rows without a gap, which NFKC reads. */
function valueOf(figure: string): number {
  const plain = figure.normalize('NFKC');
  if (/^\d$/.test(plain)) return Number(plain);
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(codeOf(figure) - value - 1))) value += 1;
  return value;
}
