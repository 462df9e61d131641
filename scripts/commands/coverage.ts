import { writeFileSync } from 'node:fs';
import { belowMinimum, disclaimer, reportLines, reportPage } from '../../api/coverage/report.ts';
import type { AnswerTo } from '../../api/openapi/calls.ts';
import { reasonOf } from '../../api/start/error-text.ts';
import { quote } from '../../engine/values/text.ts';
import type { Arguments } from '../cli/arguments.ts';
import { CommandFailed } from '../cli/command.ts';
import { wrongValue } from '../cli/flag-values.ts';
import { printAnswer } from '../cli/output.ts';
import { serverCommand, type ServerCall } from '../cli/server-command.ts';

const areas = ['pisp', 'aisp'];

const filters = {
  '--tpp <ID>': 'Counts this TPP only. Default: all TPPs together.',
  '--for <pisp|aisp>': 'pisp skips behaviours of account reading; aisp skips those of payments.',
};

/** `GET /sandbox/coverage` of a server. */
export const coverage = serverCommand({
  name: 'coverage',
  summary: 'Lists the behaviours of the bank that TPPs have not met yet, and how to meet each.',
  flags: {
    ...filters,
    '--min <PERCENT>': 'Exit code 1 if TPPs met a smaller share.',
    '--html <FILE>': 'Also writes the report as an HTML page.',
  },
  notes: [disclaimer],
  examples: [
    'sandbank coverage',
    'sandbank coverage --for pisp --html coverage.html',
    'sandbank coverage --min 0 --json',
  ],
  run: async (call) => {
    const { given } = call;
    const least = leastOf(given);
    const answer = await call.client.ask('GET /coverage', 'behaviours', { query: queryOf(given) });
    const tpp = given.text('tpp');
    if (tpp !== undefined && !answer.behaviours.some(({ met }) => met)) await tellUnknown(call, tpp);
    printAnswer(call, answer, (told) =>
      reportLines(
        told.behaviours.map((each) => ({ ...each, how: each.how.replace(/^sandbank\b/, () => given.program) })),
      ),
    );
    const file = given.text('html');
    if (file !== undefined) writePage(file, answer);
    const missing = belowMinimum(answer.behaviours, least);
    if (missing !== null) throw new CommandFailed(missing);
  },
});

/** A TPP that met nothing is probably another one. */
async function tellUnknown({ client, terminal }: ServerCall, tpp: string): Promise<void> {
  const { requests } = await client.ask('GET /requests', 'requests', { query: { limit: '500' } });
  const known = [...new Set(requests.map((each) => each.tpp).filter((id) => id !== null))];
  const advice =
    known.length === 0 ? 'no TPP has sent a request yet' : `those of the last requests: ${known.join(', ')}`;
  terminal.error(`No TPP ${quote(tpp, 60)} has met anything; ${advice}`);
}

function queryOf(given: Arguments): Record<string, string> {
  const area = given.text('for');
  if (area !== undefined && !areas.includes(area)) throw wrongValue('for', area, areas.join(' or '));
  return given.query(filters);
}

/** Null: no least share. */
function leastOf(given: Arguments): number | null {
  const text = given.text('min');
  if (text === undefined) return null;
  if (/^\d{1,3}$/.test(text) && Number(text) <= 100) return Number(text);
  throw wrongValue('min', text, 'a whole percentage from 0 to 100');
}

function writePage(file: string, { behaviours }: AnswerTo<'GET /coverage'>): void {
  try {
    writeFileSync(file, reportPage(behaviours));
  } catch (error) {
    throw new CommandFailed(`${file} cannot be written${reasonOf(error)}`);
  }
}
