import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { HostLoad } from '../control/bank-calls.ts';

/** Bounds of the buckets of times, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The counters of a server. No client chooses a label, so the number of series is bounded. */
export type Meters = ReturnType<typeof startMeters>;

type BankLoad = HostLoad['banks'][number];

/** The figures of each bank in `GET /sandbox/host`, without names: their sum over all banks, and the highest. */
const loads: Readonly<Record<string, readonly [help: string, of: (load: BankLoad) => number]>> = {
  requests: ['Requests that were counted to a bank', ({ requests }) => requests],
  refusals: ['Requests of a bank that it answered with 4xx or 5xx', ({ refusals }) => refusals],
  too_many: ['Requests of a bank that its rate refused with 429', ({ tooMany }) => tooMany],
  strangers: ['Requests of strangers that named a bank', ({ strangers }) => strangers],
  strangers_too_many: [
    'Requests of strangers that a limit refused with 429',
    ({ strangersTooMany }) => strangersTooMany,
  ],
  clients: ['Addresses that sent requests of a bank, up to 100 of each bank', ({ clients }) => clients],
  ledger_bytes: ['Size of the ledgers', ({ bytes }) => bytes ?? 0],
  journal_entries: ['Requests in the journals', ({ journal }) => journal],
};

/** Figures of which only the highest of all banks says something. */
const highest: typeof loads = {
  last_use_timestamp_seconds: ['The last use of a named bank', ({ used }) => (used ?? 0) / 1000],
};

/** The gauges of a {@link HostLoad}, and what sets them. */
function gaugesOfHost(registers: Registry[]): (load: HostLoad) => void {
  const gauge = (name: string, help: string, ...labelNames: 'of'[]): Gauge<'of'> =>
    new Gauge({ name: `sandbank_${name}`, help, labelNames, registers });
  const free = gauge('disk_free_bytes', 'Bytes that the disk of the ledgers has left');
  const size = gauge('disk_size_bytes', 'Size of the disk of the ledgers in bytes');
  const isLow = gauge('disk_is_low', '1: less than 5 % of the disk of the ledgers is left');
  const ofBanks = Object.entries(loads).map(([name, [help, of]]) => [gauge(`banks_${name}`, help, 'of'), of] as const);
  const ofOne = Object.entries(highest).map(([name, [help, of]]) => [gauge(`banks_${name}`, help), of] as const);
  const most = (values: readonly number[]): number => values.reduce((one, other) => Math.max(one, other), 0);
  return ({ disk, banks }) => {
    free.set(disk.free);
    size.set(disk.size);
    isLow.set(disk.isLow ? 1 : 0);
    for (const [each, of] of ofBanks) {
      const values = banks.map(of);
      each.set(
        { of: 'all' },
        values.reduce((sum, value) => sum + value, 0),
      );
      each.set({ of: 'most' }, most(values));
    }
    for (const [each, of] of ofOne) each.set(most(banks.map(of)));
  };
}

/** The figures of a server that each reading of the meters asks for. */
export interface Asked {
  openBanks(): number;
  /** Null: the server is still starting. */
  load(): Promise<HostLoad> | null;
}

/** Starts to count, with those of the process: memory, processor time, lag of the event loop. */
export function startMeters({ openBanks, load }: Asked) {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register, prefix: 'sandbank_' });
  const requests = new Counter({
    name: 'sandbank_requests_total',
    help: 'Answered requests by operation and class of the status',
    labelNames: ['operation', 'status'],
    registers,
  });
  const times = new Histogram({
    name: 'sandbank_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['operation'],
    buckets,
    registers,
  });
  const commits = new Counter({ name: 'sandbank_commits_total', help: 'Commits of all ledgers', registers });
  const waits = new Histogram({
    name: 'sandbank_commit_wait_seconds',
    help: 'Time from the call of a write to its commit, without runs',
    buckets,
    registers,
  });
  const runs = new Counter({ name: 'sandbank_runs_total', help: 'Settlement runs that had work', registers });
  new Gauge({
    name: 'sandbank_open_banks',
    help: 'Banks that are open, with the one at the root',
    registers,
    collect() {
      this.set(openBanks());
    },
  });
  const setLoad = gaugesOfHost(registers);
  return {
    /** `operation`: `POST /v1/payments/{product}`; `status`: `2xx`. */
    request: (operation: string, status: string, seconds: number): void => {
      requests.inc({ operation, status });
      times.observe({ operation }, seconds);
    },
    commit: (): void => commits.inc(),
    /** A write waited this long for its commit, from its call. */
    write: (seconds: number): void => waits.observe(seconds),
    run: (): void => runs.inc(),
    contentType: register.contentType,
    /** All values in the text format of Prometheus. */
    text: async (): Promise<string> => {
      // A disk that cannot be asked hides no other figure.
      const now = await load()?.catch(() => null);
      if (now) setLoad(now);
      return register.metrics();
    },
  };
}
