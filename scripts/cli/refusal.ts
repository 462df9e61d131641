import { CommandFailed } from './command.ts';

/**
 * A refusal as an error. Of the control plane (application/problem+json): the detail, and a second line with what is
 * allowed. Each of several faults has a line with its path, and so has a fault in a file of fixtures. Of the interface
 * (tppMessages): a line for each message. Its texts are in words of the commands, which `program` starts. Null if the
 * answer is neither.
 */
export function refusal(answer: unknown, program: string, status?: number): CommandFailed | null {
  if (typeof answer !== 'object' || answer === null) return null;
  if ('tppMessages' in answer && Array.isArray(answer.tppMessages))
    return ofMessages(answer, answer.tppMessages, program, status);
  if (!('detail' in answer) || typeof answer.detail !== 'string') return null;
  const code = 'status' in answer && typeof answer.status === 'number' ? ` (${answer.status})` : '';
  const allowed = 'allowed' in answer ? allowedText(answer.allowed) : null;
  const faults = 'errors' in answer && Array.isArray(answer.errors) ? faultTexts(answer.errors) : [];
  const texts = faults.length === 0 ? [answer.detail] : faults;
  const lines = texts.map((text) => `refused${code}: ${commandWords(text, program)}`);
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
function ofMessages(
  answer: object,
  messages: readonly unknown[],
  program: string,
  status?: number,
): CommandFailed | null {
  const lines = messages.flatMap((message) => {
    if (typeof message !== 'object' || message === null) return [];
    const { code, text = '' } = message as { readonly code?: unknown; readonly text?: unknown };
    const about = [status, code].filter((part) => part !== undefined).join(' ');
    return [`refused (${about}): ${commandWords(String(text), program)}`];
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

/**
 * Sentences of the bank in words of its API, and the same in words of the command line. `sandbank` starts a command
 * here.
 */
const table: readonly (readonly [
  api: RegExp,
  inCommands: (sandbank: string, ...groups: readonly string[]) => string,
])[] = [
  [
    /^The control plane asks for Authorization: Bearer and the value of SANDBANK_CONTROL_TOKEN\.$/,
    () => 'The server asks for its control token. Give --control-token, or set SANDBANK_CONTROL_TOKEN.',
  ],
  [/\bSend allowLogicalDuplicate=true in the query when\b/g, () => 'Give --allow-duplicate when'],
  [
    /\bThere is a bank (\S+) already\. DELETE takes it away\./g,
    (sandbank, name = '') => `There is a bank ${name} already. ${sandbank} bank remove ${name} takes it away.`,
  ],
  [/\bDELETE \/sandbox\/banks\/\{name\}/g, (sandbank) => `${sandbank} bank remove NAME`],
  [/\bPOST \/sandbox\/banks\b/g, (sandbank) => `${sandbank} bank create NAME`],
  [/\bPOST \/sandbox\/reset\b/g, (sandbank) => `${sandbank} reset`],
  [/\bGET \/sandbox\/requests\b/g, (sandbank) => `${sandbank} requests`],
];

/** A text of the bank in words of the commands. */
function commandWords(text: string, sandbank: string): string {
  return table.reduce(
    (rest, [api, inCommands]) =>
      rest.replace(api, (_whole, ...found: readonly unknown[]) => inCommands(sandbank, ...found.map(String))),
    text,
  );
}
