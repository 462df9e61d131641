import type { WideCheck } from './check.ts';

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
    if (!/"settled": 1\b/.test(demo.printed) || !demo.printed.includes('has 17750.00 NOK')) {
      throw new Error(`No payment settled:\n${demo.printed}`);
    }
    if (demo.seconds > most)
      throw new Error(`The payment settled ${demo.seconds} s after npm ci, not within ${most} s.`);
  },
};

async function timed(
  what: string,
  run: () => Promise<string>,
): Promise<{ readonly printed: string; readonly seconds: number }> {
  const begun = performance.now();
  const printed = await run();
  const seconds = (performance.now() - begun) / 1000;
  console.log(`  ${what.padEnd(18)}${seconds.toFixed(1).padStart(6)} s`);
  return { printed, seconds };
}
