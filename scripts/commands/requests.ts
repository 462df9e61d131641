import { oneLine } from '../../engine/values/text.ts';
import type { AnswerTo } from '../../api/openapi/calls.ts';
import { stepAfterEntry } from '../../api/causes/next-step.ts';
import { formatTime } from '../cli/output.ts';
import { passOn, plainCommand } from '../cli/plain-command.ts';

type Summary = AnswerTo<'GET /requests'>['requests'][number];
type Whole = AnswerTo<'GET /requests/:requestId'>['requests'][number];

/** In characters. */
const widest = 400;

const listed = passOn('GET /requests', { lines: (told) => list(told.requests) });
const found = passOn('GET /requests/:requestId', {
  words: { requestId: '[ID]' },
  lines: (told) => told.requests.toReversed().flatMap(whole),
});

/** Lists the last requests, or shows one in full. */
export const requests = plainCommand(
  {
    name: 'requests',
    notes: [
      'The oldest request comes first, those before the last reset at the end. ID is an X-Request-ID: the last part of the address in a refusal.',
    ],
    examples: [
      'sandbank requests',
      'sandbank requests --verdict refused --limit 5',
      'sandbank requests --path /v1/accounts --json',
    ],
  },
  {
    ...listed,
    summary: 'Lists the last requests of TPPs with the reasons of refusals, or shows one in full.',
    words: ['[ID]'],
    usage: '[ID]',
    run: (call, words) => (words.length === 0 ? listed : found).run(call, words),
  },
);

/** The oldest first. */
function list(entries: readonly Summary[]): string[] {
  if (entries.length === 0) return ['The journal has no such requests.'];
  const [before = [], since = []] = [true, false].map((wanted) =>
    entries
      .filter(({ beforeReset }) => beforeReset === wanted)
      .toReversed()
      .flatMap((entry) => [requestLine(entry), ...remarks(entry)]),
  );
  return [...since, ...(before.length === 0 ? [] : ['Before the last reset', ...before])];
}

/** A request in one line: when, status, method and path, code, X-Request-ID. */
function requestLine({ at, method, target, status, code, requestId }: Summary): string {
  const what = [method ?? '?', oneLine(target ?? '(unreadable)', widest)].join(' ');
  const time = at === null ? '?'.padEnd(16) : formatTime(at);
  return [time, String(status ?? '---'), what, ...(code === null ? [] : [code]), requestId].join('  ');
}

function remarks({ finding, reason, notes }: Summary): string[] {
  const why = finding ?? reason;
  return [...(why === null ? [] : [why]), ...notes].map((text) => `    ${oneLine(text, 2 * widest)}`);
}

function whole(entry: Whole): string[] {
  const { headers, body, packet, answer, links, signing, tpp, verdict } = entry;
  const step = stepAfterEntry(entry);
  return [
    requestLine(entry),
    ...remarks(entry),
    ...(step === null ? [] : [`    Next step: ${step}`]),
    `    TPP ${tpp === null ? 'unknown' : oneLine(tpp, widest)}, signature ${verdict}`,
    ...links.map(({ href }) => `    ${href}`),
    ...block('headers', headers.map(([name, value]) => `${name}: ${value}`).join('\n')),
    ...block('body', body),
    ...block('packet', packet),
    ...signingLines(signing),
    ...block('answer', typeof answer === 'string' || answer === null ? answer : JSON.stringify(answer, null, 2)),
  ];
}

/** Both signing strings, and where they first differ. */
export function signingLines({ expected, received, difference }: Whole['signing']): string[] {
  const at = difference && `line ${difference.line}, column ${difference.column}`;
  return [
    ...block('signing.expected', expected),
    ...block('signing.received', received),
    ...block(
      'signing.difference',
      at && `${at}\nthe bank has: ${difference.expected}\nsigned was:   ${difference.received}`,
    ),
  ];
}

/** Lines below a title; nothing without a text. What a client sent cannot control the terminal. */
function block(title: string, text: string | null | undefined): string[] {
  if (typeof text !== 'string') return [];
  return [`  ${title}`, ...text.split('\n').map((one) => `    ${oneLine(one, 100_000)}`)];
}
