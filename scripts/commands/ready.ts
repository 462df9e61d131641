import { setTimeout, systemClock } from '../../engine/time/clock.ts';
import type { Command } from '../cli/arguments.ts';
import { bankAddress } from '../cli/bank-address.ts';
import { CommandFailed, jsonFlag, serverNote } from '../cli/command.ts';
import { expecting } from '../../engine/values/text-form.ts';
import { valueOf } from '../cli/flag-values.ts';
import { printAnswer } from '../cli/output.ts';
import { readinessOf } from '../cli/readiness.ts';

/** Pause between two questions of a wait, in ms. */
const pauseMs = 100;
/** How long `--wait` alone waits. */
const usualWait = '30s';

/** The health check of the image: calls `/ready` of the server with these settings. */
export const ready: Command = {
  name: 'ready',
  summary: 'Tells whether the server is ready. Exit code 0 if it is, 1 if not.',
  flags: {
    '--wait [TIME]': `Waits until the server is ready, at most TIME: 30s, 500ms, 2m [${usualWait}].`,
    '--bank <NAME>': 'Also checks that the server has this bank.',
    ...jsonFlag,
  },
  settings: ['PORT', 'HOST', 'SANDBANK_TLS'],
  notes: ['If the server is not ready, standard error says why.', serverNote],
  examples: ['sandbank ready', 'sandbank ready --wait', 'sandbank ready --wait=5s --json'],
  run: async (given, terminal) => {
    const waits = given.text('wait') ?? '0s';
    const until = systemClock.monotonic() + valueOf('wait', waits === '' ? usualWait : waits, wait);
    const { server, path } = bankAddress(given);
    for (;;) {
      const { state, problem } = await readinessOf(server, path);
      if (problem === null) return printAnswer({ given, terminal }, state, () => ['ready']);
      if (systemClock.monotonic() + pauseMs > until) throw new CommandFailed(`not ready: ${problem}`, state);
      await new Promise<void>((resolve) => setTimeout(resolve, pauseMs));
    }
  },
};

/** In ms. */
const wait = expecting('a time, such as 30s, 500ms or 2m', (text) => {
  const [, number, unit = 's'] = /^(\d{1,6})(ms|s|m)?$/.exec(text) ?? [];
  return number === undefined ? null : Number(number) * ({ ms: 1, s: 1_000, m: 60_000 }[unit] ?? 1_000);
});
