import { accountState } from './account-state.ts';
import { bankServer } from './bank-server.ts';
import { configOf } from './config-of.ts';
import { bytesOf, connectTo, headersOf, type Send, targetIn } from './connect.ts';
import { type Control, controlOver } from './control.ts';
import { harnessPsu } from './harness-psu.ts';
import { harnessTpp } from './harness-tpp.ts';
import { pay } from './pay.ts';
import { requireTicks } from './real-immediate.ts';
import type {
  AdvanceStory,
  AdvanceTarget,
  Bank,
  BankClock,
  ClockState,
  CoverageOptions,
  CreateBankOptions,
} from './types.ts';

const usualSnapshot = 'snapshot';

/** The bank that createBank returns. It works through the bank's own HTTP, so that every call is checked as usual. */
export async function openForTests(options: CreateBankOptions): Promise<Bank> {
  const { bank, server, base, catchUp, close } = await bankServer(configOf(options), options);
  const overHttp = connectTo(server, base);
  let isClosed = false;
  const send: Send = async (outgoing) => {
    if (isClosed) throw new Error(`The bank was closed, and then asked for ${outgoing.method} ${outgoing.target}.`);
    await requireTicks();
    return overHttp(outgoing);
  };
  const control = controlOver(send);
  const psu = (customerNumber: string) => harnessPsu(control, customerNumber);
  return {
    url: base.origin,
    clock: harnessClock(control),
    fetch: async (address, sent = {}) => {
      const [target, body] = [targetIn(base, address), bytesOf(sent)];
      const headers = headersOf(body.length > 0 ? { 'content-type': 'application/json' } : {}, sent);
      return send({ method: sent.method ?? 'GET', target, headers, body });
    },
    tpp: (wanted = {}) => {
      const tpp = harnessTpp(send, base, wanted);
      return { ...tpp, pay: (order) => pay(bank, tpp, psu, order) };
    },
    psu,
    payments: (paymentId) => control('GET', `/payments/${encodeURIComponent(paymentId)}`),
    reject: (paymentId, rejection) => control('POST', `/payments/${encodeURIComponent(paymentId)}/reject`, rejection),
    account: async (number) => {
      await catchUp();
      return accountState(bank, number);
    },
    forecast: (to) => control('GET', `/forecast?to=${encodeURIComponent(to)}`),
    coverage: (wanted = {}) => control('GET', `/coverage${queryOf(wanted)}`),
    snapshot: async (name = usualSnapshot) => {
      await control('POST', '/snapshots', { name });
      return name;
    },
    restore: async (name = usualSnapshot) => {
      await control('POST', `/snapshots/${encodeURIComponent(name)}/restore`);
    },
    reset: async () => {
      await control('POST', '/reset');
    },
    close: async () => {
      isClosed = true;
      await close();
    },
  };
}

/** The TPP by its id or as an object, and the area, as a query. */
function queryOf({ tpp, for: area }: CoverageOptions): string {
  const id = typeof tpp === 'object' ? tpp.id : tpp;
  const query = new URLSearchParams({ ...(id !== undefined && { tpp: id }), ...(area !== undefined && { for: area }) });
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** The bank's clock over its control plane. */
function harnessClock(control: Control): BankClock {
  return {
    now: async () => (await control<ClockState>('GET', '/clock')).now,
    advance: async (target) => control<AdvanceStory>('POST', '/clock/advance', bodyOf(target)),
    set: (setting) => control<ClockState>('PUT', '/clock', setting),
  };
}

/** A text that begins with P is a duration, any other a date or an instant; the bank checks it. */
function bodyOf(target: AdvanceTarget): object {
  if (typeof target === 'object') return target;
  if (typeof target !== 'string') {
    const found = String(target);
    throw new Error(`advance takes a date, a duration such as P3D, or {to, by, runs, until}, and got ${found}.`);
  }
  return target.startsWith('P') ? { by: target } : { to: target };
}
