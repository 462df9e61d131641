import packageJson from '../../package.json' with { type: 'json' };
import { quirks, type Quirk } from '../../engine/bank/rules/quirk.ts';
import { listPsus } from '../../engine/sandbox-data/psus.ts';
import type { Config } from '../start/config.ts';
import type { ControlEndpoint } from './control-endpoint.ts';
import { formatClock } from './clock/get-clock.ts';

/** `GET /sandbox/info`: what runs here, with which settings and quirks, where, and whom to pay as. */
export const getInfo: ControlEndpoint = {
  method: 'GET',
  path: '/info',
  handle: async ({ bank, config, address, base }) => ({
    name: packageJson.name,
    version: packageJson.version,
    clock: await formatClock(bank),
    configuration: configurationOf(config),
    quirks: Object.entries(quirks).map(([name, effect]) => {
      return { name, default: false, on: bank.quirks.has(name as Quirk), effect };
    }),
    addresses: addressesOf(config.publicUrl === null ? address : config.publicUrl + base, address, base),
    psus: await listPsus(bank),
  }),
};

/**
 * Every setting but the token and the seed, of which it says whether there is one, and the clock's, which a ledger that was there
 * before does not look at: `clock` is what it shows.
 */
function configurationOf({ quirks: switched, controlToken, idSeed, ...config }: Config): object {
  return {
    ...config,
    clockNow: undefined,
    clockMode: undefined,
    quirks: [...switched],
    controlTokenIsSet: controlToken !== null,
    idSeedIsSet: idSeed !== null,
  };
}

/** The probes are of the process, not of one bank. */
function addressesOf(publicUrl: string, own: string, base: string): object {
  const process = own.slice(0, own.length - base.length);
  return {
    interface: [`${publicUrl}/v1`, `${publicUrl}/api-sandbox/v1`],
    sca: `${publicUrl}/sca`,
    control: `${own}/sandbox`,
    health: `${process}/health`,
    ready: `${process}/ready`,
  };
}
