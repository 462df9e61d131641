import { oneLine, unescaped } from '../../engine/values/text.ts';
import type { AnswerTo } from '../../api/openapi/calls.ts';
import type { Arguments } from '../cli/arguments.ts';
import { stepAfterEntry } from '../../api/causes/next-step.ts';
import { type BankAddress, bankBelow, bankOrBase, baseFlag } from '../cli/bank-address.ts';
import { ControlPlaneClient } from '../cli/control-plane-client.ts';
import { formatTime, printAnswer } from '../cli/output.ts';
import { serverCommand } from '../cli/server-command.ts';
import { inColour, type Terminal } from '../cli/terminal.ts';

type Summary = AnswerTo<'GET /requests'>['requests'][number];
type Found = AnswerTo<'GET /requests/:requestId'>;
type Whole = Found['requests'][number];

const filters = {
  '--verdict <accepted|refused>': 'Only requests whose signature the bank accepted or refused.',
  '--code <CODE>': 'Only requests refused with this code.',
  '--tpp <ID>': 'Only requests of this TPP.',
  '--path </v1/...>': 'Only requests below this path; * matches any one segment.',
  '--limit <N>': 'Shows the newest N requests at most.',
};
/** In characters. */
const widest = 400;

/** `GET /sandbox/requests` of a server. */
export const requests = serverCommand({
  name: 'requests',
  usage: '[ID]',
  summary: 'Lists the last requests of TPPs with the reasons of refusals, or shows one in full.',
  flags: { ...filters, ...baseFlag },
  words: [0, 1],
  notes: [
    'The oldest request comes first, those before the last reset at the end. ID is an X-Request-ID, or the address at the end of a refusal.',
  ],
  examples: [
    'sandbank requests',
    'sandbank requests --verdict refused --limit 5',
    'sandbank requests --path /v1/accounts --json',
  ],
  run: async (call) => {
    const { given, terminal, client } = call;
    const [id] = given.words;
    if (id === undefined) {
      const answer = await client.ask('GET /requests', 'requests', { query: given.query(filters) });
      printAnswer(call, answer, (told) => list(told.requests, terminal));
    } else {
      const answer = await find(given, id);
      printAnswer(call, answer, (told) => told.requests.toReversed().flatMap((entry) => whole(entry, terminal)));
    }
  },
});

/** The entries of an X-Request-ID, or of the address of an entry. */
function find(given: Arguments, id: string): Promise<Found> {
  const [, base, last] = /^(https?:.*)\/sandbox\/requests\/([^/?#]+)$/i.exec(id) ?? [];
  const at: BankAddress =
    base === undefined ? bankOrBase(given) : { ...bankBelow(base, given, 'ID'), namedBy: 'address' };
  const params = { requestId: last === undefined ? id : unescaped(last) };
  return new ControlPlaneClient(given, () => at).ask('GET /requests/:requestId', 'requests', { params });
}

/** The oldest first. */
function list(entries: readonly Summary[], terminal: Terminal): string[] {
  if (entries.length === 0) return ['The journal has no such requests.'];
  const [before = [], since = []] = [true, false].map((wanted) =>
    entries
      .filter(({ beforeReset }) => beforeReset === wanted)
      .toReversed()
      .flatMap((entry) => [requestLine(entry, terminal), ...remarks(entry)]),
  );
  return [...since, ...(before.length === 0 ? [] : ['Before the last reset', ...before])];
}

/** A request in one line: when, status, method and path, code, X-Request-ID. */
export function requestLine({ at, method, target, status, code, requestId }: Summary, terminal: Terminal): string {
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
  const { expected, received, difference } = signing;
  const step = stepAfterEntry(entry);
  return [
    requestLine(entry, terminal),
    ...remarks(entry),
    ...(step === null ? [] : [`    Next step: ${step}`]),
    `    TPP ${tpp === null ? 'unknown' : oneLine(tpp, widest)}, signature ${verdict}`,
    ...links.map(({ href }) => `    ${href}`),
    ...block('headers', headers.map(([name, value]) => `${name}: ${value}`).join('\n')),
    ...(body === null ? [] : block('body', body)),
    ...(packet === undefined ? [] : block('packet', packet)),
    ...(expected === null ? [] : block('signing.expected', expected)),
    ...(received === null ? [] : block('signing.received', received)),
    ...(difference === null ? [] : block('signing.difference', differenceText(difference))),
    ...(answer === null ? [] : block('answer', typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2))),
  ];
}

function differenceText({ line, column, expected, received }: Exclude<Whole['signing']['difference'], null>): string {
  return `line ${line}, column ${column}\nthe bank has: ${expected}\nsigned was:   ${received}`;
}

/** Lines below a title. What a client sent cannot control the terminal. */
function block(title: string, text: string): string[] {
  return [`  ${title}`, ...text.split('\n').map((one) => `    ${oneLine(one, 100_000)}`)];
}
