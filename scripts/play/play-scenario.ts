import { isDeepStrictEqual } from 'node:util';
import { reasonOf } from '../../api/start/error-text.ts';
import { CommandFailed } from '../cli/command.ts';
import { pickMember } from './members.ts';
import type { Json, Scenario, Step } from './scenario.ts';

/** A call of a scenario, as it was sent and answered. */
export interface PlayedStep {
  readonly step: Step;
  readonly request: {
    readonly method: string;
    readonly url: URL;
    /** Without the control token. */
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Buffer;
  };
  readonly status: number;
  /** The JSON of the answer; its text when it is none. */
  readonly answer: unknown;
}

/** Where a scenario is played. */
interface Stage {
  /** Address of the bank, without a slash at the end. */
  readonly address: string;
  /** Token of the control plane; null: none is needed. */
  readonly token: string | null;
}

/** Time limit of a call, in ms. */
const patience = 30_000;

/**
 * Plays a scenario step by step, and adds the values that it keeps to `kept`. Throws a CommandFailed for an answer that is not
 * the expected one.
 */
export async function* playScenario(
  { steps }: Scenario,
  stage: Stage,
  kept: Map<string, string>,
): AsyncGenerator<PlayedStep> {
  for (const [index, step] of steps.entries()) {
    const played = await playStep(step, stage, kept);
    yield played;
    requireExpected(played, index + 1);
    for (const [name, { at, match }] of Object.entries(step.keep ?? {})) {
      const text = String(pickMember(played.answer, at));
      const value = match === undefined ? text : new RegExp(match).exec(text)?.[1];
      if (value === undefined) throw new CommandFailed(`step ${index + 1}: ${at} is ${JSON.stringify(text)}`);
      kept.set(name, value);
    }
  }
}

async function playStep(step: Step, { address, token }: Stage, kept: ReadonlyMap<string, string>): Promise<PlayedStep> {
  const { method, path, headers = {}, body } = step;
  const request = {
    method,
    url: new URL(address + filled(path, kept)),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value, kept)])),
    body: Buffer.from(body === undefined ? '' : JSON.stringify(filledJson(body, kept))),
  };
  const answer = await fetch(request.url, {
    method,
    headers: { ...request.headers, ...(token !== null && { authorization: `Bearer ${token}` }) },
    body: request.body.length === 0 ? null : request.body,
    signal: AbortSignal.timeout(patience),
  }).catch((error: unknown) => {
    throw new CommandFailed(`the server at ${request.url.origin} went away${reasonOf(error)}`);
  });
  return { step, request, status: answer.status, answer: parsed(await answer.text()) };
}

function requireExpected({ step, status, answer }: PlayedStep, number: number): void {
  const { expect } = step;
  if (status !== expect.status) throw unexpected(number, 'the status', expect.status, status);
  for (const [path, wanted] of Object.entries(expect.members ?? {})) {
    const found = pickMember(answer, path);
    if (!isDeepStrictEqual(found, wanted)) throw unexpected(number, path, wanted, found);
  }
}

function unexpected(number: number, what: string, wanted: Json, found: unknown): CommandFailed {
  return new CommandFailed(
    `step ${number} went otherwise: ${what} is ${JSON.stringify(found)}, expected ${JSON.stringify(wanted)}`,
  );
}

/** The text with the kept values in the places of their names. */
export function filled(text: string, kept: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_place, name: string) => {
    const value = kept.get(name);
    if (value === undefined) throw new Error(`no step before has kept ${name}`);
    return value;
  });
}

function filledJson(value: Json, kept: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') return filled(value, kept);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((item) => filledJson(item, kept));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filledJson(member, kept)]));
}

function isList(value: readonly Json[] | { readonly [member: string]: Json }): value is readonly Json[] {
  return Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
