import { quote } from '../../engine/values/text.ts';
import { catalogue } from '../../api/catalogue/catalogue.ts';
import type { Scenario } from '../../api/catalogue/scenario.ts';
import { WrongUse } from '../cli/command.ts';
import { columns, nearestHint, printAnswer } from '../cli/output.ts';
import { serverCommand } from '../cli/server-command.ts';
import { tellScenario } from '../play/tell-scenario.ts';

/** Plays a scenario of the catalogue, or one of the user's own, in a named bank of its own. */
export const play = serverCommand({
  name: 'play',
  usage: '[NAME | FILE.json]',
  summary: 'Lists the scenarios, or plays one in a bank of its own and explains each answer.',
  flags: {
    '--keep': 'Keeps the bank of the scenario, even after an unexpected answer.',
    '--bank <NAME>': 'Names the bank of the scenario. Default: NAME-1, NAME-2, ...',
    '--json': 'Prints the list, or the whole requests and answers, as JSON.',
  },
  words: [0, 1],
  notes: [
    'The command plays the scenario in the running server and removes the bank at the end. If no server runs, the command starts one in memory on a free port and stops it at the end, unless --port, --host or $BANK names a server. An unexpected answer gives exit code 1.',
    'A word with a slash or the ending .json is a file of your own. docs/scenarios.md explains its form.',
  ],
  examples: ['sandbank play', 'sandbank play five-attempts', 'sandbank play easter --json'],
  run: async (call) => {
    const { given } = call;
    const [word] = given.words;
    if (word === undefined) {
      const scenarios = catalogue().map(({ name, title }) => ({ name, title }));
      return printAnswer(call, { scenarios }, () => columns(scenarios.map(({ name, title }) => [name, title])));
    }
    const scenario = /[/\\]|\.json$/.test(word) ? await scenarioIn(word) : scenarioNamed(word, given.program);
    await tellScenario(scenario, call, { called: scenario.name, keeps: false });
  },
});

async function scenarioIn(file: string): Promise<Scenario> {
  // Loaded here only: what checks a file takes 50 ms to load, and listed scenarios are not checked.
  const { readScenario } = await import('../play/read-scenario.ts');
  return readScenario(file);
}

/** Throws a WrongUse that names the nearest one. */
function scenarioNamed(name: string, program: string): Scenario {
  const found = catalogue().find((scenario) => scenario.name === name);
  if (found !== undefined) return found;
  const names = catalogue().map((scenario) => scenario.name);
  throw new WrongUse(`there is no scenario ${quote(name, 40)}${nearestHint(name, names)}: ${program} play lists them`);
}

/** The scenario first-payment, whose bank stays. */
export const demo = serverCommand({
  name: 'demo',
  summary: 'Makes a first payment. Shows each request as a curl line, with its answer.',
  flags: {
    '--bank <NAME>': 'Names the bank of the demo. Default: demo-1, demo-2, ...',
  },
  notes: [
    'The demo plays the scenario first-payment and keeps its bank in the running server, so you can repeat the lines. If no server runs, the demo starts one in memory on a free port and stops it at the end, unless --port, --host or $BANK names a server.',
  ],
  examples: ['sandbank demo'],
  run: async (call) => {
    const scenario = scenarioNamed('first-payment', call.given.program);
    await tellScenario(scenario, call, { called: 'demo', keeps: true });
  },
});
