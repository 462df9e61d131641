import { isDeepStrictEqual } from 'node:util';
import { jsonOr } from '../../engine/values/json-text.ts';
import { oneLine } from '../../engine/values/text.ts';
import type { PrintedRequest } from '../pages/curl-line.ts';
import { reasonOf } from '../start/error-text.ts';
import { nextTurn } from '../../engine/time/clock.ts';
import { boundedMatch, filled, filledJson, pickMember, ScenarioFailed, shortJson } from './step-values.ts';
import type { Json, Scenario, Step } from './scenario.ts';

/** The request of a step, without the control token. */
export type StepRequest = PrintedRequest;

/** A call of a scenario, as it was sent and answered. */
export interface PlayedStep {
  readonly step: Step;
  readonly request: StepRequest;
  readonly status: number;
  /** The JSON of the answer; its text when it is none. */
  readonly answer: unknown;
}

/** Where a scenario is played. */
interface Stage {
  /** Address of the bank, without a slash at the end. */
  readonly address: string;
  /** Token of the control plane, if it needs one. */
  readonly token: string | null;
  /** Ends the playing when it is aborted. */
  readonly signal?: AbortSignal;
  /** Reaches the bank, by default over its port. */
  readonly fetch?: typeof fetch;
}

/** Time limit of a call. */
const callTimeoutMs = 30_000;
const endedEarly = 'ended before the last step';
/** Characters of an answer in an error. */
const maxAnswerChars = 2_000;

/**
 * Plays a scenario step by step, and adds the values that it keeps to `kept`. Throws a ScenarioFailed for an answer
 * that is not the expected one; its problem has `step`, `what`, `expected`, `received` and the answer.
 */
export async function* playScenario(
  { steps }: Scenario,
  stage: Stage,
  kept: Map<string, string>,
): AsyncGenerator<PlayedStep> {
  for (const [index, step] of steps.entries()) {
    const played = await playStep(step, stage, kept);
    yield played;
    const find = finderOf(index + 1, stage);
    await requireExpected(played, index + 1, kept, find);
    for (const [name, { at, match }] of Object.entries(step.keep ?? {})) {
      const found = pickMember(played.answer, at);
      const text = typeof found === 'object' ? JSON.stringify(found) : String(found);
      const value = match === undefined ? text : (await find(match, text))?.[1];
      if (found === undefined || value === undefined)
        throw unexpected(played, index + 1, { what: at, expected: match ?? 'a value', received: found });
      kept.set(name, value);
    }
  }
}

async function playStep(
  step: Step,
  { address, token, signal, fetch: send = fetch }: Stage,
  kept: ReadonlyMap<string, string>,
): Promise<PlayedStep> {
  const request = stepRequest(step, address, kept);
  try {
    const answer = await send(request.url, {
      method: request.method,
      headers: { ...request.headers, ...(token !== null && { authorization: `Bearer ${token}` }) },
      body: request.body.length === 0 ? null : request.body,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(callTimeoutMs), ...(signal === undefined ? [] : [signal])]),
    });
    const text = await answer.text();
    return { step, request, status: answer.status, answer: jsonOr(text, text) };
  } catch (error) {
    const isEnded = signal?.aborted === true;
    throw new ScenarioFailed(isEnded ? endedEarly : `the server at ${request.url.origin} went away${reasonOf(error)}`);
  }
}

/**
 * The request of a step with the kept values in their places. A body is JSON, and says so. Throws a ScenarioFailed for
 * a path that leads out of the bank at the address.
 */
export function stepRequest(step: Step, address: string, kept: ReadonlyMap<string, string>): StepRequest {
  const { method, path, headers = {}, body } = step;
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const url = new URL(address + filled(path, kept));
  if (!url.pathname.startsWith(`${new URL(address).pathname.replace(/\/$/, '')}/`))
    throw new ScenarioFailed(`${method} ${path} leads out of the bank at ${address}: to ${url.href}`);
  return {
    method,
    url,
    headers: {
      ...(body !== undefined && !isTyped && { 'content-type': 'application/json' }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value, kept)])),
    },
    body: Buffer.from(body === undefined ? '' : JSON.stringify(filledJson(body, kept))),
  };
}

type Find = (pattern: string, text: string) => Promise<ReturnType<typeof boundedMatch>>;

/** Finds patterns for a step, each within a second; a signal to end ends it between two of them. */
function finderOf(number: number, { signal }: Stage): Find {
  return async (pattern, text) => {
    await nextTurn();
    if (signal?.aborted === true) throw new ScenarioFailed(endedEarly);
    try {
      return boundedMatch(pattern, text);
    } catch (error) {
      throw error instanceof ScenarioFailed ? new ScenarioFailed(`step ${number}: ${error.message}`) : error;
    }
  };
}

async function requireExpected(
  played: PlayedStep,
  number: number,
  kept: ReadonlyMap<string, string>,
  find: Find,
): Promise<void> {
  const { step, status, answer } = played;
  const { members = {}, matches = {}, absent = [] } = step.expect;
  if (status !== step.expect.status)
    throw unexpected(played, number, { what: 'the status', expected: step.expect.status, received: status });
  for (const [path, value] of Object.entries(members)) {
    const [expected, received] = [filledJson(value, kept), pickMember(answer, path)];
    if (!isDeepStrictEqual(received, expected)) throw unexpected(played, number, { what: path, expected, received });
  }
  for (const [path, pattern] of Object.entries(matches)) {
    const received = pickMember(answer, path);
    if (typeof received !== 'string' || (await find(pattern, received)) === null)
      throw unexpected(played, number, { what: path, expected: `a text like /${pattern}/`, received });
  }
  for (const path of absent) {
    const received = pickMember(answer, path);
    if (received !== undefined) throw unexpected(played, number, { what: path, expected: 'nothing there', received });
  }
}

function unexpected(
  { step, answer }: PlayedStep,
  number: number,
  { what, expected, received }: { readonly what: string; readonly expected: Json; readonly received: unknown },
): ScenarioFailed {
  const texts = [received, expected].map((value) => (value === undefined ? 'not there' : shortJson(value)));
  const detail = `step ${number} went otherwise: ${what} is ${texts[0]}, expected ${texts[1]}`;
  const called = oneLine(`${step.method} ${step.path} (${step.says})`, maxAnswerChars);
  const whole = shortJson(answer).slice(0, maxAnswerChars);
  return new ScenarioFailed(`${detail}\n${called}\nanswered: ${whole}`, {
    detail,
    step: number,
    call: `${step.method} ${step.path}`,
    what,
    expected,
    received: received ?? null,
    answer,
  });
}
