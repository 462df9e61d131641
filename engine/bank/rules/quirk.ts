/**
 * Behaviours with a switch. The default follows the interface document, the switch chooses the other reading (rules.md,
 * first page). The texts appear in `--help`, `/sandbox/info` and docs/running.md.
 */
export const quirks = {
  'status-before-approval': 'The status of an NDCT payment can be read before the PSU has approved it (rules.md S9).',
  'december-month': 'monthsOfExecution accepts 12 (rules.md R5).',
  'bban-mod11': 'A BBAN of a Norwegian payment must pass the mod-11 check (rules.md P5).',
  'pending-filtered': 'Pending transactions are filtered by date and limit too (rules.md A9).',
  'signature-401': 'A missing or wrong signature answers 401 instead of 400 (rules.md G2).',
  'strict-signing': 'What is accepted in signing though the interface does not promise it is refused (rules.md G3b).',
  'lenient-headers': 'The periodic initiation does not demand x-accept-fix and TPP-Session-ID (rules.md E5).',
} as const;

export type Quirk = keyof typeof quirks;

/** The switches that are on. All are off unless asked for. */
export type Quirks = ReadonlySet<Quirk>;

export function isQuirk(name: string): name is Quirk {
  return Object.hasOwn(quirks, name);
}
