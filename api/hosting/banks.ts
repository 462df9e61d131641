import { createHash } from 'node:crypto';
import * as Type from 'typebox';
import { type Instant, parseInstant } from '../../engine/values/instant.ts';
import { noQuirks, quirkTexts, type Quirks } from '../../engine/bank/rules/quirk.ts';
import { type Glance, glanceAt, readBeginning, requireClockInstant, readClock } from '../../engine/bank/read-clock.ts';
import { hashOfKnownState } from '../../engine/bank/known-state.ts';
import { defaultName } from './bank-store.ts';
import type { HostedBanks, NewBank } from './hosted-banks.ts';
import {
  type HostLoad,
  bankCalls,
  type bankList,
  type bankMembers,
  type bankSettings,
  type madeBank,
} from '../control/bank-calls.ts';
import type { NamedBank } from './named-bank.ts';
import { controlEndpoint, type ControlCall, Created, bundleType, shownAddress } from '../control/control-endpoint.ts';
import { type AnswerValue, written } from '../bodies/written.ts';
import { chosenQuirks } from '../control/quirks.ts';
import { profileGiven } from '../control/profile.ts';
import { refusedAt, Problem } from '../pipeline/problem.ts';
import { configOfProfile, quirksOf, settingsOf } from '../start/profile.ts';
import { sentenceOf, knownStateOf } from '../control/given.ts';
import { instantOf } from '../control/ledger/reset-and-restore.ts';
import { type Config, readBankSettings, usualBankSettings } from '../start/config.ts';
import type { Static } from '../bodies/schema.ts';
import { BundleRefused } from './bundle/bundle-file.ts';
import { parseDuration } from '../../engine/values/duration.ts';
import type { ClockPace } from '../../engine/time/rules/bank-clock.ts';
import { moveOfBank, platformCalls, platformMoved } from '../control/platform-calls.ts';
import { platformEntry } from '../start/platform.ts';
import type { HostedBank } from './hosted-bank.ts';
import { type BankInQuestion, whenAtBanks } from './when.ts';
import { type MovedBank, moveTogether, type Target } from './one-clock.ts';

/** Endpoints of `/sandbox/banks`: further banks of this process. Only the control plane at the root has them. */
export function banksEndpoints(banks: HostedBanks, load: () => Promise<HostLoad>) {
  return [
    controlEndpoint('POST /banks', {
      ...bankCalls['POST /banks'],
      handle: async (call) => {
        const { name, ...given } = call.readBody();
        const { named, token } = await banks.create(await wantedOf(banks, name, given));
        return madeOf(call, named, token);
      },
    }),
    controlEndpoint('PUT /banks/:name', {
      ...bankCalls['PUT /banks/:name'],
      handle: async (call) => {
        const wanted = await wantedOf(banks, call.params.name, call.readBody());
        const { named, isNew, token } = await banks.ensure(wanted);
        const answer = await madeOf(call, named, token);
        return isNew ? new Created(answer) : answer;
      },
    }),
    controlEndpoint('GET /banks', {
      ...bankCalls['GET /banks'],
      handle: async (call) => {
        const began = await readBeginning(call.bank).catch(() => null);
        const root = {
          ...addressed(call, defaultName, call.config),
          ...glanceJson(await glanceAt(call.bank)().catch(() => null)),
          origin: originJson(began?.at ?? null, began?.mode ?? call.config.clockMode, call.config),
          used: null,
          hasToken: false,
        };
        const named = (await banks.list()).map(async (each) => ({
          ...addressed(call, each.name, each.config),
          // One bank in trouble does not hide the others.
          ...glanceJson(await each.glance().catch(() => null)),
          origin: originJson(each.config.clockNow, each.config.clockMode, each.config),
          used: each.record.used,
          hasToken: each.tenant?.hasToken === true,
        }));
        return { banks: [root, ...(await Promise.all(named))] };
      },
    }),
    ...platformEndpoints(banks),
    ...(banks.haveTokens ? tokenEndpoints(banks, load) : []),
    controlEndpoint('DELETE /banks/:name', {
      ...bankCalls['DELETE /banks/:name'],
      handle: async ({ params: { name } }) => {
        await banks.remove(name);
        return { removed: name };
      },
    }),
  ] as const;
}

/** The load of the server, and the tokens of banks: each is answered once, by the call that issues it (docs/spec/control-plane.md H). */
function tokenEndpoints(banks: HostedBanks, load: () => Promise<HostLoad>) {
  return [
    controlEndpoint('GET /host', { ...bankCalls['GET /host'], handle: load }),
    controlEndpoint('POST /banks/:name/token', {
      ...bankCalls['POST /banks/:name/token'],
      handle: async ({ params: { name } }) => {
        const named = await banks.find(name);
        return { name, token: await named.issueToken() };
      },
    }),
    controlEndpoint('DELETE /banks/:name/token', {
      ...bankCalls['DELETE /banks/:name/token'],
      handle: async ({ params: { name } }) => {
        const named = await banks.find(name);
        await named.revokeToken();
        return { revoked: name };
      },
    }),
  ] as const;
}

type ToldBank = AnswerValue<typeof bankList>['banks'][number];

/** The bank that a body asks for. Throws a Refusal, a Problem or a ConfigError for wrong settings. */
async function wantedOf(banks: HostedBanks, name: string, given: Static<typeof bankSettings>): Promise<NewBank> {
  const { fixtures, now, mode, quirks, profile: asked, ...others } = given;
  const profile = asked === undefined ? null : await profileGiven(asked);
  const known = fixtures === undefined ? null : await knownStateOf(fixtures, (named) => banks.knownStateNamed(named));
  const on = quirks === undefined ? null : chosenQuirks(profile === null ? noQuirks : quirksOf(profile), quirks);
  const at = now === undefined ? null : instantOf(now);
  if (at !== null) requireClockInstant(at);
  const ofFixtures = known === null || typeof fixtures === 'string' ? fixtures : hashOfKnownState(known);
  const settings = readBankSettings(others, (key, problem) => refusedAt(key, sentenceOf(problem)));
  // In an order that does not follow the table of quirks: a later version may have another one, and kept banks are asked for again.
  const choice = on === null ? null : quirkTexts(on).toSorted();
  const all = [ofFixtures, at, mode, profile, choice, ...Object.entries(settings)];
  return {
    name,
    asked: createHash('sha256').update(JSON.stringify(all)).digest('base64url'),
    settings: {
      ...(profile !== null && configOfProfile(profile)),
      ...(fixtures !== undefined && { fixtures: typeof fixtures === 'object' ? `banks/${name}` : fixtures }),
      ...(at !== null && { clockNow: at }),
      ...(mode !== undefined && { clockMode: mode }),
      // The profile of the server has other quirks.
      ...(on !== null && { quirks: on, profile }),
      ...settings,
    },
    knownState: known,
  };
}

/** The answer of a call that makes a bank. Throws LedgerUnavailable for one whose ledger cannot be read. */
async function madeOf(
  call: ControlCall,
  named: NamedBank,
  token: string | null,
): Promise<AnswerValue<typeof madeBank>> {
  const seen = (await named.glance()) ?? (await (await named.open()).glance());
  return { ...addressed(call, named.name, named.config), clock: seen, token: token ?? undefined };
}

function originJson(now: Instant | null, mode: Config['clockMode'], { profile }: Config): ToldBank['origin'] {
  return { now, mode, profile: profile?.id ?? null };
}

function addressed(call: ControlCall, name: string, config: Config): Pick<ToldBank, keyof typeof bankMembers> {
  const address = addressOf(call, name);
  const { fixtures, quirks } = config;
  return { name, interface: `${address}/v1`, control: `${address}/sandbox`, fixtures, quirks: quirkTexts(quirks) };
}

/** The address of a bank, in a call of the bank at the root. */
function addressOf(call: ControlCall, name: string): string {
  return name === defaultName ? shownAddress(call) : `${shownAddress(call)}/banks/${name}`;
}

function glanceJson(seen: Glance | null): Pick<ToldBank, 'clock' | 'bytes'> {
  return { clock: seen, bytes: seen?.bytes ?? null };
}

/** `GET /sandbox/bundle`: the bank as one file, which `sandbank open` opens elsewhere. `bundle` saves it. */
export function bundleEndpoint(bundle: () => Promise<Buffer>) {
  return controlEndpoint('GET /bundle', {
    summary: 'The bank as one file, which sandbank open opens elsewhere',
    answerType: bundleType,
    answer: Type.Unsafe({ type: 'string', contentMediaType: bundleType, description: 'the bytes of a bundle' }),
    refusals: { 409: 'Its ledger is too large for a bundle, or cannot be copied.' },
    handle: async () => {
      try {
        return await bundle();
      } catch (error) {
        if (error instanceof BundleRefused) throw new Problem({ status: 409, detail: `The bank ${error.message}.` });
        throw error;
      }
    },
  });
}

/** Endpoints of `/platform` at the root (rules.md Q12); none without `--platform`. */
function platformEndpoints(banks: HostedBanks) {
  const { platform: ids } = banks;
  if (ids === null) return [];
  const profiles = () => Promise.all(ids.map((id) => profileGiven(id)));
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
    return (await profiles()).map((profile) => {
      const quirks = asked.get(profile.id) ?? quirksOf(profile);
      return { profile, terms: { ...usualBankSettings(), ...settingsOf(profile), quirks } };
    });
  };
  const targetOf = ({ to, by }: { readonly to?: string | undefined; readonly by?: string | undefined }): Target => {
    return { to: parseInstant(to ?? '') ?? undefined, by: parseDuration(by ?? '') ?? undefined };
  };
  return [
    controlEndpoint('GET /platform', {
      ...platformCalls['GET /platform'],
      handle: async (call) => {
        const all = await profiles();
        return { banks: all.map((profile) => ({ ...platformEntry(profile), address: addressOf(call, profile.id) })) };
      },
    }),
    controlEndpoint('GET /platform/when', {
      ...platformCalls['GET /platform/when'],
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
        const done = await move(targetOf(call.readBody()), {}, { moved, isGone: () => events.stream.signal.aborted });
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
