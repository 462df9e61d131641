import common from '../../schemas/common.json' with { type: 'json' };
import type { Fault } from '../../../engine/core/fault.ts';
import { formats } from './formats.ts';
import { shown } from './shown.ts';

/** One broken keyword of a schema, as the validator reports it. */
export interface Violation {
  readonly keyword: string;
  /** JSON Pointer to the value. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
  readonly parentSchema?: Readonly<Record<string, unknown>>;
}

interface Described {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Described>>;
}

const longestName = 100;

/** A violation as the refusal the caller reads: FORMAT_ERROR with a dotted path (rules.md E1, E3). */
export function faultOf(violation: Violation): Fault {
  const path = pathOf(violation);
  const text = textOf(violation);
  return path === '' ? { code: 'FORMAT_ERROR', text } : { code: 'FORMAT_ERROR', path, text };
}

/** `/payments/3/creditorName` becomes `payments[3].creditorName`; a missing or unknown member is named too. */
function pathOf({ instancePath, params }: Violation): string {
  const named = params['missingProperty'] ?? params['additionalProperty'] ?? params['member'] ?? '';
  const path = instancePath
    .split('/')
    .slice(1)
    .reduce((whole, segment) => (/^\d+$/.test(segment) ? `${whole}[${segment}]` : joined(whole, segment)), '');
  return joined(path, String(named).slice(0, longestName));
}

function joined(left: string, right: string): string {
  return left === '' || right === '' ? left + right : `${left}.${right}`;
}

function textOf(violation: Violation): string {
  const { keyword, params, data } = violation;
  const schema: Described = violation.parentSchema ?? {};
  switch (keyword) {
    case 'rules':
      return String(params['text']);
    case 'format':
      return `${shown(data)} is refused: ${formats[String(params['format'])]?.(String(data)) ?? expected(schema)}.`;
    case 'required':
      return `${String(params['missingProperty'])} is missing. Send ${memberExpected(schema, params)}.`;
    case 'additionalProperties':
      return `${shown(params['additionalProperty'])} is no member here. Leave it out; the members are ${Object.keys(schema.properties ?? {}).join(', ')}.`;
    case 'type':
      return typeText(data, schema, params);
    case 'enum':
      return `${shown(data)} is refused: expected one of ${(params['allowedValues'] as unknown[]).join(', ')}, spelled so.`;
    case 'maxLength':
      return `It has ${Array.from(String(data)).length} characters, at most ${params['limit']} fit. Shorten it: ${shown(data)}.`;
    default:
      return `${shown(data)} is refused: expected ${expected(schema)}.`;
  }
}

function typeText(data: unknown, schema: Described, params: Violation['params']): string {
  const received = typeof data === 'object' ? `It is ${kindOf(data)}` : `${shown(data)} is ${kindOf(data)}`;
  if (typeof data === 'number' && params['type'] === 'string') {
    const sample = schema.examples?.[0] ?? String(data);
    return `${received}: expected ${schema.description ?? 'a string'}. Send it as a string: ${JSON.stringify(sample)}.`;
  }
  return `${received}: expected ${expected(schema)}.`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function memberExpected(schema: Described, params: Violation['params']): string {
  const member = schema.properties?.[String(params['missingProperty'])] ?? {};
  const definitions: Readonly<Record<string, Described>> = common.$defs;
  return expected(definitions[member.$ref?.split('/').at(-1) ?? ''] ?? member);
}

function expected({ description = 'another value', examples }: Described): string {
  return examples?.[0] === undefined ? description : `${description}, for example ${JSON.stringify(examples[0])}`;
}
