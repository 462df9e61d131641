import { CommandFailed } from './command.ts';

/**
 * A refusal of the control plane (application/problem+json) as an error: the detail, and a second line with what is allowed.
 * Null if the answer is no problem.
 */
export function refusal(answer: unknown): CommandFailed | null {
  if (typeof answer !== 'object' || answer === null) return null;
  if (!('detail' in answer) || typeof answer.detail !== 'string') return null;
  const status = 'status' in answer && typeof answer.status === 'number' ? ` (${answer.status})` : '';
  const allowed = 'allowed' in answer ? allowedText(answer.allowed) : null;
  const line = `refused${status}: ${answer.detail}`;
  return new CommandFailed(allowed === null ? line : `${line}\nallowed: ${allowed}`, answer);
}

/** A list of choices, or bounds by name. */
function allowedText(allowed: unknown): string | null {
  if (Array.isArray(allowed)) return allowed.length === 0 ? null : allowed.join(', ');
  if (typeof allowed !== 'object' || allowed === null) return null;
  const bounds = Object.entries(allowed).map(([name, value]) => `${name} ${String(value)}`);
  return bounds.length === 0 ? null : bounds.join(' ');
}
