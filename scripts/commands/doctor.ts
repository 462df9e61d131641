import type { AnswerTo } from '../../api/openapi/calls.ts';
import { oneLine } from '../../engine/values/text.ts';
import { CommandFailed } from '../cli/command.ts';
import { readInput } from '../cli/file-input.ts';
import { printAnswer } from '../cli/output.ts';
import { serverCommand } from '../cli/server-command.ts';
import { signingLines } from './requests.ts';

type DoctorAnswer = AnswerTo<'POST /doctor'>;

/** `POST /sandbox/doctor` of a server, with a request from a file. */
export const doctor = serverCommand({
  name: 'doctor',
  usage: '[FILE]',
  summary: 'Tells how the bank would answer a signed request, and why. Sends nothing.',
  words: [0, 1],
  notes: [
    'FILE is the request as text: POST /v1/payments/... HTTP/1.1, the headers, a blank line, the body. `sandbank sign --http` prints this form. Without FILE the command reads standard input. Without Content-Length the body ends before the last line break.',
    'Exit code: 0 if the bank would carry out the request, 1 if it would refuse.',
  ],
  examples: ['sandbank sign POST /v1/bank-offered-consents --http > request.txt', 'sandbank doctor request.txt'],
  run: async (call) => {
    const [file = null] = call.given.words;
    const body = { type: 'message/http', bytes: readInput(file ?? 'standard input', file) };
    const answer = await call.client.ask('POST /doctor', 'verdict', { body });
    printAnswer(call, answer, lines);
    if (answer.status !== null) throw new CommandFailed();
  },
});

function lines({ verdict, tpp, status, code, finding, signing }: DoctorAnswer): string[] {
  const signed = verdict === 'accepted' ? [`The signature is right; the TPP is ${oneLine(tpp ?? '', 200)}.`] : [];
  if (status === null) return [...signed, 'The bank would carry the request out.'];
  return [...signed, `${status} ${code ?? ''}`, finding ?? '', ...(signing === null ? [] : signingLines(signing))];
}
