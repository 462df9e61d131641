import { quirksJson } from '../../engine/bank/rules/quirk.ts';
import type { Static } from '../../api/bodies/schema.ts';
import type { bankList, madeBank, tokenIssued, tokenRevoked } from '../../api/control/banks-answers.ts';
import type { Terminal } from '../cli/terminal.ts';
import { bankAddress, pathPart } from '../cli/bank-address.ts';
import { byVerb, type Command, jsonFlag, serverNote, serverSettings } from '../cli/command.ts';
import { ControlPlaneClient } from '../cli/control-plane-client.ts';
import { fixturesToSend } from '../cli/file-input.ts';
import { columns, printAnswer } from '../cli/output.ts';
import type { Arguments } from '../cli/arguments.ts';

/** `/sandbox/banks` of a server: more banks in its process. */
export const bank: Command = {
  name: 'bank',
  usage: 'list | create NAME | remove NAME | token NAME | revoke NAME',
  summary: 'Lists, creates and removes named banks, at /banks/NAME of the server, and issues and revokes their tokens.',
  flags: { ...jsonFlag },
  settings: [
    ...serverSettings,
    'SANDBANK_CLOCK_NOW',
    'SANDBANK_CLOCK_MODE',
    'SANDBANK_FIXTURES',
    'SANDBANK_QUIRKS',
    'SANDBANK_PROFILE',
  ],
  notes: [
    '--clock-now, --clock-mode, --fixtures, --quirks and --profile configure the new bank. Without a flag the new bank has the setting of the server. The other commands reach the bank with --bank NAME.',
    'On a server with a control token each new bank has a token of its own, which create prints once. This token opens that bank only; give it to the other commands with --control-token. `bank token` replaces it, `bank revoke` makes it invalid. The commands create, remove, token and revoke need the control token of the server.',
    serverNote,
  ],
  examples: [
    'sandbank bank create demo --clock-now 2027-03-24 --clock-mode frozen',
    'sandbank bank list',
    'sandbank --bank demo advance P1D',
    'sandbank bank remove demo',
  ],
  ...byVerb('bank', {
    list: { names: false, run: list },
    create: { names: true, run: create },
    remove: { names: true, run: remove },
    token: { names: true, run: issueToken },
    revoke: { names: true, run: revokeToken },
  }),
};

async function list(given: Arguments, terminal: Terminal): Promise<void> {
  const answer = await clientAtRoot(given).ask<Static<typeof bankList>>('GET', '/banks', 'banks');
  printAnswer(given, terminal, answer, ({ banks }) =>
    columns(banks.map((each) => [each.name, each.interface, each.fixtures])),
  );
}

/** Uses flags only: environment variables are settings of the server. */
async function create(given: Arguments, terminal: Terminal, name: string): Promise<void> {
  const { quirks } = given.config();
  const body = {
    name,
    ...(given.has('fixtures') && { fixtures: fixturesToSend(given.text('fixtures') ?? '') }),
    ...(given.has('clock-now') && { now: given.text('clock-now') }),
    ...(given.has('clock-mode') && { mode: given.text('clock-mode') }),
    ...(given.has('profile') && { profile: fixturesToSend(given.text('profile') ?? '', 'profile') }),
    ...(given.has('quirks') && { quirks: quirksJson(quirks) }),
  };
  const answer = await clientAtRoot(given).ask<Static<typeof madeBank>>('POST', '/banks', 'clock', body);
  printAnswer(given, terminal, answer, ({ clock, interface: at, token }) => [
    `Made ${name} at ${at}: the bank clock shows ${clock.now} (${clock.mode}).`,
    ...(token === undefined ? [] : [tokenLine(token)]),
  ]);
}

function tokenLine(token: string): string {
  return `Its token, which nobody can ask for again: ${token}`;
}

async function issueToken(given: Arguments, terminal: Terminal, name: string): Promise<void> {
  const path = `/banks/${pathPart(name)}/token`;
  const answer = await clientAtRoot(given).ask<Static<typeof tokenIssued>>('POST', path, 'token');
  printAnswer(given, terminal, answer, ({ token }) => [tokenLine(token)]);
}

async function revokeToken(given: Arguments, terminal: Terminal, name: string): Promise<void> {
  const path = `/banks/${pathPart(name)}/token`;
  const answer = await clientAtRoot(given).ask<Static<typeof tokenRevoked>>('DELETE', path, 'revoked');
  printAnswer(given, terminal, answer, () => [`Revoked the token of ${name}.`]);
}

async function remove(given: Arguments, terminal: Terminal, name: string): Promise<void> {
  const path = `/banks/${pathPart(name)}`;
  const answer = await clientAtRoot(given).ask<{ removed: string }>('DELETE', path, 'removed');
  printAnswer(given, terminal, answer, () => [`Removed ${name}.`]);
}

/** Only the control plane at the root has `/banks`, even if `$BANK` names another bank. */
function clientAtRoot(given: Arguments): ControlPlaneClient {
  return new ControlPlaneClient(given, { ...bankAddress(given), path: '' });
}
