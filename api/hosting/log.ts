import { pino, stdTimeFunctions, type Logger } from 'pino';
import { maskOf } from '../pipeline/secrets.ts';
import type { BankEvent, BankEventKind, Listener } from '../../engine/bank/outlet.ts';
import { formatInstant } from '../../engine/values/instant.ts';

/**
 * Makes the log of a process: JSON lines on standard output, with ISO 8601 times and level names. The control token is
 * masked in every line (docs/spec/control-plane.md C3).
 */
export function processLog(level: string, controlToken: string | null): Logger {
  const mask = maskOf(controlToken);
  return pino({
    level,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    hooks: { streamWrite: mask },
  });
}

/** The kinds of events that are logged; the others only sum these up, or are for forecasts and followers. */
type Logged = Exclude<BankEvent, { readonly kind: 'left out' | 'lived' | 'moved' }>;

/** The level and the message of an event of this kind. */
type Line<Kind extends Logged['kind']> = readonly [
  level: 'debug' | 'info',
  message: (event: Extract<Logged, { readonly kind: Kind }>) => string,
];

/** A tester follows `info`. `debug` holds frequent events and those that the request log shows as requests. */
const lines: { readonly [Kind in Logged['kind']]: Line<Kind> } = {
  run: ['info', () => 'settlement run'],
  reset: ['info', ({ cause }) => `all data replaced: ${cause}`],
  snapshot: ['info', () => 'snapshot saved'],
  clock: ['info', ({ change }) => `clock ${change}`],
  payment: ['debug', ({ status }) => `payment ${status}`],
  sca: ['debug', ({ outcome }) => `SCA ${outcome}`],
  consent: ['debug', ({ change }) => `consent ${change}`],
  certificate: ['debug', ({ status }) => `certificate ${status ?? 'accepted'}`],
};

/** Logs what happens in a bank, each a line. */
export function logHappenings(log: Logger): Listener {
  const kinds = Object.keys(lines) as Logged['kind'][];
  return {
    kinds: new Set<BankEventKind>(kinds.filter((kind) => log.isLevelEnabled(lines[kind][0]))),
    hear: (event) => {
      if (event.kind === 'left out' || event.kind === 'lived' || event.kind === 'moved') return;
      const [usual, message] = lines[event.kind] as Line<Logged['kind']>;
      // An advance moves the clock at each run, and the run has a line.
      const level = event.kind === 'clock' && event.change === 'advanced' ? 'debug' : usual;
      log[level]({ ...event, at: formatInstant(event.at) }, message(event));
    },
    failed: (error) => log.error({ err: error }, 'what happened could not be logged'),
  };
}
