import { CommandFailed } from './command.ts';

/**
 * A refusal as an error. Of the control plane (application/problem+json): the detail, and a second line with what is
 * allowed. Each of several faults has a line with its path, and so has a fault in a file of fixtures. Of the interface
 * (tppMessages): a line for each message. Null if the answer is neither.
 */
export function refusal(answer: unknown, status?: number): CommandFailed | null {
  if (typeof answer !== 'object' || answer === null) return null;
  if ('tppMessages' in answer && Array.isArray(answer.tppMessages))
    return ofMessages(answer, answer.tppMessages, status);
  if (!('detail' in answer) || typeof answer.detail !== 'string') return null;
  const code = 'status' in answer && typeof answer.status === 'number' ? ` (${answer.status})` : '';
  const allowed = 'allowed' in answer ? allowedText(answer.allowed) : null;
  const faults = 'errors' in answer && Array.isArray(answer.errors) ? faultTexts(answer.errors) : [];
  const texts = faults.length === 0 ? [answer.detail] : faults;
  const lines = texts.map((text) => `refused${code}: ${text}`);
  return new CommandFailed([...lines, ...(allowed === null ? [] : [`allowed: ${allowed}`])].join('\n'), answer);
}

/** Before a path in a file that a command sent. */
const sentFile = 'fixtures.';

/**
 * `customers[0].name: ...` for each of several faults and for one in a file. Nothing for another one: its detail names
 * what was wrong.
 */
function faultTexts(errors: readonly unknown[]): readonly string[] {
  const faults = errors.map((error) => {
    const { path = '', detail = '' } = error as { readonly path?: string; readonly detail?: string };
    return { isInFile: path.startsWith(sentFile), path: path.replace(sentFile, ''), detail };
  });
  if (faults.length === 1 && faults[0]?.isInFile !== true) return [];
  return faults.map(({ path, detail }) => (path === '' ? detail : `${path}: ${detail}`));
}

/** `refused (400 FORMAT_ERROR): ...` for each message; null without messages. */
function ofMessages(answer: object, messages: readonly unknown[], status?: number): CommandFailed | null {
  const lines = messages.flatMap((message) => {
    if (typeof message !== 'object' || message === null) return [];
    const { code, text = '' } = message as { readonly code?: unknown; readonly text?: unknown };
    const about = [status, code].filter((part) => part !== undefined).join(' ');
    return [`refused (${about}): ${String(text)}`];
  });
  return lines.length === 0 ? null : new CommandFailed(lines.join('\n'), answer);
}

/** A list of choices, or bounds by name. */
function allowedText(allowed: unknown): string | null {
  if (Array.isArray(allowed)) return allowed.length === 0 ? null : allowed.join(', ');
  if (typeof allowed !== 'object' || allowed === null) return null;
  const bounds = Object.entries(allowed).map(([name, value]) => `${name} ${String(value)}`);
  return bounds.length === 0 ? null : bounds.join(' ');
}
