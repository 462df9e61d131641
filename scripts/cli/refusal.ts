import { isObject } from '../../api/quirks/json.ts';
import { allowedIn } from '../../engine/values/fault.ts';
import { CommandFailed } from './command.ts';

/**
 * A refusal as an error. Of the control plane (application/problem+json): the detail, and a second line with what is
 * allowed. Each of several faults has a line with its path, and so has a fault in a file of fixtures. Of the interface
 * (tppMessages): a line for each message. Null if the answer is neither.
 */
export function refusal(answer: unknown, status?: number): CommandFailed | null {
  if (!isObject(answer)) return null;
  const { tppMessages, detail, status: own, allowed, errors } = answer;
  if (Array.isArray(tppMessages)) return ofMessages(answer, tppMessages, status);
  if (typeof detail !== 'string') return null;
  const code = typeof own === 'number' ? ` (${own})` : '';
  const faults = Array.isArray(errors) ? faultTexts(errors) : [];
  const lines = (faults.length === 0 ? [detail] : faults).map((text) => `refused${code}: ${text}`);
  const choices = allowedIn(allowed).join(Array.isArray(allowed) ? ', ' : ' ');
  return new CommandFailed([...lines, ...(choices === '' ? [] : [`allowed: ${choices}`])].join('\n'), answer);
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
  const lines = messages.filter(isObject).map(({ code, text = '' }) => {
    const about = [status, code].filter((part) => part !== undefined).join(' ');
    return `refused (${about}): ${String(text)}`;
  });
  return lines.length === 0 ? null : new CommandFailed(lines.join('\n'), answer);
}
