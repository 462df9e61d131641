import { systemClock } from '../../engine/time/clock.ts';
import { formatInstant, type Instant, parseInstant } from '../../engine/values/instant.ts';
import { quote } from '../../engine/values/text.ts';
import { bankAddress, type BankAddress, serverNote } from '../cli/bank-address.ts';
import type { Arguments } from '../cli/arguments.ts';
import type { FileReset } from './reset-file.ts';
import { CommandFailed, type Command, type Flag, WrongUse } from '../cli/command.ts';
import { jsonFlag, printAnswer } from '../cli/json-output.ts';
import { bankFlag, ControlPlaneClient, serverSettings } from '../cli/control-plane-client.ts';
import { isServed } from '../cli/is-served.ts';

const nowFlag: Flag = {
  name: 'now',
  value: 'INSTANT',
  mayBeAlone: true,
  what: 'Then sets the bank clock: to 2027-01-01 or 2027-01-01T12:00:00+01:00; left out: to the time of this machine.',
};

/**
 * Goes back to the known state and the seeded clock (rules.md D1, D3b). Asks the server if one answers; else resets the ledger
 * file, unless $BANK names a server. Takes the settings of the server.
 */
export const reset: Command = {
  name: 'reset',
  usage: '[--now [INSTANT]]',
  summary: 'Resets the bank to its known state, and its clock to where the ledger began.',
  flags: [nowFlag, bankFlag, jsonFlag],
  settings: [...serverSettings, 'SANDBANK_LEDGER', 'SANDBANK_FIXTURES'],
  takesAllSettings: true,
  words: [0, 0],
  notes: [
    'A server that answers resets itself. When none does, the ledger file is reset, to --fixtures; but not when $BANK names the server.',
    serverNote,
    'The other flags of `sandbank serve` are accepted too.',
  ],
  examples: ['sandbank reset', 'sandbank reset --now 2027-03-24', 'sandbank reset --now'],
  run: async (given, terminal) => {
    const config = given.config();
    const now = nowOf(given);
    const at = bankAddress(given);
    const { server: address, path } = at;
    if (await isServed(address)) {
      const name = path === '' ? '' : ` ${path.slice('/banks/'.length)}`;
      printAnswer(given, terminal, await resetServer(given, at, now), ({ clock }) => [
        `The bank${name} at ${address} is back to its known state${now !== null ? `, at ${clock.now}` : ''}.`,
      ]);
      return 0;
    }
    if (at.namedBy === 'BANK') {
      throw new CommandFailed(`no Sandbank answers at ${address}: start it, or unset BANK to reset the ledger file`);
    }
    if (given.has('bank')) throw new CommandFailed(`nothing answers at ${address}: named banks live in a server`);
    const { resetFile } = await import('./reset-file.ts');
    printAnswer(given, terminal, await resetFile(config, address, now), fileLines);
    return 0;
  },
};

interface ClockAnswer {
  readonly now: string;
}

/** Where the clock is to stand afterwards; null: where the ledger began. */
function nowOf(given: Arguments): Instant | null {
  const text = given.text(nowFlag.name);
  if (text === undefined) return null;
  const instant = text === '' ? systemClock.now() : parseInstant(text);
  if (instant !== null) return instant;
  throw new WrongUse(
    `--now is ${quote(text, 40)}: expected an instant, such as 2027-01-01 or 2027-01-01T12:00:00+01:00`,
  );
}

/** The answer to the reset; with --now its clock is the one that was set afterwards. */
async function resetServer(
  given: Arguments,
  at: BankAddress,
  now: Instant | null,
): Promise<{ readonly clock: ClockAnswer }> {
  const client = new ControlPlaneClient(given, at);
  const answer = await client.ask<{ clock: ClockAnswer }>('POST', '/reset', 'clock');
  if (now === null) return answer;
  // No payment is left, so that the clock may go back as well as forward.
  const clock = await client.ask<ClockAnswer>('PUT', '/clock', 'now', { now: formatInstant(now) });
  return { ...answer, clock };
}

function fileLines({ ledger, clock }: FileReset): string[] {
  if (clock === null) return [`There is no ledger at ${ledger} yet: the first start creates it with the known state.`];
  return [`The ledger ${ledger} is back to its known state, at ${clock.now} (${clock.mode}).`];
}
