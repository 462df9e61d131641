/** A value of somebody who does not exist, spelled in one way. */
export interface Plant {
  /** `an identity number, in hexadecimal digits`. */
  readonly name: string;
  /** What `--privacy` may call it. */
  readonly what: RegExp;
  /** Nothing else can be meant: the check has to name it. Else it may count it as not judged. */
  readonly isJudged: boolean;
  /** Reads the spelling: digits with other signs between them. Left out: the spelling does not keep the digits. */
  readonly plain?: (spelled: string) => string;
  /** The value without its spelling: nothing may tell it afterwards. */
  readonly secret: string;
  readonly spelled: string;
}

type Spelling = readonly [spell: (digits: string) => string, plain?: (spelled: string) => string];

const asItIs = (spelled: string): string => spelled;
const withSign = (sign: string): Spelling => [(digits) => grouped(digits, sign), asItIs];
const withEscape = (escape: (code: number) => string, read: RegExp, base: number): Spelling => [
  (digits) => Array.from(digits, (digit) => escape(digit.charCodeAt(0))).join(''),
  (spelled) => spelled.replace(read, (_, code: string) => String.fromCharCode(Number.parseInt(code, base))),
];
const inScript = (zero: number): Spelling => [
  (digits) => Array.from(digits, (digit) => String.fromCodePoint(zero + Number(digit))).join(''),
  (spelled) => Array.from(spelled, (sign) => String((sign.codePointAt(0) ?? 0) - zero)).join(''),
];

/** Ways to spell digits that a person or a program uses. */
const ofDigits: Readonly<Record<string, Spelling>> = {
  bare: [asItIs, asItIs],
  'in a sentence': [(digits) => `Betalt for ${digits} i mai`, asItIs],
  'in brackets': [(digits) => `(${digits})`, asItIs],
  'in quotes': [(digits) => `"${digits}"`, asItIs],
  'behind a colon': [(digits) => `nr:${digits}`, asItIs],
  'behind an equals sign': [(digits) => `fnr=${digits};`, asItIs],
  'with blanks': withSign(' '),
  'with two blanks': withSign('  '),
  'with dots': withSign('.'),
  'with hyphens': withSign('-'),
  'with blanks and hyphens': withSign(' - '),
  'with slashes': withSign('/'),
  'with underscores': withSign('_'),
  'with commas': withSign(','),
  'with en dashes': withSign('\u2013'),
  'with non-breaking hyphens': withSign('\u2011'),
  'with non-breaking blanks': withSign('\u00a0'),
  'with narrow blanks': withSign('\u202f'),
  'with thin blanks': withSign('\u2009'),
  'with ideographic blanks': withSign('\u3000'),
  'with signs of no width': withSign('\u200b'),
  'with joiners': withSign('\u2060'),
  'with soft hyphens': withSign('\u00ad'),
  'with tabs': withSign('\t'),
  'over two lines': withSign('\n'),
  'each digit alone': [(digits) => [...digits].join(' ')],
  fullwidth: inScript(0xff10),
  'Arabic-Indic': inScript(0x660),
  'bold mathematical': inScript(0x1d7ce),
  Devanagari: inScript(0x966),
  'percent signs': withEscape((code) => `%${code.toString(16)}`, /%(..)/g, 16),
  'percent signs, twice': withEscape((code) => `%25${code.toString(16)}`, /%25(..)/g, 16),
  'escapes of JSON': withEscape((code) => `\\u00${code.toString(16)}`, /\\u(....)/g, 16),
  'escapes of C': withEscape((code) => `\\x${code.toString(16)}`, /\\x(..)/g, 16),
  'entities of HTML': withEscape((code) => `&#${code};`, /&#(\d+);/g, 10),
  'hexadecimal entities': withEscape((code) => `&#x${code.toString(16)};`, /&#x(\w+);/g, 16),
  'hexadecimal digits': withEscape((code) => code.toString(16), /(3\d)/g, 16),
  'hexadecimal digits with colons': withEscape((code) => `${code.toString(16)}:`, /(3\d):/g, 16),
  'one percent sign': [(digits) => `%${digits.charCodeAt(0).toString(16)}${digits.slice(1)}`],
  base64: [(digits) => Buffer.from(`${digits} er kunde`).toString('base64')],
  'base64url behind a prefix': [(digits) => `v1.${Buffer.from(`id ${digits}`).toString('base64url')}`],
  'JSON in a text': [(digits) => JSON.stringify({ id: digits }), asItIs],
};

function grouped(digits: string, sign: string): string {
  const sizes: Readonly<Record<number, readonly number[]>> = {
    8: [3, 2, 3],
    9: [3, 3, 3],
    11: [6, 5],
    16: [4, 4, 4, 4],
  };
  let at = 0;
  return (sizes[digits.length] ?? []).map((size) => digits.slice(at, (at += size))).join(sign);
}

/** Nobody's numbers, with right check digits. */
const numbers = [
  ['an identity number', '13039319955', /identity number/],
  ['an account number', '86011117947', /account number|identity number/],
  ['a phone', '91234567', /phone/],
  ['a company', '974760673', /organisation/],
  ['a card', '4111111111111111', /card/],
] as const;

/** Texts that tell of somebody, each as its own plant. */
const others: readonly Plant[] = [
  ...[
    'Ragnhild',
    'RAGNHILD',
    'ragnhild fjordholm',
    'Fjordholm, Ragnhild',
    'R. Fjordholm',
    'Ragnhild%20Fjordholm',
    'Łukasz',
    'Ра́гна',
  ].map((spelled) => ({
    name: `a name: ${spelled}`,
    what: /a name|a text|a token|an id/,
    secret: spelled.slice(-5),
    spelled,
    isJudged: true,
  })),
  ...['kari@post.example', 'Kari <kari@post.example>', 'kari%40post.example', 'KARI@POST.EXAMPLE'].map((spelled) => ({
    name: `mail: ${spelled}`,
    what: /mail/,
    secret: spelled.slice(0, 4),
    spelled,
    isJudged: true,
  })),
  ...['NO9386011117947', 'NO93 8601 1117 947', 'no9386011117947', 'DE89 3704 0044 0532 0130 00'].map((spelled) => ({
    name: `an IBAN: ${spelled}`,
    what: /account number|a text|a token|an id/,
    secret: spelled.replaceAll(/\W/g, '').slice(4),
    spelled,
    isJudged: true,
  })),
  {
    name: 'a street',
    what: /an address|a text|a token|an id/,
    secret: 'Storgata',
    spelled: 'Storgata 117, 0182 Oslo',
    isJudged: true,
  },
];

/** Each number in each spelling, and the other texts. */
export const plants: readonly Plant[] = [
  ...numbers.flatMap(([what, secret, found]) =>
    Object.entries(ofDigits).map(([how, [spell, plain]]) => ({
      name: `${what}, ${how}`,
      what: new RegExp(`${found.source}|a text|a token|an id`),
      isJudged: what !== 'a phone',
      secret,
      spelled: spell(secret),
      ...(plain !== undefined && { plain }),
    })),
  ),
  ...others,
];
