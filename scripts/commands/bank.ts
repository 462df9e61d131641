import { quirksJson } from '../../engine/bank/rules/quirk.ts';
import { bankSettings, settings } from '../../api/start/settings.ts';
import { serverSettings } from '../cli/command.ts';
import { fixturesToSend } from '../cli/file-input.ts';
import { columns, printAnswer } from '../cli/output.ts';
import { byVerb, passed, serverCommand, type ServerCall } from '../cli/server-command.ts';

/** The settings that a new bank takes. */
const others: readonly string[] = ['clockNow', 'clockMode', 'quirks', 'profile', 'fixtures'];
const ofNewBank = settings.filter(({ key, holds }) => holds === 'of a bank' || others.includes(key));

/** `/sandbox/banks` of a server: more banks in its process. */
export const bank = serverCommand({
  name: 'bank',
  usage: '(list | create NAME | remove NAME | token NAME | revoke NAME)',
  summary: 'Lists, creates and removes named banks, at /banks/NAME of the server, and issues and revokes their tokens.',
  atRoot: true,
  settings: [...serverSettings, ...ofNewBank.map(({ name }) => name)],
  notes: [
    `${ofNewBank.map(({ flag }) => `--${flag}`).join(', ')} configure the new bank. Without a flag the new bank has the setting of the server. The other commands reach the bank with --bank NAME.`,
    'On a server with a control token each new bank has a token of its own, which create prints once. This token opens that bank only; give it to the other commands with --control-token. `bank token` replaces it, `bank revoke` makes it invalid. The commands create, remove, token and revoke need the control token of the server.',
  ],
  examples: [
    'sandbank bank create demo --clock-now 2027-03-24 --clock-mode frozen',
    'sandbank bank list',
    'sandbank --bank demo advance P1D',
    'sandbank bank remove demo',
  ],
  ...byVerb('bank', {
    list: passed('GET /banks', 'banks', ({ banks }) =>
      columns(banks.map((each) => [each.name, each.interface, each.fixtures])),
    ),
    create: { names: true, run: create },
    remove: passed('DELETE /banks/:name', 'removed', ({ removed }) => [`Removed ${removed}.`]),
    token: passed('POST /banks/:name/token', 'token', ({ token }) => [tokenLine(token)]),
    revoke: passed('DELETE /banks/:name/token', 'revoked', ({ revoked }) => [`Revoked the token of ${revoked}.`]),
  }),
});

/** Uses flags only: environment variables are settings of the server. */
async function create(call: ServerCall, name: string): Promise<void> {
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
  printAnswer(call, answer, ({ clock, interface: at, token }) => [
    `Made ${name} at ${at}: the bank clock shows ${clock.now} (${clock.mode}).`,
    ...(token === undefined ? [] : [tokenLine(token)]),
  ]);
}

function tokenLine(token: string): string {
  return `Its token, which nobody can ask for again: ${token}`;
}
