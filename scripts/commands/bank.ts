import { quirksJson } from '../../engine/bank/rules/quirk.ts';
import { bankSettings, settings } from '../../api/start/settings.ts';
import { serverSettings } from '../cli/command.ts';
import { fixturesToSend } from '../cli/file-input.ts';
import { bankColumns } from '../../api/openapi/columns.ts';
import { answerLines } from '../cli/answer-lines.ts';
import { printAnswer } from '../cli/output.ts';
import { commandOfVerbs, passOn } from '../cli/plain-command.ts';
import type { ServerCall } from '../cli/server-command.ts';

/** The settings that a new bank takes. */
const others: readonly string[] = ['clockNow', 'clockMode', 'quirks', 'profile', 'fixtures'];
const ofNewBank = settings.filter(({ key, holds }) => holds === 'of a bank' || others.includes(key));

/** `/sandbox/banks` of a server: more banks in its process. */
export const bank = commandOfVerbs(
  {
    name: 'bank',
    summary: 'Lists, creates and removes named banks, at /banks/NAME of the server.',
    atRoot: true,
    settings: [...serverSettings, ...ofNewBank.map(({ name }) => name)],
    notes: [
      `${ofNewBank.map(({ flag }) => `--${flag}`).join(', ')} configure the new bank. Without a flag the new bank has the setting of the server. The other commands reach the bank with --bank NAME.`,
    ],
    examples: [
      'sandbank bank create demo --clock-now 2027-03-24 --clock-mode frozen',
      'sandbank bank list',
      'sandbank --bank demo advance P1D',
      'sandbank bank remove demo',
    ],
  },
  {
    list: passOn('GET /banks', { columns: { banks: bankColumns } }),
    create: { summary: 'Create a bank in this process.', words: ['NAME'], run: create },
    remove: passOn('DELETE /banks/:name', { words: { name: 'NAME' } }),
  },
);

/** Uses flags only: environment variables are settings of the server. */
async function create(call: ServerCall, [name = '']: readonly string[]): Promise<void> {
  const { given } = call;
  const config = given.config();
  const own = bankSettings.filter(({ flag }) => given.has(flag));
  const body = {
    name,
    ...(given.has('fixtures') && { fixtures: fixturesToSend(given.text('fixtures') ?? '') }),
    ...(given.has('clock-now') && { now: given.text('clock-now') }),
    ...(given.has('clock-mode') && { mode: given.text('clock-mode') }),
    ...(given.has('profile') && { profile: fixturesToSend(given.text('profile') ?? '', 'profile') }),
    ...(given.has('quirks') && { quirks: quirksJson(config.quirks) }),
    ...Object.fromEntries(own.map(({ key, form }) => [key, form.json(config[key])])),
  };
  const answer = await call.client.ask('POST /banks', 'clock', { body });
  printAnswer(call, answer, (told) => answerLines(told, {}));
}
