import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** Bounds of the buckets of times, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The counters of a server. No client chooses a label, so the number of series is bounded. */
export type Meters = ReturnType<typeof startMeters>;

/** Starts to count, with those of the process: memory, processor time, lag of the event loop. */
export function startMeters() {
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
    text: (): Promise<string> => register.metrics(),
  };
}
