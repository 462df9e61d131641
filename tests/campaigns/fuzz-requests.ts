import fc from 'fast-check';
import { ofEveryBank } from '../../api/control/control-plane.ts';
import { endpoints } from '../../api/interface/index.ts';
import type { Endpoint } from '../../api/pipeline/endpoint.ts';
import type { Seeded } from '../lab/seeded.ts';
import { anyOf, drawn } from './campaign.ts';
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

/** Values of the known state, for members that name something in it. */
const knownValues: Readonly<Record<string, unknown>> = {
  debtorAccount: { bban: '09232911044', currency: 'NOK' },
  psu: '13039319955',
  customerNumber: '13039319955',
};

/** A value that the schema shows or allows. Other members are left out now and then. */
function valueOf(schema: Schema, random: Seeded, name = ''): unknown {
  if (name in knownValues) return knownValues[name];
  const { type, properties = {}, required = [], items = {} } = schema;
  const shown = [...(schema.examples ?? []), ...(schema.enum ?? [])];
  if (type === 'object' && (shown.length === 0 || random.below(2) === 0)) {
    const members = Object.entries(properties).filter(([each]) => required.includes(each) || random.below(3) === 0);
    return Object.fromEntries(members.map(([each, member]) => [each, valueOf(member, random, each)]));
  }
  if (shown.length > 0) return withKnown(random.pick(shown));
  if (type === 'array') return Array.from({ length: random.below(4) }, () => valueOf(items, random));
  if (type === 'boolean') return random.below(2) === 0;
  return type === 'string' ? random.pick(oddTexts) : random.below(100);
}

/** An example with the values of the known state. */
function withKnown(example: unknown): unknown {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example;
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, knownValues[name] ?? value]));
}

/** Bodies of the calls of the control plane, by `METHOD /path`. */
const controlBodies = new Map(
  ofEveryBank.map(({ method, path, body }) => [`${method} /sandbox${path}`, withoutDelays(body as Schema | undefined)]),
);

/** A delay that the bank takes would only make the campaign slow. */
function withoutDelays(schema: Schema | undefined): Schema | undefined {
  if (schema?.properties?.['delay'] === undefined) return schema;
  return { ...schema, properties: { ...schema.properties, delay: { type: 'string' } } };
}

const interfaceBodies = endpoints.flatMap(({ body }) => body ?? []);

/** The schema of a body: of a call of the control plane, of an endpoint, or of any other endpoint. */
export function schemaOf(random: Seeded, call: string | Endpoint): Schema {
  const own = typeof call === 'string' ? controlBodies.get(call) : call.body;
  const body = (random.below(10) > 0 && own) || random.pick(interfaceBodies);
  return ('byProduct' in body ? random.pick(Object.values(body.byProduct)) : body) as Schema;
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

/** A plausible body, mostly changed in a place or two; sometimes no JSON. */
export function anyBody(random: Seeded, schema: Schema): Buffer {
  if (random.below(5) === 0) return random.pick(brokenBodies)(random);
  let value = valueOf(schema, random);
  for (let changes = random.below(3); changes > 0; changes -= 1) ({ value } = withOddJson(random, value));
  return Buffer.from(JSON.stringify(value) + (random.below(25) === 0 ? random.pick(oddTexts) : ''));
}

/** A path in express syntax with each parameter replaced. */
export function fill(path: string, random: Seeded, known: Known, products: readonly string[] = []): string {
  return path.replace(/:(\w+)/g, (_parameter, name: string) => {
    const product = anyOf(random, products);
    if (name === 'product' && product !== undefined && random.below(8) > 0) return product;
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

const rawLines = fc.constantFrom(
  ...['GET /v1/accounts HTTP/1.1', 'POST /sandbox/reset HTTP/1.1', 'Host: 127.0.0.1', 'X: a\n b', 'Content-Length: 9'],
  ...['Transfer-Encoding: chunked', 'Connection: upgrade', 'Upgrade: h2c', 'Upgrade: websocket'],
  ...['', 'zz', 'garbage', '\u0016\u0003\u0001', `X: ${'a'.repeat(20_000)}`],
);

/** Bytes that are no request, or nearly one. */
export function rawBytes(random: Seeded): Buffer {
  const lines = drawn(random, fc.array(rawLines, { minLength: 1, maxLength: 5 }));
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

/** A UUID derived from the seed; now and then the same again, as in a repeated request. */
export function anyUuid(random: Seeded): string {
  return `4eba4445-1a4b-47b8-bdd5-${random.below(100_000).toString(16).padStart(12, '0')}`;
}
