import { situations } from '../../engine/settlement/rules/cause.ts';

/** Which clients meet a behaviour: those that pay, those that read accounts; null: both. */
export type Area = 'pisp' | 'aisp' | null;

/** Situations that the bank notices. */
const noticed = Object.fromEntries(
  Object.entries(situations).map(([name, of]): [string, Area] => [name, of === 'payment' ? 'pisp' : null]),
);

/** Interim statuses that a client easily forgets. */
const statuses: Readonly<Record<string, Area>> = { PART: 'pisp', PATC: 'pisp' };

/** Situations that an answer shows. */
const answered = {
  'consent lapsed': 'aisp',
  'unattended limit': 'aisp',
  'pending became booked': 'aisp',
  'reservation ended': 'aisp',
  paging: 'aisp',
  'duplicate refused': 'pisp',
  'repeat answered': null,
  'late answer': null,
  'broken answer': null,
} as const satisfies Readonly<Record<string, Area>>;

/** A situation that an answer shows. */
export type AnsweredSituation = keyof typeof answered;

/** Every situation by its name, with who meets it. */
export const situationAreas: Readonly<Record<string, Area>> = { ...noticed, ...statuses, ...answered };
