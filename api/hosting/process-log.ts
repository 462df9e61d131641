import { pino, stdTimeFunctions, type Logger } from 'pino';

/** Log of a process: JSON lines on standard output, with ISO 8601 times and level names. */
export function processLog(level: string): Logger {
  return pino({
    level,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
}
