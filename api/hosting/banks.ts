import { createHash } from 'node:crypto';
import * as Type from 'typebox';
import { type Instant, parseInstant } from '../../engine/values/instant.ts';
import { noQuirks, quirkTexts } from '../../engine/bank/rules/quirk.ts';
import { type Glance, glanceAt, readBeginning, requireClockInstant } from '../../engine/bank/read-clock.ts';
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
import type { AnswerValue } from '../bodies/written.ts';
import { chosenQuirks } from '../control/quirks.ts';
import { profileGiven } from '../control/profile.ts';
import { refusedAt, Problem, problemOf } from '../pipeline/problem.ts';
import { configOfProfile, quirksOf } from '../start/profile.ts';
import { sentenceOf, knownStateOf } from '../control/given.ts';
import { instantOf } from '../control/ledger/reset-and-restore.ts';
import { type Config, ConfigError, readBankSettings } from '../start/config.ts';
import type { Static } from '../bodies/schema.ts';
import { BundleRefused } from './bundle/bundle-file.ts';
import { parseDuration } from '../../engine/values/duration.ts';
import { assert } from '../../engine/values/assert.ts';
import type { HostedBank } from './hosted-bank.ts';
import { moveTogether, type Target } from './one-clock.ts';

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
    controlEndpoint('POST /banks/clock/advance', {
      ...bankCalls['POST /banks/clock/advance'],
      handle: async (call) => {
        const { banks: names, ...target } = call.readBody();
        const wanted =
          names === undefined
            ? await banks.list()
            : await Promise.all([...new Set(names)].map((name) => banks.find(name)));
        const moving: { readonly name: string; readonly hosted: HostedBank }[] = [];
        for (const named of wanted) moving.push({ name: named.name, hosted: await banks.openForUse(named) });
        return moveTogether(moving.toSorted(byName), targetOf(target));
      },
    }),
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

/** The schema guarantees exactly one member. */
function targetOf({ to, by }: { readonly to?: string | undefined; readonly by?: string | undefined }): Target {
  const [instant, duration] = [parseInstant(to ?? ''), parseDuration(by ?? '')];
  if (instant !== null) return { to: instant };
  assert(duration !== null, 'a move has one of its targets');
  return { by: duration };
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
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

/**
 * Makes a bank for each of these listed profiles, named by its id, as `POST /sandbox/banks` does (rules.md Q12). A bank that is there stays as
 * it is. Throws a ConfigError for a profile that cannot be used, and if there are too many banks.
 */
export async function makePlatform(banks: HostedBanks, ids: readonly string[]): Promise<void> {
  const there = new Set([...(await banks.list()), ...banks.damaged].map(({ name }) => name));
  for (const id of ids.filter((each) => !there.has(each))) {
    try {
      await banks.create(await wantedOf(banks, id, { profile: id }));
    } catch (error) {
      const problem = problemOf(error);
      throw problem === null
        ? error
        : new ConfigError(`--platform: the bank ${id} cannot be made: ${problem.facts.detail}`);
    }
  }
}
