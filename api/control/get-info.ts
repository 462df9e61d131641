import packageJson from '../../package.json' with { type: 'json' };
import { formatInstant } from '../../engine/core/instant.ts';
import { quirks, type Quirk } from '../../engine/core/quirk.ts';
import { listPsus } from '../../engine/operations/list-psus.ts';
import type { Config } from '../config.ts';
import type { ControlEndpoint } from './control-endpoint.ts';

/** `GET /sandbox/info`: what runs here, with which settings and quirks, where, and whom to pay as. */
export const getInfo: ControlEndpoint = {
  method: 'GET',
  path: '/info',
  handle: async ({ bank, config, address }) => ({
    name: packageJson.name,
    version: packageJson.version,
    configuration: configurationOf(config),
    quirks: Object.entries(quirks).map(([name, effect]) => {
      return { name, default: false, on: bank.quirks.has(name as Quirk), effect };
    }),
    addresses: addressesOf(config.publicUrl ?? address, address),
    psus: await listPsus(bank),
  }),
};

/** Every setting but the token, of which it says whether there is one. */
function configurationOf({ quirks: switched, controlToken, clockNow, ...config }: Config): object {
  return {
    ...config,
    clockNow: clockNow === null ? null : formatInstant(clockNow),
    quirks: [...switched],
    controlTokenIsSet: controlToken !== null,
  };
}

function addressesOf(publicUrl: string, own: string): object {
  return {
    interface: [`${publicUrl}/v1`, `${publicUrl}/api-sandbox/v1`],
    sca: `${publicUrl}/sca`,
    control: `${own}/sandbox`,
    health: `${own}/health`,
    ready: `${own}/ready`,
  };
}
