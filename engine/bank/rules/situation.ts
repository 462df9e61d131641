/** What can happen to a TPP's payment or SCA beside its plain course, and easily breaks a client that never met it. */
export const situations = [
  'moved by a holiday',
  'moved by a weekend',
  'clamped month end',
  'ACCP then ACSC',
  'fifth attempt',
  'straks refused',
  'changed in another channel',
  'cancelled in another channel',
  'cancelled by SCA',
  'SCA cancelled by the PSU',
  'expired SCA',
] as const;

export type Situation = (typeof situations)[number];

/** The situation of a date that moved away from a closed day. `closure`: the holiday's name, `Saturday` or `Sunday`. */
export function movedBy(closure: string): Situation {
  return closure === 'Saturday' || closure === 'Sunday' ? 'moved by a weekend' : 'moved by a holiday';
}
