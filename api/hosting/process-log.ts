import { pino, stdTimeFunctions, type Logger } from 'pino';
import { maskOf } from '../pipeline/masking/secrets.ts';

/**
 * Makes the log of a process: JSON lines on standard output, with ISO 8601 times and level names. Every line has the control token (null:
 * none is set) and private keys masked (docs/spec/control-plane.md C3).
 */
export function processLog(level: string, controlToken: string | null): Logger {
  const mask = maskOf(controlToken);
  const hide = (_: string, value: unknown): unknown => (typeof value === 'string' ? mask(value) : value);
  return pino({
    level,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    // Only in values, so that the line stays JSON.
    hooks: { streamWrite: (line) => (mask(line) === line ? line : `${JSON.stringify(JSON.parse(line), hide)}\n`) },
  });
}
