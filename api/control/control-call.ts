import type { Bank } from '../../engine/bank.ts';
import { assert } from '../../engine/values/assert.ts';
import type { ArmedFaults } from '../pipeline/armed-faults.ts';
import type { Turn } from '../pipeline/one-at-a-time.ts';
import { validateBody } from '../pipeline/validate-body.ts';
import type { ThrowAwayTpps } from '../signing/throw-away-tpps.ts';
import type { Config } from '../start/config.ts';
import type { SandboxCaSource } from '../start/sandbox-ca.ts';
import type { ControlCall, ControlEndpoint } from './control-endpoint.ts';

/** What the calls of a bank's control plane work with. */
export interface ControlledBank {
  readonly bank: Bank;
  readonly config: Config;
  /** Where the bank is mounted: empty, or `/banks/{name}`. */
  readonly base: string;
  readonly faults: ArmedFaults;
  readonly sandboxCa: SandboxCaSource;
  readonly tpps: ThrowAwayTpps;
  /** Shared with everything else that moves the clock or replaces the ledger. */
  readonly turn: Turn;
  readonly judge: ControlCall['judge'];
}

/** What a request says. */
export interface ControlRequest extends Pick<ControlCall, 'address' | 'params' | 'query' | 'text'> {
  /** The JSON of the body; `{}` without one. */
  readonly body: unknown;
}

/** The call of an endpoint that a request makes, of the control plane and of the console alike. */
export function controlCall(endpoint: ControlEndpoint, of: ControlledBank, request: ControlRequest): ControlCall {
  const { bank, config, base, faults, sandboxCa, tpps, turn, judge } = of;
  const { body, ...said } = request;
  return {
    bank,
    config,
    base,
    faults,
    sandboxCa,
    tpps,
    judge,
    ...said,
    runExclusive: turn.runExclusive,
    readBody: () => checkedBody(endpoint, body, bank),
  };
}

function checkedBody({ body: schema }: ControlEndpoint, value: unknown, { quirks }: Bank): unknown {
  assert(schema !== undefined, 'an endpoint that reads a body has a schema');
  validateBody(schema, value, { quirks });
  return value;
}
