import { quote } from '../../engine/values/text.ts';
import { assert } from '../../engine/values/assert.ts';
import { formatInstant, parseInstant, type Instant } from '../../engine/values/instant.ts';
import { isQuirk, quirks, type Quirk } from '../../engine/bank/rules/quirk.ts';
import { requireClockInstant } from '../../engine/bank/clock-bounds.ts';
import { bankBody } from './bank-body.ts';
import { defaultName, type HostedBanks } from './hosted-banks.ts';
import { controlEndpoint, type ControlCall, type ControlEndpoint } from '../control/control-endpoint.ts';
import { fixturesByName } from '../control/ledger/fixtures-by-name.ts';
import { Problem } from '../pipeline/problem.ts';

const path = '/banks';

/** Endpoints of `/sandbox/banks`: more banks in this process, in memory. Only the control plane at the root has them. */
export function banksEndpoints(banks: HostedBanks): readonly ControlEndpoint[] {
  return [
    controlEndpoint({
      method: 'POST',
      path,
      body: bankBody,
      handle: async (call) => {
        const { name, fixtures, now, mode, quirks: names } = call.readBody();
        const config = await banks.create({
          name,
          ...(fixtures !== undefined && { fixtures, knownState: await fixturesByName(fixtures) }),
          ...(now !== undefined && { now: instantOf(now) }),
          ...(mode !== undefined && { mode }),
          ...(names !== undefined && { quirks: new Set(names.map(quirkOf)) }),
        });
        const clock = { now: formatInstant(config.clockNow), mode: config.clockMode };
        return { ...addressed(call, name, config), clock };
      },
    }),
    {
      method: 'GET',
      path,
      handle: (call) =>
        Promise.resolve({
          banks: [
            addressed(call, defaultName, call.config),
            ...banks.list().map(([name, { config }]) => addressed(call, name, config)),
          ],
        }),
    },
    {
      method: 'DELETE',
      path: `${path}/:name`,
      handle: async ({ params }) => {
        const name = params['name'] ?? '';
        await banks.remove(name);
        return { removed: name };
      },
    },
  ];
}

function addressed({ address }: ControlCall, name: string, config: ControlCall['config']): object {
  const at = name === defaultName ? address : `${address}/banks/${name}`;
  return {
    name,
    interface: `${at}/v1`,
    control: `${at}/sandbox`,
    fixtures: config.fixtures,
    quirks: [...config.quirks],
  };
}

function instantOf(text: string): Instant {
  const instant = parseInstant(text);
  assert(instant !== null, `${text} was checked with the body`);
  requireClockInstant(instant);
  return instant;
}

function quirkOf(name: string): Quirk {
  if (isQuirk(name)) return name;
  const detail = `There is no quirk ${quote(name)}.`;
  throw new Problem({ status: 400, detail, errors: [{ path: 'quirks', detail }], allowed: Object.keys(quirks) });
}
