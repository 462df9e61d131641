import { pino, stdTimeFunctions, type Logger } from 'pino';

/** The log of a process: JSON lines on standard output, with ISO 8601 times and levels by name. */
export function processLog(level: string): Logger {
  return pino({
    level,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
}
