import type { WideCheck } from './check.ts';
import { timed } from './timed.ts';

/** Longest time from the end of `npm ci` to the settled payment, in seconds. */
const most = 60;

/** What is committed of this clone, cloned anew and used as the README says. It prints how long each command took. */
export const clone: WideCheck = {
  name: 'clone',
  summary: `git clone, npm ci, npm run demo: a settled payment within ${most} s of npm ci`,
  run: async (place) => {
    await timed('git clone', () => place.run('git', 'clone', '--quiet', `file://${place.clone}`, 'sandbank'));
    const cloned = place.within('sandbank');
    await timed('npm ci', () => cloned.run('npm', 'ci', '--no-audit', '--no-fund'));
    const demo = await timed('npm run demo', () => cloned.run('npm', 'run', 'demo'));
    if (!/"settled": 1\b/.test(demo.result) || !demo.result.includes('has 17750.00 NOK')) {
      throw new Error(`No payment settled:\n${demo.result}`);
    }
    if (demo.seconds > most)
      throw new Error(`The payment settled ${demo.seconds} s after npm ci, not within ${most} s.`);
  },
};
