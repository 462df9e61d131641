import type { Seeded } from '../../../lab/seeded.ts';

/** Values that a careless reader takes for numbers, dates, times or texts that it knows. */
export const oddNumbers = [
  0n,
  1n,
  -1n,
  2n,
  7n,
  1_000n,
  2n ** 31n,
  2n ** 53n - 1n,
  2n ** 53n + 1n,
  -(2n ** 53n),
  2n ** 63n - 1n,
  -(2n ** 63n),
  10n ** 17n,
  10n ** 17n + 1n,
  1_806_487_200_000n,
  -62_135_596_800_000n,
  253_402_300_799_999n,
  8_640_000_000_000_001n,
] as const;

export const oddTexts = [
  '',
  ' ',
  'x',
  'NOK',
  'QQQ',
  'JPY',
  'ACSC',
  'ACSP',
  'RCVD',
  'PART',
  'ACFC',
  'running',
  'frozen',
  'Daily',
  'MonthlyVariable',
  'payments',
  'bulk-payments',
  'periodic-payments',
  'sepa-credit-transfers',
  'private',
  'corporate',
  '2027-03-30',
  '2027-02-30',
  '0000-00-00',
  '0001-01-01',
  '1969-12-31',
  '2100-01-01',
  '9999-12-31',
  '2027-3-30',
  '05:30',
  '25:00',
  '05:30,09:30,',
  '1,1',
  '13',
  '0',
  '-1',
  '1e9',
  'NaN',
  'null',
  '{}',
  '[]',
  '{"a":',
  '{"instructedAmount":{"amount":"x","currency":"NOK"}}',
  '{"remittanceInformationUnstructured":{"a":1}}',
  '{"startDate":"9999-12-31"}',
  '__proto__',
  'constructor',
  '<script>alert(1)</script>',
  '\u0000',
  'a\u0000b',
  'a\nb',
  '\u001b[2J',
  '\u202e',
  '../../etc/passwd',
  '%00',
  '?#/',
  'enc!!',
  'x'.repeat(100_000),
] as const;

const oddJson: readonly [unknown, ...unknown[]] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  2 ** 53,
  '',
  'x',
  '2027-02-30',
  '\u0000',
  '__proto__',
  'Ω'.repeat(70_000),
  [],
  {},
  [[]],
  [null],
  { x: 1 },
];

/** A value of JSON with one place changed, and what was done there. */
export function withOddJson(random: Seeded, value: unknown): { readonly what: string; readonly value: unknown } {
  const copy: unknown = structuredClone(value);
  const places = placesIn(copy, '');
  const place = places[random.below(places.length)];
  if (place === undefined) return { what: 'another value', value: random.pick(oddJson) };
  const { holder, name, path } = place;
  const kind = random.below(6);
  if (kind === 0) {
    if (Array.isArray(holder)) holder.splice(Number(name), 1);
    else Reflect.deleteProperty(holder, name);
    return { what: `${path} left out`, value: copy };
  }
  if (kind === 1) {
    const more = random.pick(['x', 'toString', 'id', 'length']);
    if (Array.isArray(holder)) holder.push(holder[Number(name)]);
    else Reflect.set(holder, more, random.pick(oddJson));
    return { what: `more beside ${path}`, value: copy };
  }
  const odd = random.pick(oddJson);
  Reflect.set(holder, name, odd);
  return { what: `${path} is ${JSON.stringify(odd)?.slice(0, 40)}`, value: copy };
}

interface Place {
  readonly holder: object;
  readonly name: string;
  readonly path: string;
}

function placesIn(value: unknown, path: string): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const here = `${path}.${name}`;
    return [{ holder: value, name, path: here }, ...placesIn(member, here)];
  });
}
