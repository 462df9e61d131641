import { createHash } from 'node:crypto';
import * as Type from 'typebox';
import { type Instant, parseInstant } from '../../engine/values/instant.ts';
import { noQuirks, type Quirks, quirkTexts } from '../../engine/bank/rules/quirk.ts';
import { glance, readBeginning, requireClockInstant } from '../../engine/bank/read-clock.ts';
import { hashOfKnownState } from '../../engine/bank/known-state.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { defaultName } from './bank-name.ts';
import { type HostedBanks, type NewBank, openedIn } from './hosted-banks.ts';
import {
  bankBody,
  bankCalls,
  type copiedBank,
  type bankList,
  type bankMembers,
  type bankSettings,
  type madeBank,
} from '../control/bank-calls.ts';
import { controlEndpoint, type ControlCall, Created, bundleType, shownAddress } from '../control/control-endpoint.ts';
import type { AnswerValue } from '../bodies/written.ts';
import { chosenQuirks } from '../control/quirks.ts';
import { profileGiven } from '../control/profile.ts';
import { refusedAt, Problem, problemOf } from '../pipeline/problem.ts';
import { configOfProfile } from '../start/profile.ts';
import { knownStateOf } from '../control/fixtures-given.ts';
import { givenIn, sentenceOf } from '../control/name-or-object.ts';
import { instantOf } from '../control/ledger/reset-and-restore.ts';
import { type Config, readBankSettings } from '../start/config.ts';
import type { Static } from '../bodies/schema.ts';
import { parseDuration } from '../../engine/values/duration.ts';
import { assert } from '../../engine/values/assert.ts';
import type { HostedBank } from './hosted-bank.ts';
import type { Bundle } from './bundle/bundle.ts';
import { validateBody } from '../pipeline/validate-body.ts';
import { moveTogether, type Target } from '../control/clock/one-instant.ts';
import { Mistake } from '../../engine/values/mistake.ts';
import { copiedWith } from '../../engine/open-bank.ts';

/** Endpoints of `/sandbox/banks`: further banks of this process. Only the control plane at the root has them. */
export function banksEndpoints(banks: HostedBanks, root: HostedBank) {
  return [
    controlEndpoint('POST /banks', {
      ...bankCalls['POST /banks'],
      handle: async (call) => {
        const { name, from, ...given } = call.text === null ? call.readBody() : sentBeside(call);
        const source = call.text ?? from;
        const copied =
          source === undefined ? null : await givenIn('from', 'The bank', () => bundleFrom(banks, root, source));
        return madeOf(call, await banks.create(await wantedOf(banks, name, given, copied)));
      },
    }),
    controlEndpoint('PUT /banks/:name', {
      ...bankCalls['PUT /banks/:name'],
      handle: async (call) => {
        const { hosted, isNew } = await banks.ensure(await wantedOf(banks, call.params.name, call.readBody()));
        const answer = await madeOf(call, hosted);
        return isNew ? new Created(answer) : answer;
      },
    }),
    controlEndpoint('GET /banks', {
      ...bankCalls['GET /banks'],
      handle: async (call) => {
        const began = await readBeginning(call.bank).catch(() => null);
        const root = {
          ...addressed(call, defaultName, call.config),
          ...(await seenIn(call.bank)),
          origin: originJson(began?.at ?? null, began?.mode ?? call.config.clockMode, call.config),
        };
        const named = banks.list().map(async (each) => {
          const { name, record, state } = each;
          const { config } = record;
          const seen = 'damage' in state ? { clock: null, bytes: null, ...state } : await seenIn(state.bank);
          const origin = originJson(config.clockNow, config.clockMode, config);
          return { ...addressed(call, name, config), ...seen, origin };
        });
        return { banks: [root, ...(await Promise.all(named))] };
      },
    }),
    controlEndpoint('POST /banks/clock/advance', {
      ...bankCalls['POST /banks/clock/advance'],
      handle: (call) => {
        const { banks: names, ...target } = call.readBody();
        const wanted = names === undefined ? banks.list() : [...new Set(names)].map((name) => banks.known(name));
        return moveTogether(
          wanted.map((named) => ({ name: named.name, hosted: openedIn(named) })).toSorted(byName),
          targetOf(target),
        );
      },
    }),
    controlEndpoint('DELETE /banks/:name', {
      ...bankCalls['DELETE /banks/:name'],
      handle: async ({ params: { name } }) => {
        await banks.remove(name);
        return { removed: name };
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

/** The largest bundle that a call brings, unpacked, in bytes: a server with 512 MB holds it twice. */
const maxSent = 64 * 1024 * 1024;

/** What stands in the query of a call that brings a saved bank. Throws as readBody does. */
function sentBeside({ query, bank }: ControlCall): Static<typeof bankBody> {
  const { quirks, ...others } = Object.fromEntries(query);
  const body: unknown = { ...others, ...(quirks !== undefined && { quirks: quirks.split(',') }) };
  validateBody(bankBody, body, { quirks: bank.quirks });
  return body;
}

/**
 * What a copy begins with: a saved bank, a bank of this server, or a snapshot of one. Throws a Mistake, NOT_FOUND or
 * LedgerUnavailable.
 */
async function bundleFrom(
  banks: HostedBanks,
  root: HostedBank,
  from: Uint8Array | Static<typeof copiedBank>,
): Promise<Bundle> {
  if (from instanceof Uint8Array) {
    const { readBundle } = await import('./bundle/bundle.ts');
    return readBundle(Buffer.from(from), maxSent).catch((error: unknown) => {
      throw error instanceof Mistake ? new Mistake(`the bundle ${error.message}`) : error;
    });
  }
  const { bank: name, snapshot } = typeof from === 'string' ? { bank: from } : from;
  return (name === defaultName ? root : openedIn(banks.known(name))).copied(snapshot);
}

type ToldBank = AnswerValue<typeof bankList>['banks'][number];

/** The bank that a body asks for. Throws a Refusal, a Problem or a Mistake for wrong settings. */
async function wantedOf(
  banks: HostedBanks,
  name: string,
  given: Static<typeof bankSettings>,
  from: Bundle | null = null,
): Promise<NewBank> {
  const { fixtures, now, mode, quirks, profile: asked, ...others } = given;
  const profile = asked === undefined ? null : await profileGiven(asked);
  if (from !== null && fixtures !== undefined)
    throw refusedAt('fixtures', 'A copy has the people of its original: send from or fixtures, not both.');
  const known = fixtures === undefined ? null : await knownStateOf(fixtures, (named) => banks.knownStateNamed(named));
  const choose = (below: Quirks): Quirks => {
    const under = profile === null ? below : chosenQuirks(below, profile.quirks);
    return quirks === undefined ? under : chosenQuirks(under, quirks);
  };
  const on = quirks === undefined ? null : choose(noQuirks);
  const ofCopy = from === null ? null : await copySettings(from, choose);
  const at = now === undefined ? null : instantOf(now);
  if (at !== null) requireClockInstant(at);
  const ofFixtures = known === null || typeof fixtures === 'string' ? fixtures : await hashOfKnownState(known);
  const settings = readBankSettings(others, (key, problem) => refusedAt(key, sentenceOf(problem)));
  // In an order that does not follow the table of quirks: a later version may have another one, and kept banks are
  // asked for again.
  const choice = on === null ? null : quirkTexts(on).toSorted();
  const all = [ofFixtures, at, mode, profile, choice, ...Object.entries(settings)];
  return {
    name,
    asked: createHash('sha256').update(JSON.stringify(all)).digest('base64url'),
    settings: {
      ...ofCopy,
      ...(profile !== null && configOfProfile(profile)),
      ...(fixtures !== undefined && { fixtures: typeof fixtures === 'object' ? `banks/${name}` : fixtures }),
      ...(at !== null && { clockNow: at }),
      ...(mode !== undefined && { clockMode: mode }),
      // The profile of the server has other quirks.
      ...(on !== null && { quirks: on, profile }),
      ...(ofCopy !== null && { quirks: ofCopy.quirks, profile: profile ?? ofCopy.profile }),
      ...settings,
    },
    knownState: from?.knownState ?? known,
    from: from && { ...from, copied: copiedWith(from.copied, choose, mode) },
  };
}

/** The settings of a copy, with the quirks that `choose` makes of its own. */
async function copySettings(from: Bundle, choose: (below: Quirks) => Quirks) {
  const { settingsOfCopy } = await import('./bundle/bundle.ts');
  const own = await givenIn('from', 'The bank', async () => settingsOfCopy(from));
  return { ...own, quirks: choose(own.quirks ?? noQuirks) };
}

/** The answer of a call that makes a bank. Throws LedgerUnavailable for one whose ledger cannot be read. */
async function madeOf(call: ControlCall, { bank, config, name }: HostedBank): Promise<AnswerValue<typeof madeBank>> {
  return { ...addressed(call, name, config), clock: await glance(bank) };
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

/** What a list shows of an open bank. One bank in trouble does not hide the others. */
async function seenIn(bank: Bank): Promise<Pick<ToldBank, 'clock' | 'bytes' | 'damage'>> {
  const damage = bank.ledger.trouble()?.reason ?? null;
  const seen = await glance(bank).catch(() => null);
  return { clock: seen, bytes: seen?.bytes ?? null, damage };
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
        if (error instanceof Mistake) throw new Problem({ status: 409, detail: `The bank ${error.message}.` });
        throw error;
      }
    },
  });
}

/**
 * Makes a bank for each of these listed profiles, named by its id, as `POST /sandbox/banks` does (rules.md Q12). A bank
 * that is there stays as it is. Throws a Mistake for a profile that cannot be used, and if there are too many banks.
 */
export async function makePlatform(banks: HostedBanks, ids: readonly string[]): Promise<void> {
  const there = new Set(banks.list().map(({ name }) => name));
  for (const id of ids.filter((each) => !there.has(each))) {
    try {
      await banks.create(await wantedOf(banks, id, { profile: id }));
    } catch (error) {
      const problem = problemOf(error);
      throw problem === null
        ? error
        : new Mistake(`--platform: the bank ${id} cannot be made: ${problem.facts.detail}`);
    }
  }
}
