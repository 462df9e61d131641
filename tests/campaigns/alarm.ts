import { setTimeout } from 'node:timers/promises';
import { connectOverHttp } from '../../api/harness/connect-bank.ts';
import { people } from '../lab/payments.ts';
import { startTestBank } from '../lab/server.ts';
import { moveWall, RealDate, restoreWall } from '../support/moved-date.ts';
import { type Campaign, demand, type Search } from './campaign.ts';

const day = '2027-04-12';
const beginning = `${day}T08:00:30.000+02:00`;
/** The settlement times of a bank, a minute from one to the next. */
const times = ['08:01', '08:02'] as const;
const [banksAtOnce, minute] = [12, 60_000];

/**
 * Settlement times in the next two minutes, at the machine's own pace, in twelve banks at most with hurried heartbeats:
 * node-cron carries out each run (rules.md T5b). The payment lacks funds, so each run does something.
 */
export const alarm: Campaign = (search) =>
  search.inParts(banksAtOnce * times.length, async (runs) => {
    moveWall(RealDate.parse(beginning));
    search.after(restoreWall);
    const banks = Array.from({ length: Math.ceil(runs / times.length) }, (_, index) =>
      settle(search, times.slice(0, runs - index * times.length)),
    );
    await Promise.all(banks);
  });

async function settle({ random, tally }: Search, due: readonly string[]): Promise<void> {
  const flags = ['--clock-mode', 'running', '--settlement-times', due.join(',')];
  await using bank = await startTestBank(beginning, flags, { heartbeat: 5 + random.below(250) });
  const connected = await connectOverHttp(bank.address, {});
  await connected.tpp().pay({ from: people.anne.bban, to: people.shop.bban, amount: '100.00' });
  await connected.close();
  await setTimeout(due.length * minute);
  const { runs } = (await bank.control('GET', '/sandbox/runs')).body;
  const seen: readonly { at: string; trigger: string; lateMs: number }[] = runs.toReversed();
  const told = (): string => JSON.stringify(seen);
  const wanted = due.map((time) => `${day}T${time}:00.000+02:00`);
  demand(seen.map(({ at }) => at).join() === wanted.join(), () => `the runs were ${told()}`);
  const isByCron = seen.every(({ trigger }) => trigger === 'cron');
  demand(isByCron, () => `the heartbeat took a run from cron: ${told()}`);
  for (const { lateMs } of seen) tally(lateMs <= 50 ? 'within 50 ms' : 'later than 50 ms');
}
