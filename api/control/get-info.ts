import packageJson from '../../package.json' with { type: 'json' };
import { quirks, type Quirk } from '../../engine/bank/rules/quirk.ts';
import { readBeginning } from '../../engine/read-beginning.ts';
import { formatInstant } from '../../engine/values/instant.ts';
import { listPsus } from '../../engine/sandbox-data/psus.ts';
import type { Config } from '../start/config.ts';
import { infoAnswer } from './info-answer.ts';
import type { ControlCall, ControlEndpoint } from './control-endpoint.ts';
import { formatClock } from './clock/get-clock.ts';

/** `GET /sandbox/info`: version, clock, settings, quirks, addresses and PSUs. */
export const getInfo: ControlEndpoint = {
  method: 'GET',
  path: '/info',
  summary: 'Version, clock, settings, quirks, addresses and the PSUs to sign as',
  answer: infoAnswer,
  handle: async ({ bank, config, address, base }) => ({
    name: packageJson.name,
    version: packageJson.version,
    clock: await formatClock(bank),
    configuration: configurationOf(config),
    ledger: await ledgerOf(bank),
    quirks: Object.entries(quirks).map(([name, effect]) => {
      return { name, default: false, on: bank.quirks.has(name as Quirk), effect };
    }),
    addresses: addressesOf(config.publicUrl === null ? address : config.publicUrl + base, address, base),
    psus: await listPsus(bank),
  }),
};

/** What the ledger began with: an existing one ignores the settings of a new one (C5). */
async function ledgerOf(bank: ControlCall['bank']): Promise<object> {
  const { at, mode, fixtures } = await readBeginning(bank);
  return { now: formatInstant(at), mode, fixtures };
}

/**
 * All settings. Of the control token and the id seed only whether they are set. Without the clock's settings, which apply to a
 * new ledger only: `clock` has the present values.
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

/** Addresses of the bank; the probes are at the root of the process. */
function addressesOf(publicUrl: string, own: string, base: string): object {
  const process = own.slice(0, own.length - base.length);
  return {
    interface: [`${publicUrl}/v1`, `${publicUrl}/api-sandbox/v1`],
    sca: `${publicUrl}/sca`,
    control: `${own}/sandbox`,
    unsigned: `${own}/sandbox/as/{tpp}/v1`,
    health: `${process}/health`,
    ready: `${process}/ready`,
  };
}
