import { connectOverHttp } from '../../api/harness/connect-bank.ts';
import { startTestBank } from '../lab/server.ts';
import { people } from '../lab/payments.ts';
import { moveWall, RealDate, restoreWall } from '../support/moved-date.ts';
import { type Campaign, demand } from './campaign.ts';

/** Five settlement times, a minute from one to the next. */
const times = ['08:01', '08:02', '08:03', '08:04', '08:05'];
const day = '2027-04-12';
const minute = 60_000;

/** In ms. */
const heartbeat = 20;

/**
 * Five settlement times in the next minutes, at the machine's own pace, with a hurried heartbeat: node-cron carries out all five, and the
 * fifth attempt rejects (rules.md T5b, S4). It takes five and a half minutes.
 */
export const alarm: Campaign = {
  unit: 'days of five runs',
  usualCount: 1,
  run: (search) =>
    search.each(async () => {
      const beginning = `${day}T08:00:30.000+02:00`;
      moveWall(RealDate.parse(beginning));
      search.after(restoreWall);
      const flags = ['--clock-mode', 'running', '--settlement-times', times.join(',')];
      await using bank = await startTestBank(beginning, flags, { heartbeat });
      const connected = await connectOverHttp(bank.address, {});
      await connected.tpp().pay({ from: people.anne.bban, to: people.shop.bban, amount: '100.00' });
      await connected.close();
      await new Promise((resolve) => setTimeout(resolve, 5 * minute));
      const { runs } = (await bank.control('GET', '/sandbox/runs')).body;
      const seen: readonly { at: string; trigger: string; lateMs: number; rejected: number }[] = runs.toReversed();
      const due = times.map((time) => `${day}T${time}:00.000+02:00`);
      demand(seen.map(({ at }) => at).join() === due.join(), () => `the runs were ${JSON.stringify(seen)}`);
      demand(
        seen.every(({ trigger }) => trigger === 'cron'),
        () => `not all by cron: ${JSON.stringify(seen)}`,
      );
      demand(seen.at(-1)?.rejected === 1, 'the fifth attempt did not reject');
      for (const { lateMs } of seen) search.tally(lateMs <= 50 ? 'within 50 ms' : 'later than 50 ms');
    }),
};
