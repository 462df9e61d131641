import { endpoints } from '../../api/interface/index.ts';
import type { Seeded } from '../lab/seeded.ts';
import { anyJson, oddTexts, withOddJson } from './odd-values.ts';

/** Ids and names from earlier answers, for later requests. */
export class Known {
  ids: readonly string[] = ['enc!!AAAAAAAAAAAAAAAAAAAAAA==', '09232911044', 'default', '1', '0'];
  scas: readonly string[] = ['none'];

  learn(text: string): void {
    this.ids = newest(this.ids, text, /(?<="(?:paymentId|resourceId|consentId|id|basketId|name)":")[^"]{1,80}(?=")/g);
    this.scas = newest(this.scas, text, /(?<=\/sca\/)[\w-]{1,80}/g);
  }
}

/** The newest hundred of these and what the text has. */
function newest(known: readonly string[], text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...known, ...(text.match(pattern) ?? [])])].slice(-100);
}

/** The keywords of a schema from which a value is made. */
interface Schema {
  readonly type?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

/** Values of the known state for members that name something in it, and a delay that does not make the campaign slow. */
const knownValues: Readonly<Record<string, unknown>> = {
  debtorAccount: { bban: '09232911044', currency: 'NOK' },
  psu: '13039319955',
  customerNumber: '13039319955',
  delay: 'PT0S',
};

/** A value that the schema shows or allows. Other members are left out now and then. */
function valueOf(schema: Schema, random: Seeded): unknown {
  const { type, properties = {}, required = [], items = {} } = schema;
  const shown = [...(schema.examples ?? []), ...(schema.enum ?? [])];
  if (type === 'object' && (shown.length === 0 || random.below(2) === 0)) {
    const members = Object.entries(properties).filter(([each]) => required.includes(each) || random.below(3) === 0);
    return Object.fromEntries(members.map(([each, member]) => [each, valueOf(member, random)]));
  }
  if (shown.length > 0) return random.pick(shown);
  if (type === 'array') return Array.from({ length: random.below(4) }, () => valueOf(items, random));
  if (type === 'boolean') return random.below(2) === 0;
  return type === 'string' ? random.pick(oddTexts) : random.below(100);
}

const interfaceBodies = endpoints.flatMap(({ body }) => body ?? []);

/** The schema of a body: that of the call, now and then of any endpoint. */
function schemaOf(random: Seeded, own: object | null | undefined): Schema {
  const body = (random.below(10) > 0 && own) || random.pick(interfaceBodies);
  return 'byProduct' in body ? random.pick(Object.values(body.byProduct as Record<string, Schema>)) : body;
}

/** Bodies that are no JSON, or hard to read. */
const brokenBodies: readonly ((random: Seeded) => Buffer)[] = [
  () => Buffer.alloc(0),
  (random) => Buffer.from('[{"a":'.repeat(random.below(2_000))),
  () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  () => Buffer.from('{"a":1,"a":2,"__proto__":{"b":1}}'),
  (random) => Buffer.from(`{"creditorName":"\\ud800","a":"${'x'.repeat(random.below(300_000))}"}`),
  (random) => Buffer.from(JSON.stringify(anyJson(random))),
];

/** A plausible body for a call, mostly changed in a place or two; sometimes no JSON. Few GETs have one. */
export function anyBody(random: Seeded, method: string, own: object | null | undefined): Buffer {
  if (method === 'GET' && random.below(8) > 0) return Buffer.alloc(0);
  if (random.below(5) === 0) return random.pick(brokenBodies)(random);
  const plain = JSON.stringify(valueOf(schemaOf(random, own), random));
  let value: unknown = JSON.parse(plain, (name, member: unknown) => knownValues[name] ?? member);
  for (let changes = random.below(3); changes > 0; changes -= 1) value = withOddJson(random, value);
  return Buffer.from(JSON.stringify(value) + (random.below(25) === 0 ? random.pick(oddTexts) : ''));
}

/** A path in express syntax with each parameter replaced. */
export function fill(path: string, random: Seeded, known: Known, products: readonly string[] = []): string {
  return path.replace(/:(\w+)/g, (_parameter, name: string) => {
    if (name === 'product' && products.length > 0 && random.below(8) > 0) return random.pick(products);
    if (name === 'scaId') return random.pick(known.scas);
    return random.below(4) > 0 ? encodeURIComponent(random.pick(known.ids)) : anyPart(random);
  });
}

/** A query of known and unknown parameters. */
export function anyQuery(random: Seeded, names: readonly string[] = []): string {
  if (random.below(3) > 0) return '';
  const parameter = (): string => `${random.pick([...names, 'limit', 'x'])}=${anyPart(random)}`;
  return `?${Array.from({ length: 1 + random.below(3) }, parameter).join('&')}`;
}

/** A part of an address. Escapes what an address cannot hold; keeps wrong escapes. */
function anyPart(random: Seeded): string {
  const text = random.pick(oddTexts).slice(0, 600);
  return text.replace(/[^\x21-\x7e]|[#?]/gu, (character) => encodeURIComponent(character.toWellFormed()));
}

/** A header value. */
export function anyHeaderValue(random: Seeded): string {
  const bytes = Buffer.from(random.pick(oddTexts).slice(0, 600));
  return bytes.toString('latin1').replace(/[^\x20-\x7e\x80-\xff]/g, '');
}

const rawLines = [
  ...['GET /v1/accounts HTTP/1.1', 'POST /sandbox/reset HTTP/1.1', 'Host: 127.0.0.1', 'X: a\n b', 'Content-Length: 9'],
  ...['Transfer-Encoding: chunked', 'Connection: upgrade', 'Upgrade: h2c', 'Upgrade: websocket'],
  ...['', 'zz', 'garbage', '\u0016\u0003\u0001', `X: ${'a'.repeat(20_000)}`],
] as const;

/** Bytes that are no request, or nearly one. */
export function rawBytes(random: Seeded): Buffer {
  const lines = Array.from({ length: 1 + random.below(5) }, () => random.pick(rawLines));
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
