import { bankAddress, serverNote } from '../cli/bank-address.ts';
import type { Command } from '../cli/command.ts';

/** Time limit of the answer, in ms. */
const patience = 2_000;

/** The health check of the image: calls `/ready` of the server with these settings. */
export const ready: Command = {
  name: 'ready',
  usage: '[settings]',
  summary: 'Says whether the server is ready: exit code 0, else 1.',
  flags: [],
  settings: ['PORT', 'HOST'],
  takesAllSettings: true,
  words: [0, 0],
  notes: [serverNote],
  run: async (given, terminal) => {
    const { server: address } = bankAddress(given);
    try {
      const answer = await fetch(`${address}/ready`, { signal: AbortSignal.timeout(patience) });
      terminal.out(answer.ok ? 'ready' : `not ready: ${answer.status}`);
      return answer.ok ? 0 : 1;
    } catch {
      terminal.out(`not ready: nothing answers at ${address}`);
      return 1;
    }
  },
};
