import type { Static } from '../bodies/schema.ts';
import type { problemAnswer } from '../control/answers.ts';
import { type AnswerTo, type Asked, type CallName, partsOf, pathTo } from '../openapi/calls.ts';
import { controlPath } from '../pipeline/addresses.ts';
import { BankError, codeOf } from './bank-error.ts';
import { type Send, targetIn } from './connect.ts';

/** Calls the bank's control plane. Throws a BankError with the refusal and what is allowed. */
export type Control = <Name extends CallName>(
  name: Name,
  sent?: Asked & { readonly body?: object },
) => Promise<AnswerTo<Name>>;

/** The control plane of the bank at `base`. */
export function controlOver(send: Send, base: URL): Control {
  return async <Name extends CallName>(
    name: Name,
    { body = {}, ...asked }: Asked & { readonly body?: object } = {},
  ) => {
    const [method, path] = partsOf(name);
    const answer = await send({
      method,
      target: targetIn(base, controlPath(pathTo(path, asked))),
      headers: { 'content-type': 'application/json' },
      body: method === 'GET' ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body)),
    });
    const value: unknown = await answer.json();
    if (answer.ok) return value as AnswerTo<Name>;
    const problem = value as ProblemBody;
    throw new BankError(problemText(problem), { status: answer.status, code: codeOf(problem.code) });
  };
}

type ProblemBody = Static<typeof problemAnswer>;

/** All details of a problem, and what is allowed. */
function problemText({ detail, allowed, errors = [] }: ProblemBody): string {
  const others = errors.map((error) => error.detail).filter((text) => text !== detail && !detail.endsWith(text));
  const choices = allowedIn(allowed);
  return [detail, ...others, ...(choices.length === 0 ? [] : [`Allowed: ${choices.join(', ')}.`])].join(' ');
}

/** Choices as they are, bounds with their names; none when nothing is allowed. */
function allowedIn(allowed: unknown = []): readonly string[] {
  if (Array.isArray(allowed)) return allowed.map(String);
  return Object.entries(Object(allowed) as object).map(([name, value]) => `${name} ${String(value)}`);
}
