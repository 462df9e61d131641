import * as Type from 'typebox';
import { assert } from '../../engine/values/assert.ts';
import { formatInstant, parseInstant, type Instant } from '../../engine/values/instant.ts';
import { noQuirks, quirkTexts } from '../../engine/bank/rules/quirk.ts';
import { type Glance, glanceAt } from '../../engine/bank/glance.ts';
import { requireClockInstant } from '../../engine/bank/clock-bounds.ts';
import { defaultName, type HostedBanks } from './hosted-banks.ts';
import {
  bankList,
  bankRemoved,
  madeBank,
  madeTenant,
  platformList,
  tokenIssued,
  tokenRevoked,
} from '../control/banks-answers.ts';
import { controlEndpoint, type ControlCall, type ControlEndpoint } from '../control/control-endpoint.ts';
import { chosenQuirks, quirkChoice } from '../control/quirks.ts';
import { profileChoice, profileGiven } from '../control/profile.ts';
import { platformEntry } from '../start/platform.ts';
import { quirksOf } from '../start/profile.ts';
import { knownStateOf } from '../control/ledger/known-state-of.ts';
import { closed, meaning } from '../bodies/schema.ts';
import { clockMode, fixtures, instant } from '../bodies/values.ts';

/** Body of `POST /sandbox/banks`. */
export const bankBody = closed(
  {
    name: Type.String({ description: 'a name for the bank', minLength: 1, maxLength: 255 }),
    fixtures: Type.Optional(fixtures),
    now: Type.Optional(meaning('Where its clock starts.', instant)),
    mode: Type.Optional(clockMode),
    quirks: Type.Optional(quirkChoice),
    profile: Type.Optional(profileChoice),
  },
  {
    title: 'Bank',
    description: 'A further bank in this process, in memory, below /banks/{name}.',
    expected: 'an object with the name of the bank',
    examples: [{ name: 'ci-1', now: '2027-03-30', mode: 'frozen' }],
  },
);

const path = '/banks';

/** Endpoints of `/sandbox/banks`: further banks of this process, in memory. Only the control plane at the root has them. */
export function banksEndpoints(banks: HostedBanks): readonly ControlEndpoint[] {
  return [
    controlEndpoint({
      method: 'POST',
      path,
      summary: 'Create a bank in this process, in memory',
      answer: banks.haveTokens ? madeTenant : madeBank,
      refusals: { 409: 'There is a bank of this name.', 429: 'There are a thousand banks.' },
      body: bankBody,
      handle: async (call) => {
        const { name, fixtures, now, mode, quirks, profile: asked } = call.readBody();
        const profile = asked === undefined ? null : await profileGiven(asked);
        const { token, ...config } = await banks.create({
          name,
          ...(fixtures !== undefined && {
            fixtures: typeof fixtures === 'string' ? fixtures : `banks/${name}`,
            knownState: await knownStateOf(fixtures, banks.knownStates()),
          }),
          ...(now !== undefined && { now: instantOf(now) }),
          ...(mode !== undefined && { mode }),
          ...(profile !== null && { profile }),
          ...(quirks !== undefined && {
            quirks: chosenQuirks(profile === null ? noQuirks : quirksOf(profile), quirks),
          }),
        });
        const clock = { now: formatInstant(config.clockNow), mode: config.clockMode };
        return { ...addressed(call, name, config), clock, ...(token !== null && { token }) };
      },
    }),
    {
      method: 'GET',
      path,
      summary: 'List the banks of this process',
      answer: bankList,
      handle: async (call) => {
        const named = banks.list().map(([name, bank]) => ({ name, config: bank.config, glance: () => bank.glance() }));
        const all = [{ name: defaultName, config: call.config, glance: glanceAt(call.bank) }, ...named];
        return {
          banks: await Promise.all(
            all.map(async ({ name, config, glance }) => ({
              ...addressed(call, name, config),
              // One bank in trouble does not hide the others.
              ...glanceJson(await glance().catch(() => null)),
            })),
          ),
        };
      },
    },
    ...(banks.platform === null ? [] : [platformEndpoint(banks.platform)]),
    ...(banks.haveTokens ? tokenEndpoints(banks) : []),
    {
      method: 'DELETE',
      path: `${path}/:name`,
      summary: 'Remove a bank',
      answer: bankRemoved,
      refusals: { 409: 'It is the bank at the root, or its clock is being moved.' },
      handle: async ({ params }) => {
        const name = params['name'] ?? '';
        await banks.remove(name);
        return { removed: name };
      },
    },
  ];
}

/** The tokens of banks. Each is answered once, by the call that issues it (docs/spec/control-plane.md H). */
function tokenEndpoints(banks: HostedBanks): readonly ControlEndpoint[] {
  const ofBank = `${path}/:name/token`;
  return [
    {
      method: 'POST',
      path: ofBank,
      summary: 'Issue a token of a bank in place of the one before',
      answer: tokenIssued,
      handle: async ({ params }) => {
        const name = params['name'] ?? '';
        return { name, token: await banks.issueToken(name) };
      },
    },
    {
      method: 'DELETE',
      path: ofBank,
      summary: 'Revoke the token of a bank',
      answer: tokenRevoked,
      handle: async ({ params }) => {
        const name = params['name'] ?? '';
        await banks.revokeToken(name);
        return { revoked: name };
      },
    },
  ];
}

/** `GET /platform`: the banks of the platform. It opens none of them. */
function platformEndpoint(ids: readonly string[]): ControlEndpoint {
  return {
    method: 'GET',
    path: '/',
    at: '/platform',
    summary: 'List the banks of the platform',
    answer: platformList,
    handle: async ({ address }) => {
      const profiles = await Promise.all(ids.map((id) => profileGiven(id)));
      return {
        banks: profiles.map((profile) => ({ ...platformEntry(profile), address: `${address}/banks/${profile.id}` })),
      };
    },
  };
}

function addressed({ address }: ControlCall, name: string, config: ControlCall['config']): object {
  const at = name === defaultName ? address : `${address}/banks/${name}`;
  return {
    name,
    interface: `${at}/v1`,
    control: `${at}/sandbox`,
    fixtures: config.fixtures,
    quirks: quirkTexts(config.quirks),
  };
}

function glanceJson(seen: Glance | null): object {
  if (seen === null) return { clock: null, bytes: null };
  const { now, mode, bytes } = seen;
  return { clock: { now: formatInstant(now), mode }, bytes };
}

function instantOf(text: string): Instant {
  const instant = parseInstant(text);
  assert(instant !== null, `${text} was checked with the body`);
  requireClockInstant(instant);
  return instant;
}
