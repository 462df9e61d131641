import { bankAddress, serverNote } from '../cli/bank-address.ts';
import { jsonFlag, printAnswer } from '../cli/json-output.ts';
import type { Command } from '../cli/command.ts';
import { bankFlag } from '../cli/control-plane-client.ts';

/** Time limit of the answer, in ms. */
const patience = 2_000;

/** The health check of the image: calls `/ready` of the server with these settings. */
export const ready: Command = {
  name: 'ready',
  usage: '[flags]',
  summary: 'Tells whether the server is ready: exit code 0, else 1.',
  flags: [{ ...bankFlag, what: 'And whether it has this bank.' }, jsonFlag],
  settings: ['PORT', 'HOST'],
  takesAllSettings: true,
  words: [0, 0],
  notes: [serverNote],
  examples: ['sandbank ready'],
  run: async (given, terminal) => {
    const { server: address, path } = bankAddress(given);
    const notReady = (detail: string): number => {
      printAnswer(given, terminal, { status: null, detail }, () => [`not ready: ${detail}`]);
      return 1;
    };
    try {
      const answer = await fetch(`${address}/ready`, { signal: AbortSignal.timeout(patience) });
      const state: unknown = await answer.json().catch(() => null);
      const status = typeof state === 'object' && state !== null && 'status' in state ? String(state.status) : null;
      if (status === null)
        return notReady(`what answers at ${address} (${answer.status}) does not look like a Sandbank`);
      if (status === 'ready' && path !== '' && !(await hasBank(address, path)))
        return notReady(`the server at ${address} has no bank ${path.slice('/banks/'.length)}`);
      printAnswer(given, terminal, state, () => [status === 'ready' ? 'ready' : `not ready: ${status}`]);
      return status === 'ready' ? 0 : 1;
    } catch {
      return notReady(`nothing answers at ${address}`);
    }
  },
};

/** Whether there is a bank at this path; the probes are of the server. */
async function hasBank(server: string, path: string): Promise<boolean> {
  return (await fetch(`${server}${path}/`, { signal: AbortSignal.timeout(patience) })).status !== 404;
}
