import { oneLine } from '../../engine/values/text.ts';
import type { Arguments } from '../cli/arguments.ts';
import { pathPart, serverNote } from '../cli/bank-address.ts';
import type { Command } from '../cli/command.ts';
import { bankFlag, ControlPlaneClient, serverSettings } from '../cli/control-plane-client.ts';
import { formatTime } from '../cli/format-time.ts';

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
  { name: 'verdict', value: 'accepted|refused', what: "Those of this verdict, which is the signature check's." },
  { name: 'code', value: 'CODE', what: 'Those refused with this code.' },
  { name: 'tpp', value: 'ID', what: 'Those of this TPP.' },
  { name: 'path', value: '/v1/...', what: 'Those below this path, * for any one segment.' },
  { name: 'limit', value: 'N', what: 'At most so many, the newest.' },
];
/** In characters. */
const widest = 400;

/** `GET /sandbox/requests` of a server. */
export const requests: Command = {
  name: 'requests',
  usage: '[ID]',
  summary: 'Shows the last requests of TPPs and why they were refused; with an X-Request-ID all of one.',
  flags: [...filters, bankFlag, { name: 'json', what: 'Prints the answer of the control plane.' }],
  settings: serverSettings,
  words: [0, 1],
  notes: [
    'The oldest comes first. A refusal ends with the address of its entry; the last part of it is ID.',
    serverNote,
  ],
  run: async (given, terminal) => {
    const [id] = given.words;
    const client = new ControlPlaneClient(given);
    if (id === undefined) {
      const answer = await client.ask<Answer<Summary>>('GET', `/requests${queryOf(given)}`, 'requests');
      if (given.has('json')) terminal.out(JSON.stringify(answer, null, 2));
      else for (const line of list(answer.requests)) terminal.out(line);
    } else {
      const answer = await client.ask<Answer<Whole>>('GET', `/requests/${pathPart(id)}`, 'requests');
      if (given.has('json')) terminal.out(JSON.stringify(answer, null, 2));
      else for (const line of answer.requests.toReversed().flatMap(whole)) terminal.out(line);
    }
    return 0;
  },
};

function queryOf(given: Arguments): string {
  const pairs = filters.flatMap(({ name }) => {
    const value = given.text(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return pairs.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(pairs)).toString()}`;
}

function list(entries: readonly Summary[]): string[] {
  if (entries.length === 0) return ['The journal has no such requests.'];
  return entries.toReversed().flatMap((entry) => [line(entry), ...remarks(entry)]);
}

function line({ at, method, target, status, code, requestId }: Summary): string {
  const what = [method ?? '?', oneLine(target ?? '(unreadable)', widest)].join(' ');
  const time = at === null ? '?'.padEnd(16) : formatTime(at);
  return [time, status ?? '---', what, ...(code === null ? [] : [code]), requestId].join('  ');
}

function remarks({ finding, notes }: Summary): string[] {
  return [...(finding === null ? [] : [finding]), ...notes].map((text) => `    ${oneLine(text, 2 * widest)}`);
}

function whole(entry: Whole): string[] {
  const { headers, body, packet, answer, links, signing, tpp, verdict } = entry;
  const shown = Object.entries(signing).flatMap(([name, text]) =>
    text === null ? [] : block(`signing.${name}`, text),
  );
  return [
    line(entry),
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
