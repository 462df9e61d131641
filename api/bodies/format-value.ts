import { quote } from '../../engine/values/text.ts';

const longestShown = 40;

/** Formats a received value for a refusal's text: quoted, at most 40 characters, on one line. */
export function formatValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return quote(value, longestShown);
}
