import { parseDuration } from '../../engine/values/duration.ts';
import { parseInstant } from '../../engine/values/instant.ts';
import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import type { ClockPace } from '../../engine/time/rules/bank-clock.ts';
import { FairQueue } from '../../engine/time/fair-queue.ts';
import { written } from '../bodies/written.ts';
import { controlEndpoint } from '../control/control-endpoint.ts';
import { moveOfBank, platformCalls, platformMoved } from '../control/platform-calls.ts';
import { profileGiven } from '../control/profile.ts';
import { platformEntry } from '../start/platform.ts';
import type { HostedBank } from './hosted-bank.ts';
import type { HostedBanks } from './hosted-banks.ts';
import { type BankInQuestion, whenAtBanks } from './when.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { usualBankSettings } from '../start/config.ts';
import { quirksOf, settingsOf } from '../start/profile.ts';
import { type MovedBank, moveTogether, type Target } from './one-clock.ts';

const questions = new FairQueue('questions');

/** Endpoints of `/platform` at the root (rules.md Q12); none without `--platform`. */
export function platformEndpoints(banks: HostedBanks) {
  const { platform: ids } = banks;
  if (ids === null) return [];
  /** The banks of the platform that somebody has asked. */
  const askedBanks = async () => (await banks.list()).filter(({ name }) => ids.includes(name));
  const move = async (
    target: Target,
    pace: Partial<ClockPace> = {},
    watch: { readonly moved?: (bank: MovedBank) => void; readonly isGone?: () => boolean } = {},
  ) => {
    for (;;) {
      const asked: { readonly id: string; readonly hosted: HostedBank }[] = [];
      for (const named of await askedBanks()) asked.push({ id: named.name, hosted: await banks.openForUse(named) });
      const unasked = ids.filter((id) => !asked.some((each) => each.id === id));
      // One that is made from now on takes the clock over when it is finished.
      const areAll = (): boolean => !unasked.some((id) => banks.isMade(id));
      const done = await moveTogether({ asked, unasked, clock: banks.unaskedClock, areAll, ...watch }, target, pace);
      if (done !== null) return done;
    }
  };
  /** A bank that somebody has asked has the quirks that were switched since. */
  const banksInQuestion = async (): Promise<BankInQuestion[]> => {
    const asked = new Map<string, Quirks>();
    for (const named of await askedBanks()) {
      // A bank that cannot be read counts as one that nobody has asked.
      const hosted = (await named.opened()) ?? (await banks.openForUse(named).catch(() => null));
      if (hosted !== null) asked.set(named.name, hosted.bank.quirks);
    }
    const profiles = await Promise.all(ids.map((id) => profileGiven(id)));
    return profiles.map((profile) => {
      const terms = {
        ...usualBankSettings(),
        ...settingsOf(profile),
        quirks: asked.get(profile.id) ?? quirksOf(profile),
      };
      return { profile, terms };
    });
  };
  const targetOf = ({ to, by }: { readonly to?: string | undefined; readonly by?: string | undefined }): Target => {
    return { to: parseInstant(to ?? '') ?? undefined, by: parseDuration(by ?? '') ?? undefined };
  };
  return [
    controlEndpoint('GET /platform', {
      ...platformCalls['GET /platform'],
      handle: async ({ address }) => {
        const profiles = await Promise.all(ids.map((id) => profileGiven(id)));
        return {
          banks: profiles.map((profile) => ({ ...platformEntry(profile), address: `${address}/banks/${profile.id}` })),
        };
      },
    }),
    controlEndpoint('GET /platform/when', {
      ...platformCalls['GET /platform/when'],
      queue: questions,
      handle: async ({ bank, query }) => {
        const { knownState } = bank.firstOrigin;
        const { calendar } = bank.runs;
        const { now } = await readClock(bank);
        return whenAtBanks({ banks: await banksInQuestion(), knownState, prices: bank.prices, calendar, now }, query);
      },
    }),
    controlEndpoint('POST /platform/clock/advance', {
      ...platformCalls['POST /platform/clock/advance'],
      handle: (call) => move(targetOf(call.readBody())),
      tell: async (call, events) => {
        const moved = (bank: MovedBank): void => events.send('bank', written(moveOfBank, bank));
        const done = await move(targetOf(call.readBody()), {}, { moved, isGone: () => events.isGone() });
        events.send('done', written(platformMoved, done));
      },
    }),
    controlEndpoint('PUT /platform/clock', {
      ...platformCalls['PUT /platform/clock'],
      handle: (call) => {
        const { now, mode, rate } = call.readBody();
        return move(targetOf({ to: now }), {
          ...(mode !== undefined && { mode }),
          ...(rate !== undefined && { rate }),
        });
      },
    }),
  ] as const;
}
