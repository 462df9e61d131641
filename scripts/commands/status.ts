import type { AnswerTo } from '../../api/openapi/calls.ts';
import { type AnswerColumn, scaColumns } from '../../api/openapi/columns.ts';
import { baseFlag } from '../cli/bank-address.ts';
import { answerTable } from '../cli/answer-table.ts';
import { below, printAnswer } from '../cli/output.ts';
import { serverCommand } from '../cli/server-command.ts';
import { paymentTable } from './payments.ts';
import { requestLine } from './requests.ts';

/** Rows of a list on the screen. */
const maxLines = 4;

const openScaColumns: readonly AnswerColumn<AnswerTo<'GET /sca'>['scas'][number]>[] = [
  ...scaColumns,
  ['Page of the PSU', 'text', ({ address }) => address],
];

/** Shows what is open in a bank now, from four answers of its control plane. */
export const status = serverCommand({
  name: 'status',
  summary: 'Shows the bank time, the next run and open work on one screen.',
  flags: { ...baseFlag, '--json': 'Prints the same as JSON, with whole lists.' },
  notes: ['Open work is SCAs that wait for a PSU, payments short of funds, and the last refused requests.'],
  examples: ['sandbank status'],
  run: async (call) => {
    const { client, terminal } = call;
    const [clock, { scas }, shortOfFunds, { requests }] = await Promise.all([
      client.ask('GET /clock', 'nextRun'),
      client.ask('GET /sca', 'scas'),
      client.ask('GET /payments', 'payments', { query: { status: 'ACCP' } }),
      client.ask('GET /requests', 'requests'),
    ]);
    const refused = requests.filter((entry) => entry.status === null || entry.status >= 400);
    const since = refused.filter(({ beforeReset }) => !beforeReset);
    const before = refused.length - since.length;
    printAnswer(call, { address: client.address, clock, scas, shortOfFunds, refused }, ({ address }) => [
      `Sandbank    ${address}`,
      `Bank time   ${clock.now} (${clock.mode})`,
      `Next run    ${clock.nextRun.at}`,
      ...block('SCAs that wait for a PSU', scas.length, answerTable(openScaColumns, scas.slice(0, maxLines))),
      ...block(
        'Payments short of funds',
        shortOfFunds.total,
        answerTable(paymentTable, shortOfFunds.payments.slice(0, maxLines)),
      ),
      ...block(
        'Refused requests, by bank time',
        since.length,
        since.slice(0, maxLines).map((one) => requestLine(one, terminal)),
      ),
      ...(before === 0 ? [] : [`  and ${before} before the last reset`]),
    ]);
  },
});

/** How many there are, and the first of them. */
function block(what: string, total: number, lines: readonly string[]): string[] {
  const more = total > maxLines ? [`  and ${total - maxLines} more`] : [];
  return [`${what}: ${total === 0 ? 'none' : total}`, ...below(lines), ...more];
}
