import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Bounds of the buckets of times, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The counters of a server. No client chooses a label, so the number of series is bounded. */
export interface Meters {
  /** `operation`: `POST /v1/payments/{product}`; `status`: `2xx`. */
  request(operation: string, status: string, seconds: number): void;
  commit(): void;
  /** A write waited this long for its commit, from its call. */
  write(seconds: number): void;
  run(): void;
  readonly contentType: string;
  /** All values in the text format of Prometheus. */
  text(): Promise<string>;
}

/** Starts to count, with those of the process: memory, processor time, lag of the event loop. `openBanks`: asked at each reading. */
export function startMeters(openBanks: () => number): Meters {
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
  return {
    request: (operation, status, seconds) => {
      requests.inc({ operation, status });
      times.observe({ operation }, seconds);
    },
    commit: () => commits.inc(),
    write: (seconds) => waits.observe(seconds),
    run: () => runs.inc(),
    contentType: register.contentType,
    text: () => register.metrics(),
  };
}
