import { pino, stdTimeFunctions, type Logger } from 'pino';
import { maskOf } from '../pipeline/masking/secrets.ts';
import type { Happening, HappeningKind, Listener } from '../../engine/bank/outlet.ts';
import { formatInstant } from '../../engine/values/instant.ts';

/**
 * Makes the log of a process: JSON lines on standard output, with ISO 8601 times and level names. Every line has the secrets of the
 * settings and private keys masked (docs/spec/control-plane.md C3).
 */
export function processLog(level: string, secrets: readonly string[]): Logger {
  const mask = maskOf(secrets);
  const hide = (_: string, value: unknown): unknown => (typeof value === 'string' ? mask(value) : value);
  return pino({
    level,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    // Only in values, so that the line stays JSON.
    hooks: { streamWrite: (line) => (mask(line) === line ? line : `${JSON.stringify(JSON.parse(line), hide)}\n`) },
  });
}

type Level = 'debug' | 'info';

/** The kinds of happenings that are logged; the others only sum these up, or are for forecasts. */
type Logged = Exclude<Happening, { readonly kind: 'met' | 'left out' | 'lived' }>;

/** A tester follows `info`. `debug` holds frequent happenings and those that the request log shows as requests. */
const levels: Readonly<Record<Logged['kind'], Level>> = {
  run: 'info',
  reset: 'info',
  snapshot: 'info',
  clock: 'info',
  payment: 'debug',
  sca: 'debug',
  consent: 'debug',
  certificate: 'debug',
};

/** Logs what happens in a bank, each a line. */
export function logHappenings(log: Logger): Listener {
  const kinds = Object.keys(levels) as Logged['kind'][];
  return {
    kinds: new Set<HappeningKind>(kinds.filter((kind) => log.isLevelEnabled(levels[kind]))),
    hear: (happening) => {
      if (happening.kind === 'met' || happening.kind === 'left out' || happening.kind === 'lived') return;
      log[levelOf(happening)]({ ...happening, at: formatInstant(happening.at) }, messageOf(happening));
    },
    failed: (error) => log.error({ err: error }, 'what happened could not be logged'),
  };
}

/** An advance moves the clock at each run, and the run has a line. */
function levelOf(happening: Logged): Level {
  return happening.kind === 'clock' && happening.change === 'advanced' ? 'debug' : levels[happening.kind];
}

function messageOf(happening: Logged): string {
  switch (happening.kind) {
    case 'payment':
      return `payment ${happening.status}`;
    case 'run':
      return 'settlement run';
    case 'clock':
      return `clock ${happening.change}`;
    case 'sca':
      return `SCA ${happening.outcome}`;
    case 'consent':
      return `consent ${happening.change}`;
    case 'certificate':
      return `certificate ${happening.status ?? 'accepted'}`;
    case 'reset':
      return `all data replaced: ${happening.cause}`;
    case 'snapshot':
      return 'snapshot saved';
  }
}
