/** Unusual events of a payment or an SCA that easily break an unprepared client, each with what it happens to. */
export const situations = {
  'moved by a holiday': 'payment',
  'moved by a weekend': 'payment',
  'clamped month end': 'payment',
  'ACCP then ACSC': 'payment',
  'fifth attempt': 'payment',
  'straks refused': 'payment',
  'changed in another channel': 'payment',
  'cancelled in another channel': 'payment',
  'cancelled by SCA': 'payment',
  'SCA cancelled by the PSU': 'SCA',
  'expired SCA': 'SCA',
} as const satisfies Readonly<Record<string, 'payment' | 'SCA'>>;

export type Situation = keyof typeof situations;

/** The situation of a date that moved away from a closed day. `closure`: the holiday's name, `Saturday` or `Sunday`. */
export function movedBy(closure: string): Situation {
  return closure === 'Saturday' || closure === 'Sunday' ? 'moved by a weekend' : 'moved by a holiday';
}
