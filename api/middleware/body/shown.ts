const longestShown = 40;

/** A received value as a refusal may repeat it: quoted, at most 40 characters, nothing that breaks a line. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  const characters = Array.from(value.slice(0, longestShown * 2));
  if (characters.length <= longestShown && value.length <= longestShown * 2) return JSON.stringify(value);
  return JSON.stringify(`${characters.slice(0, longestShown).join('')}...`);
}
