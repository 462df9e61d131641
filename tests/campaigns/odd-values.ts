import fc from 'fast-check';
import type { Seeded } from '../lab/seeded.ts';
import { placesIn } from '../lab/places-in.ts';
import { anyOf, drawn } from './campaign.ts';

/** Texts that a careless reader takes for words, dates, numbers or markup that it knows. */
export const oddTexts = [
  ...(['', ' ', 'x', '\u00a0', 'å', 'a\u0308', '😀', '\ud800', '\0', 'a\0b', 'a\nb'] as const),
  ...['\u001f', '\u001b[2J', '\u202e', '"', '\\', '<b>', '<script>alert(1)</script>', '&amp;'],
  ...['NOK', 'QQQ', 'JPY', 'EUR', 'XXX', 'ACSC', 'ACSP', 'RCVD', 'PART', 'ACFC', 'RJCT', 'running', 'frozen'],
  ...['Daily', 'Monthly', 'MonthlyVariable', 'payments', 'bulk-payments', 'periodic-payments', 'sepa-credit-transfers'],
  ...['private', 'corporate', 'PRIVATE', 'CORPORATE', 'null', 'true', 'NaN', '__proto__', 'constructor'],
  ...['2027-03-24', '2027-03-30', '2027-02-30', '0000-00-00', '0001-01-01', '1969-12-31', '2100-01-01', '9999-12-31'],
  ...['2027-3-30', '2027-03-28T02:30:00+01:00', '05:30', '25:00', '05:30,09:30,', 'P1D', 'PT24H', 'P99Y'],
  ...['0', '-0', '-1', '13', '1,1', '1e3', '1e9', '-0.00', '00.00', '0.01', '100.00', '9999999999999.99'],
  ...['12345678901234567890.00', '13039319955', '09232911044', '90491105991'],
  ...['NO9386011117947', 'DE89370400440532013000', 'https://tpp.example/x', 'javascript:alert(1)'],
  ...['{}', '[]', '{"a":', '{"instructedAmount":{"amount":"x","currency":"NOK"}}', '{"startDate":"9999-12-31"}'],
  ...['{"remittanceInformationUnstructured":{"a":1}}', "'; drop table payment; --", '../..', '../../etc/passwd'],
  ...['%00', '%E0%A4%A', '?#/', 'enc!!', 'x'.repeat(600), 'x'.repeat(100_000)],
] as const;

const oddJson = fc.oneof(
  fc.constantFrom<unknown[]>(null, true, 0, -1, 1.5, 1e300, 2 ** 53, -0, [], {}, [[]], [null], { x: 1 }),
  fc.constantFrom(...oddTexts, 'Ω'.repeat(70_000)),
  fc.jsonValue({ maxDepth: 4 }),
);

/** Any JSON. */
export function anyJson(random: Seeded): unknown {
  return drawn(random, oddJson);
}

/** A value of JSON with one place changed: left out, repeated or added beside, or another value. */
export function withOddJson(random: Seeded, value: unknown): unknown {
  const copy: unknown = structuredClone(value);
  const place = anyOf(random, placesIn(copy));
  if (place === undefined) return anyJson(random);
  const [holder, name] = place;
  const kind = random.below(6);
  const isList = Array.isArray(holder);
  if (kind === 0 && isList) holder.splice(Number(name), 1);
  else if (kind === 0) Reflect.deleteProperty(holder, name);
  else if (kind === 1 && isList) holder.push(holder[Number(name)]);
  else Reflect.set(holder, kind === 1 ? random.pick(addedNames) : name, anyJson(random));
  return copy;
}

const addedNames = ['x', 'toString', 'id', 'length', 'status'] as const;
