import { readFileSync } from 'node:fs';
import { oneLine } from '../../engine/values/text.ts';
import { messageOf } from '../../api/start/error-text.ts';
import { serverNote } from '../cli/bank-address.ts';
import { type Command, WrongUse } from '../cli/command.ts';
import { bankFlag, ControlPlaneClient, serverSettings } from '../cli/control-plane-client.ts';

interface DoctorAnswer {
  readonly verdict: 'accepted' | 'refused';
  readonly tpp: string | null;
  readonly status: number | null;
  readonly code: string | null;
  readonly finding: string | null;
  readonly signing: SigningAnswer | null;
}

interface SigningAnswer {
  readonly expected: string;
  readonly received: string | null;
  readonly difference: { readonly line: number; readonly column: number } | null;
}

/** `POST /sandbox/doctor` of a server, with a request from a file. */
export const doctor: Command = {
  name: 'doctor',
  usage: '[FILE]',
  summary: 'Tells what a bank would say to a request of a TPP, and why, without sending it.',
  flags: [bankFlag, { name: 'json', what: 'Prints the answer of the control plane.' }],
  settings: serverSettings,
  words: [0, 1],
  notes: [
    'FILE (standard input when left out) is the request as text: POST /v1/payments/... HTTP/1.1, the headers, a blank',
    'line, the body, as `sandbank sign --http` prints it. Without Content-Length the last line break is not the body.',
    serverNote,
  ],
  run: async (given, terminal) => {
    const client = new ControlPlaneClient(given);
    const request = { type: 'message/http', bytes: readRequest(given.words[0]) };
    const answer = await client.ask<DoctorAnswer>('POST', '/doctor', 'verdict', request);
    if (given.has('json')) terminal.out(JSON.stringify(answer, null, 2));
    else for (const line of lines(answer)) terminal.out(line);
    return answer.status === null ? 0 : 1;
  },
};

function readRequest(file: string | undefined): Uint8Array {
  try {
    return readFileSync(file ?? 0);
  } catch (error) {
    throw new WrongUse(messageOf(error));
  }
}

function lines({ verdict, tpp, status, code, finding, signing }: DoctorAnswer): string[] {
  const signed = verdict === 'accepted' ? [`The signature is right; the TPP is ${oneLine(tpp ?? '', 200)}.`] : [];
  if (status === null) return [...signed, 'The bank would carry the request out.'];
  return [...signed, `${status} ${code ?? ''}`, finding ?? '', ...(signing === null ? [] : strings(signing))];
}

/** Both signing strings line by line, a caret under the first difference. */
function strings({ expected, received, difference }: SigningAnswer): string[] {
  if (received === null) return ["The bank's signing string:", ...numbered(expected, null)];
  return ["The bank's signing string:", ...numbered(expected, null), 'Yours:', ...numbered(received, difference)];
}

function numbered(text: string, difference: SigningAnswer['difference']): string[] {
  return text.split('\n').flatMap((line, at, all) => {
    // A line break is shown: a missing or superfluous one is a mistake of its own.
    const shown = `  ${oneLine(line, 1_000)}${at < all.length - 1 ? String.raw`\n` : ''}`;
    if (difference?.line !== at + 1) return [shown];
    return [shown, `${' '.repeat(oneLine(line.slice(0, difference.column - 1), 1_000).length + 2)}^`];
  });
}
