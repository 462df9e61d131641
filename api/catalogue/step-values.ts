import type { Json } from './scenario.ts';
import { runInNewContext } from 'node:vm';

/**
 * The member of a JSON value at a dotted path (`_links.scaRedirect.href`, `accounts.0.resourceId`), undefined when
 * there is none.
 */
export function pickMember(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    return Object.getOwnPropertyDescriptor(at, name)?.value;
  }, value);
}

/** Returns what a value has at and below these paths. */
export function onlyMembers(value: unknown, paths: readonly string[]): unknown {
  if (paths.includes('') || typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const own = paths.filter((path) => path === name || path.startsWith(`${name}.`));
    const below = own.map((path) => path.slice(name.length + 1));
    return below.length === 0 ? [] : [[name, onlyMembers(member, below)] as const];
  });
  return Array.isArray(value) ? kept.map(([, member]) => member) : Object.fromEntries(kept);
}

/** JSON in as few lines as fit into the width: each object or list on one line where there is room. */
export function shortJson(value: unknown, width = 110, indent = ''): string {
  const line = inLine(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= width) return line;
  const inner = `${indent}  `;
  const members = keyed(value).map(([key, member]) => `${inner}${key}${shortJson(member, width, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${members.join(',\n')}\n${indent}${close}`;
}

function inLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = keyed(value).map(([key, member]) => key + inLine(member));
  if (Array.isArray(value)) return `[${members.join(', ')}]`;
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** The members, each with its key as JSON writes it: `"name": `, empty in a list. */
function keyed(value: object): (readonly [key: string, member: unknown])[] {
  const isList = Array.isArray(value);
  return Object.entries(value).map(([name, member]) => [isList ? '' : `${JSON.stringify(name)}: `, member]);
}

/** A name that a value can be kept under. */
export const keptName = /^\w{1,40}$/;
const place = /\{(\w+)\}/g;

/** The text with the kept values in the places of their names. */
export function filled(text: string, kept: ReadonlyMap<string, string>): string {
  return text.replaceAll(place, (_place, name: string) => {
    const value = kept.get(name);
    if (value === undefined) throw new Error(`no step before has kept ${name}`);
    return value;
  });
}

/** The value with the kept values in all its texts. */
export function filledJson(value: Json, kept: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return filled(value, kept);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => filledJson(item, kept));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filledJson(member, kept)]));
}

/** The names of the places in the texts of a value. Regular expressions of an expectation have none. */
export function placesIn(value: unknown): string[] {
  if (typeof value === 'string') return [...value.matchAll(place)].map(([, name = '']) => name);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (name === 'matches' ? [] : placesIn(member)));
}

/** Maximum processor time of a match, in ms. */
const maxMatchMs = 1_000;
/** Timeout of the first try, in ms: an idle machine has given the second by then. */
const firstTimeout = 1_100;

/**
 * A scenario cannot go on: an answer is not the expected one, the server is gone, a pattern takes too long. The message
 * has a line or more; `problem` says the same as JSON if an answer was another one.
 */
export class ScenarioFailed extends Error {
  readonly problem: object | null;

  constructor(message: string, problem: object | null = null) {
    super(message);
    this.problem = problem;
  }
}

function givenUp(pattern: string): ScenarioFailed {
  return new ScenarioFailed(`the pattern /${pattern}/ was given up after a second: it tries too many ways to match`);
}

/** The text that a pattern matched, and those of its groups. */
type Match = readonly (string | undefined)[];

/**
 * The match of a scenario's pattern in a text, or null. Throws a ScenarioFailed after a second of processor time, and a
 * SyntaxError for an invalid pattern. Blocks the thread meanwhile. `timeout`: in ms, by the wall clock, which on a busy
 * machine may pass before any work is done.
 */
export function boundedMatch(pattern: string, text: string, timeout = firstTimeout): Match | null {
  const before = process.cpuUsage();
  const isUsedUp = (): boolean => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 >= maxMatchMs;
  };
  try {
    const found: unknown = runInNewContext('new RegExp(pattern).exec(text)', { pattern, text }, { timeout });
    // A second try has a longer timeout, in which a pattern may end that the first would have given up.
    if (isUsedUp()) throw givenUp(pattern);
    return found === null ? null : Array.from(found as ArrayLike<string | undefined>);
  } catch (error) {
    const { code, name, message } = Object(error) as { code?: unknown; name?: unknown; message?: unknown };
    // An error of the other context is no instance of this context's Error.
    if (name === 'SyntaxError') throw new SyntaxError(String(message));
    if (code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    if (isUsedUp()) throw givenUp(pattern);
    return boundedMatch(pattern, text, 2 * timeout);
  }
}
