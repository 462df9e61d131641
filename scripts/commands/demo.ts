import { jsonFlag, serverCommand } from '../cli/command.ts';
import { tellScenario } from '../play/tell-scenario.ts';
import { scenarioNamed } from './play.ts';

/** The scenario first-payment, whose bank stays. */
export const demo = serverCommand({
  name: 'demo',
  usage: '[--bank NAME]',
  summary: 'Makes a first payment, and shows each request as a curl line with its answer.',
  flags: [
    {
      name: 'bank',
      value: 'NAME',
      what: 'The name of the bank that it makes for itself; left out: demo-1, demo-2, ...',
    },
    { ...jsonFlag, what: 'Prints the requests and answers, whole, as JSON.' },
  ],
  notes: [
    'It is sandbank play first-payment, and leaves its bank in the server that runs, so that the lines can be repeated. Where none',
    'runs it starts one in memory, on a free port, and stops it at the end; but not when --port, --host or $BANK names a server.',
  ],
  examples: ['sandbank demo'],
  run: async (given, terminal) => {
    await tellScenario(scenarioNamed('first-payment', given.program), given, terminal, { called: 'demo', keeps: true });
    return 0;
  },
});
