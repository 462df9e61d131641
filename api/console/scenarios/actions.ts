import { commandLine } from '../parts/lists.ts';
import { Problem } from '../../pipeline/problem.ts';
import { aloneInTest } from '../parts/text.ts';
import { scenarioIn } from './scenario-in.ts';
import { type OwnAction, pathTo } from '../console-view.ts';

/** Plays a scenario in a bank of its own, and shows it. */
export const playScenario: OwnAction = {
  path: '/scenarios/:name/play',
  line: ({ name = '' }, call) => commandLine(call, `play ${name} --keep`),
  act: async (call, fields) => {
    const scenario = scenarioIn(call);
    if (call.plays === null) throw new Problem({ status: 409, detail: `${aloneInTest} A scenario needs one.` });
    const pause = fields.get('pace') === 'slow' ? call.plays.slowPause : 0;
    const play = await call.plays.start(scenario, pause);
    return {
      text: `The bank ${play.bank} was made for it.`,
      to: pathTo('/scenarios/plays/:playId', { params: { playId: play.id } }),
    };
  },
};
