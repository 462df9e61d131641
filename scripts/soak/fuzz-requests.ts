import type { Seeded } from '../../lab/seeded.ts';
import { bulkItem, bulkPayment, periodicPayment, singlePayment } from '../../lab/bodies.ts';

/** Ids and names from earlier answers, for later requests. */
export class Known {
  readonly #ids: string[] = ['enc!!AAAAAAAAAAAAAAAAAAAAAA==', '09232911044', 'default', '1', '0'];
  readonly #scas: string[] = ['none'];

  /** Keeps the newest of each. */
  learn(text: string): void {
    for (const [, id = ''] of text.matchAll(/"(?:paymentId|resourceId|consentId|id|basketId|name)":"([^"]{1,80})"/g))
      keep(this.#ids, id);
    for (const [, id = ''] of text.matchAll(/\/sca\/([\w-]{1,80})/g)) keep(this.#scas, id);
  }

  id(random: Seeded): string {
    return this.#ids[random.below(this.#ids.length)] ?? '';
  }

  sca(random: Seeded): string {
    return this.#scas[random.below(this.#scas.length)] ?? '';
  }
}

function keep(list: string[], id: string): void {
  if (list.includes(id)) return;
  list.push(id);
  if (list.length > 100) list.shift();
}

const strings = [
  '',
  ' ',
  '\u00a0',
  'å',
  'a\u0308',
  '😀',
  '\ud800',
  '\0',
  '\u001f',
  '"',
  '\\',
  '<b>',
  '&amp;',
  "'; drop table payment; --",
  '../..',
  '%00',
  '%E0%A4%A',
  'null',
  'true',
  '0',
  '-0',
  '-0.00',
  '1e3',
  '00.00',
  '0.01',
  '100.00',
  '9999999999999.99',
  '12345678901234567890.00',
  'NOK',
  'JPY',
  'EUR',
  'XXX',
  '2027-03-24',
  '2027-02-30',
  '2100-01-01',
  '2027-03-28T02:30:00+01:00',
  'P1D',
  'PT24H',
  'P99Y',
  '13039319955',
  '09232911044',
  '90491105991',
  'NO9386011117947',
  'DE89370400440532013000',
  'https://tpp.example/x',
  'javascript:alert(1)',
  'PRIVATE',
  'CORPORATE',
  'ACSC',
  'RJCT',
  'Monthly',
  'x'.repeat(600),
] as [string, ...string[]];

/** Any JSON value, a few levels deep. */
function anyValue(random: Seeded, depth = 0): unknown {
  const kind = random.below(depth > 3 ? 6 : 9);
  if (kind === 0) return null;
  if (kind === 1) return random.below(2) === 0;
  if (kind === 2) return random.pick([0, -1, 1.5, 1e21, 2 ** 53, -0, 100, 1e-7]);
  if (kind < 6) return random.pick(strings);
  if (kind < 8) return Array.from({ length: random.below(4) }, () => anyValue(random, depth + 1));
  return Object.fromEntries(
    Array.from({ length: random.below(4) }, () => [random.pick(strings), anyValue(random, depth + 1)]),
  );
}

const members = [
  'instructedAmount',
  'creditorName',
  'creditorAccount',
  'debtorAccount',
  'requestedExecutionDate',
  'startDate',
  'endDate',
  'frequency',
  'dayOfExecution',
  'payments',
  'now',
  'mode',
  'until',
  'to',
  'by',
  'days',
  'runs',
  'code',
  'path',
  'method',
  'times',
  'status',
  'reason',
  'outcome',
  'psu',
  'context',
  'accounts',
  'paymentIds',
  'access',
  'validUntil',
  'email',
  'customerNumber',
  'customerType',
  'bban',
  'name',
  'balances',
  'amount',
  'currency',
  'seed',
  'quirks',
  'fixtures',
  'serial',
  'snapshot',
] as [string, ...string[]];

const bodies: readonly [(random: Seeded) => object, ...((random: Seeded) => object)[]] = [
  () => singlePayment(),
  () => periodicPayment(),
  (random) => bulkPayment(Array.from({ length: random.below(4) }, () => bulkItem('10.00'))),
  () => ({ outcome: 'approve', psu: '13039319955', context: 'PRIVATE' }),
  () => ({ outcome: 'cancel' }),
  () => ({ outcome: 'expire' }),
  () => ({ to: '2027-04-01' }),
  () => ({ runs: 1 }),
  () => ({ now: '2027-03-24T12:00:00+01:00', mode: 'frozen' }),
  () => ({ code: 'ACCESS_EXCEEDED', method: 'GET', path: '/v1/accounts', times: 1 }),
  (random) => ({ name: `b${random.below(5)}` }),
  () => ({}),
];

/** A plausible body, mostly changed in a place or two; sometimes no JSON. */
export function anyBody(random: Seeded): Buffer {
  const kind = random.below(30);
  if (kind === 0) return Buffer.alloc(0);
  if (kind === 1) return Buffer.from('[{"a":'.repeat(random.below(2_000)));
  if (kind === 2) return Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]);
  if (kind === 3) return Buffer.from('{"a":1,"a":2,"__proto__":{"b":1}}');
  if (kind === 4) return Buffer.from(`{"creditorName":"\\ud800","a":"${'x'.repeat(random.below(300_000))}"}`);
  if (kind === 5) return Buffer.from(JSON.stringify(anyValue(random)));
  if (kind === 6) return Buffer.from(`${JSON.stringify(random.pick(bodies)(random))}${random.pick(strings)}`);
  const body: Record<string, unknown> = { ...random.pick(bodies)(random) };
  for (let changes = random.below(3); changes > 0; changes -= 1) body[random.pick(members)] = anyValue(random);
  const [own = ''] = Object.keys(body);
  if (random.below(4) === 0) body[own] = anyValue(random);
  return Buffer.from(JSON.stringify(body));
}

/** A path in express syntax with each parameter replaced. */
export function fill(path: string, random: Seeded, known: Known, products: readonly string[] = []): string {
  return path.replace(/:(\w+)/g, (_parameter, name: string) => {
    const product = products[random.below(Math.max(1, products.length))];
    if (name === 'product' && product !== undefined && random.below(8) > 0) return product;
    if (name === 'scaId') return known.sca(random);
    return random.below(4) > 0 ? encodeURIComponent(known.id(random)) : safe(random.pick(strings));
  });
}

/** A query of known and unknown parameters. */
export function anyQuery(random: Seeded, names: readonly string[] = []): string {
  if (random.below(3) > 0) return '';
  const some = [...names, 'limit', 'x'];
  return `?${Array.from({ length: 1 + random.below(3) }, () => `${some[random.below(some.length)] ?? ''}=${safe(random.pick(strings))}`).join('&')}`;
}

/** Escapes what an address cannot hold; keeps wrong escapes. */
function safe(text: string): string {
  return text.replace(/[^\x21-\x7e]|[#?]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}

/** A header value. */
export function anyHeaderValue(random: Seeded): string {
  return Buffer.from(random.pick(strings))
    .toString('latin1')
    .replace(/[^\x20-\x7e\x80-\xff]/g, '');
}

/** Bytes that are no request, or nearly one. */
export function rawBytes(random: Seeded): Buffer {
  const lines = [
    'GET /v1/accounts HTTP/1.1',
    'POST /sandbox/reset HTTP/1.1',
    'Host: 127.0.0.1',
    'X: a\n b',
    'Content-Length: 9',
    'Transfer-Encoding: chunked',
    '',
    'zz',
    'garbage',
    '\u0016\u0003\u0001',
    `X: ${'a'.repeat(20_000)}`,
  ] as [string, ...string[]];
  return Buffer.from(
    `${Array.from({ length: 1 + random.below(5) }, () => random.pick(lines)).join('\r\n')}\r\n\r\n`,
    'latin1',
  );
}

/** A UUID derived from the seed; now and then the same again, as in a repeated request. */
export function anyUuid(random: Seeded): string {
  const digits = random.below(1_000_000_000).toString(16).padStart(12, '0');
  return `4eba4445-1a4b-47b8-bdd5-${digits}`;
}
