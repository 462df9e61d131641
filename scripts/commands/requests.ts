import { oneLine } from '../../engine/values/text.ts';
import type { Arguments } from '../cli/arguments.ts';
import { bankAddress, type BankAddress, bankBelow, pathPart } from '../cli/bank-address.ts';
import { CommandFailed, serverCommand } from '../cli/command.ts';
import { ControlPlaneClient } from '../cli/control-plane-client.ts';
import { formatTime, printAnswer } from '../cli/output.ts';
import { inColour, type Terminal } from '../cli/terminal.ts';

/** An entry of the journal in the list. */
interface Summary {
  readonly requestId: string;
  readonly at: string | null;
  readonly method: string | null;
  readonly target: string | null;
  readonly tpp: string | null;
  readonly verdict: string;
  readonly status: number | null;
  readonly code: string | null;
  readonly finding: string | null;
  readonly reason: string | null;
  readonly notes: readonly string[];
}

/** A whole entry. */
interface Whole extends Summary {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | null;
  readonly packet?: string;
  readonly answer: unknown;
  readonly links: readonly { readonly href: string }[];
  readonly signing: Readonly<Record<'expected' | 'received' | 'difference', string | null>>;
}

interface Answer<Entry> {
  readonly requests: readonly Entry[];
}

const filters = [
  { name: 'verdict', value: 'accepted|refused', what: 'Those whose signature was accepted or refused.' },
  { name: 'code', value: 'CODE', what: 'Those refused with this code.' },
  { name: 'tpp', value: 'ID', what: 'Those of this TPP.' },
  { name: 'path', value: '/v1/...', what: 'Those below this path, * for any one segment.' },
  { name: 'limit', value: 'N', what: 'At most so many, the newest.' },
];
/** In characters. */
const widest = 400;

/** `GET /sandbox/requests` of a server. */
export const requests = serverCommand({
  name: 'requests',
  usage: '[ID]',
  summary: 'Shows the last requests of TPPs and why they were refused, or one in full.',
  flags: [...filters],
  words: [0, 1],
  notes: [
    'The oldest comes first. ID is an X-Request-ID, or the address of an entry, with which a refusal ends. Without --bank an ID that the bank does not know is looked for in the other banks of the server.',
  ],
  examples: [
    'sandbank requests',
    'sandbank requests --verdict refused --limit 5',
    'sandbank requests --path /v1/accounts --json',
  ],
  run: async (given, terminal) => {
    const [id] = given.words;
    if (id === undefined) {
      const client = new ControlPlaneClient(given);
      const answer = await client.ask<Answer<Summary>>('GET', `/requests${given.query(filters)}`, 'requests');
      printAnswer(given, terminal, answer, (told) => list(told.requests, terminal));
    } else {
      const answer = await find(given, id, terminal);
      printAnswer(given, terminal, answer, (told) =>
        told.requests.toReversed().flatMap((entry) => whole(entry, terminal)),
      );
    }
    return 0;
  },
});

/** The entries of an X-Request-ID or of the address of an entry, wherever in the server they are. */
async function find(given: Arguments, id: string, terminal: Terminal): Promise<Answer<Whole>> {
  const [, base, last] = /^(https?:.*)\/sandbox\/requests\/([^/?#]+)$/.exec(id) ?? [];
  if (base === undefined || last === undefined) return findById(given, id, terminal);
  const at = { ...bankBelow(base, given, 'ID'), namedBy: 'address' } as const;
  return ask(given, at, decoded(last));
}

async function findById(given: Arguments, id: string, terminal: Terminal): Promise<Answer<Whole>> {
  const at = bankAddress(given);
  try {
    return await ask(given, at, id);
  } catch (error) {
    if (!isUnknown(error) || given.has('bank')) throw error;
    const elsewhere = await findElsewhere(given, at, id);
    if (elsewhere === null) throw error;
    const { name, answer } = elsewhere;
    if (!given.has('json')) terminal.error(`The request is one of the bank ${name}: --bank ${name} asks it.`);
    return answer;
  }
}

/** The first of the other banks that knows the id; null: none does. */
async function findElsewhere(
  given: Arguments,
  at: BankAddress,
  id: string,
): Promise<{ readonly name: string; readonly answer: Answer<Whole> } | null> {
  const root = new ControlPlaneClient(given, { ...at, path: '' });
  const { banks } = await root.ask<{ banks: readonly { name: string }[] }>('GET', '/banks', 'banks');
  for (const { name } of banks) {
    const path = name === 'default' ? '' : `/banks/${pathPart(name)}`;
    if (path === at.path) continue;
    try {
      return { name, answer: await ask(given, { ...at, path }, id) };
    } catch (error) {
      if (!isUnknown(error)) throw error;
    }
  }
  return null;
}

function ask(given: Arguments, at: BankAddress, id: string): Promise<Answer<Whole>> {
  return new ControlPlaneClient(given, at).ask<Answer<Whole>>('GET', `/requests/${pathPart(id)}`, 'requests');
}

function isUnknown(error: unknown): boolean {
  if (!(error instanceof CommandFailed) || error.problem === null) return false;
  return 'status' in error.problem && error.problem.status === 404;
}

/** As it is when it is no encoded text. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function list(entries: readonly Summary[], terminal: Terminal): string[] {
  if (entries.length === 0) return ['The journal has no such requests.'];
  return entries.toReversed().flatMap((entry) => [line(entry, terminal), ...remarks(entry)]);
}

function line({ at, method, target, status, code, requestId }: Summary, terminal: Terminal): string {
  const what = [method ?? '?', oneLine(target ?? '(unreadable)', widest)].join(' ');
  const time = at === null ? '?'.padEnd(16) : formatTime(at);
  const shown = inColour(terminal, status !== null && status < 400 ? 'green' : 'red', String(status ?? '---'));
  return [time, shown, what, ...(code === null ? [] : [code]), requestId].join('  ');
}

function remarks({ finding, reason, notes }: Summary): string[] {
  const why = finding ?? reason;
  return [...(why === null ? [] : [why]), ...notes].map((text) => `    ${oneLine(text, 2 * widest)}`);
}

function whole(entry: Whole, terminal: Terminal): string[] {
  const { headers, body, packet, answer, links, signing, tpp, verdict } = entry;
  const shown = Object.entries(signing).flatMap(([name, text]) =>
    text === null ? [] : block(`signing.${name}`, text),
  );
  return [
    line(entry, terminal),
    ...remarks(entry),
    `    TPP ${tpp === null ? 'unknown' : oneLine(tpp, widest)}, signature ${verdict}`,
    ...links.map(({ href }) => `    ${href}`),
    ...block('headers', headers.map(([name, value]) => `${name}: ${value}`).join('\n')),
    ...(body === null ? [] : block('body', body)),
    ...(packet === undefined ? [] : block('packet', packet)),
    ...shown,
    ...(answer === null ? [] : block('answer', typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2))),
  ];
}

/** Lines below a title. What a client sent cannot control the terminal. */
function block(title: string, text: string): string[] {
  return [`  ${title}`, ...text.split('\n').map((one) => `    ${oneLine(one, 100_000)}`)];
}
