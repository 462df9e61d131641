import type { Situation } from '../../engine/bank/rules/situation.ts';

/** Which clients meet a behaviour: those that pay, those that read accounts; null: both. */
export type Area = 'pisp' | 'aisp' | null;

/** Situations that the bank tells (engine/bank/rules/situation.ts), and statuses on the way that a client easily forgets. */
const told: Readonly<Record<Situation | 'PART' | 'PATC', Area>> = {
  'moved by a holiday': 'pisp',
  'moved by a weekend': 'pisp',
  'clamped month end': 'pisp',
  'ACCP then ACSC': 'pisp',
  'fifth attempt': 'pisp',
  'straks refused': 'pisp',
  'changed in another channel': 'pisp',
  'cancelled in another channel': 'pisp',
  'cancelled by SCA': 'pisp',
  'SCA cancelled by the PSU': null,
  'expired SCA': null,
  PART: 'pisp',
  PATC: 'pisp',
};

/** Situations that an answer shows. */
const answered = {
  'consent lapsed after 180 days': 'aisp',
  'unattended limit': 'aisp',
  'pending became booked': 'aisp',
  paging: 'aisp',
  'duplicate refused': 'pisp',
  'repeat answered': null,
} as const satisfies Readonly<Record<string, Area>>;

/** A situation that is found in an answer. */
export type AnsweredSituation = keyof typeof answered;

/** Every situation by its name, with who meets it. */
export const situationAreas: Readonly<Record<string, Area>> = { ...told, ...answered };
