import { quirksJson } from '../../engine/bank/rules/quirk.ts';
import { bankSettings, settings } from '../../api/start/settings.ts';
import { serverSettings, WrongUse } from '../cli/command.ts';
import { fixturesToSend, reading } from '../cli/file-input.ts';
import { defaultName, isBankName } from '../../api/hosting/bank-name.ts';
import { boundedFile } from '../../api/hosting/bundle/bundle-file.ts';
import { quote } from '../../engine/values/text.ts';
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
      'sandbank bank create mine --from demo',
      'sandbank bank list',
      'sandbank --bank demo advance P1D',
      'sandbank bank remove demo',
    ],
  },
  {
    list: passOn('GET /banks', { columns: { banks: bankColumns } }),
    create: {
      summary: 'Create a bank in this process.',
      words: ['NAME'],
      flags: {
        '--from <FILE|BANK>':
          'Begins as a copy: of a saved bank, or of a bank of the server. A file whose name could be that of a bank is ./FILE.',
      },
      run: create,
    },
    remove: passOn('DELETE /banks/:name', { words: { name: 'NAME' } }),
  },
);

/** How a call brings what the new bank is a copy of: the name of a bank in its body, a saved bank as its body. */
async function copied(from: string | undefined, body: Readonly<Record<string, unknown>>) {
  if (from === undefined) return { body };
  if (isBankName(from) || from === defaultName) return { body: { ...body, from } };
  const source = `--from ${quote(from)}`;
  const bytes = reading(source, () => boundedFile(from));
  if (bytes === null) throw new WrongUse(`${source} is no bundle of Sandbank`);
  // Loaded here only: few banks begin with a saved one.
  const { besideBundle } = await import('../../api/control/bank-calls.ts');
  return besideBundle(body, bytes, (problem) => new WrongUse(problem));
}

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
  const answer = await call.client.ask('POST /banks', 'clock', await copied(given.text('from'), body));
  printAnswer(call, answer, (told) => answerLines(told, {}));
}
