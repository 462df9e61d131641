import { readdir } from 'node:fs/promises';
import type { KnownState } from '../../engine/operations/shared/known-state.ts';
import { resetBank } from '../../engine/operations/reset-bank.ts';
import { ConfigError } from '../config.ts';
import { loadKnownState } from '../known-state-file.ts';
import { readBody, type ControlEndpoint } from './control-endpoint.ts';
import { shownClock } from './get-clock.ts';
import { Problem } from './problem.ts';

const folder = new URL('../../fixtures/', import.meta.url);

/** `POST /sandbox/reset`: the known state and the clock it was seeded with; `fixtures` lays another set this once. */
export const reset: ControlEndpoint = {
  method: 'POST',
  path: '/reset',
  handle: (call) => {
    const { fixtures } = readBody(call, 'reset');
    return call.alone(async () => {
      call.faults.disarm();
      await (fixtures === undefined ? resetBank(call.bank) : resetTo(call.bank, fixtures));
      return { fixtures: fixtures ?? call.config.fixtures, clock: await shownClock(call.bank) };
    });
  },
};

async function resetTo(bank: Parameters<typeof resetBank>[0], name: string): Promise<void> {
  const knownState = await load(name);
  try {
    await resetBank(bank, knownState);
  } catch (error) {
    // The transaction took everything back: what cannot be laid is a fault of the set, a number that is there twice for example.
    const reason = error instanceof Error ? error.message.slice(0, 200) : String(error);
    throw new Problem({
      status: 400,
      detail: `The fixtures ${name} cannot be laid, and nothing was changed: ${reason}`,
    });
  }
}

/** Names only: a path would let a caller read any file of the machine. */
async function load(name: string): Promise<KnownState> {
  const names = (await readdir(folder)).filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -5));
  if (!names.includes(name)) {
    const detail = `There are no fixtures ${JSON.stringify(name.slice(0, 80))}.`;
    throw new Problem({ status: 400, detail, errors: [{ path: 'fixtures', detail }], allowed: names });
  }
  try {
    return await loadKnownState(name);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new Problem({ status: 400, detail: error.message, errors: [{ path: 'fixtures', detail: error.message }] });
  }
}
