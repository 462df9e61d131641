import { type FaultCode, faultCodes } from '../../engine/values/fault.ts';
import { isFinal, type TransactionStatus, transactionStatuses } from '../../engine/values/transaction-status.ts';
import { words } from '../../engine/values/text.ts';
import { paymentFaults } from '../faults/fault-advice.ts';
import { allQuirks } from '../habits/index.ts';
import { endpoints } from '../interface/index.ts';
import { type Endpoint, operationOf, productOf } from '../pipeline/endpoint.ts';
import { situations } from '../../engine/settlement/rules/cause.ts';
import type { behaviourKinds } from './coverage-answer.ts';

/** Which clients meet a behaviour: those that pay, those that read accounts; null: both. */
export type Area = 'pisp' | 'aisp' | null;

/** Situations that the bank notices. */
const noticed = Object.fromEntries(
  Object.entries(situations).map(([name, of]): [string, Area] => [name, of === 'payment' ? 'pisp' : null]),
);

/** Interim statuses that a client easily forgets. */
const interim: Readonly<Record<string, Area>> = { PART: 'pisp', PATC: 'pisp' };

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
export const situationAreas: Readonly<Record<string, Area>> = { ...noticed, ...interim, ...answered };

/** Something that the bank does, and that a client can meet in it. */
export interface Behaviour {
  /** Unique among all kinds. */
  readonly name: string;
  readonly kind: (typeof behaviourKinds)[number];
  readonly area: Area;
}

/** Operations of a client. Those on test data and deprecated ones are no part of an integration. */
const operations = endpoints.filter(({ path, deprecated }) => !path.startsWith('/sandbox') && deprecated !== true);

const initiations = operations.flatMap((endpoint) =>
  (endpoint.products ?? []).flatMap((product) => productOf(operationOf(endpoint), product) ?? []),
);

const statuses = (Object.keys(transactionStatuses) as TransactionStatus[]).filter(isFinal);

/** Codes that only one of the two areas gets; the others can come anywhere. */
const aispCodes: readonly FaultCode[] = words([
  'ACCESS_EXCEEDED CARD_INVALID CONSENT_EXPIRED CONSENT_INVALID CONSENT_UNKNOWN PARAMETER_NOT_CONSISTENT PERIOD_INVALID',
]);
const bothCodes: readonly FaultCode[] = ['RESOURCE_BLOCKED', 'RESOURCE_EXPIRED', 'RESOURCE_UNKNOWN'];

function areaOfCode(code: FaultCode): Area {
  if (aispCodes.includes(code)) return 'aisp';
  return code in paymentFaults && !bothCodes.includes(code) ? 'pisp' : null;
}

/** Every behaviour of the bank, by kind. Made of the bank's own lists, so that a new endpoint, product or code is in it. */
export async function listBehaviours(): Promise<readonly Behaviour[]> {
  // What the document does not say, and a bank was seen to do.
  const habits = (await allQuirks()).filter(({ banks }) => banks.length > 0);
  return [
    ...operations.map((endpoint): Behaviour => ({
      name: operationOf(endpoint),
      kind: 'operation',
      area: areaOf(endpoint),
    })),
    ...initiations.map((name): Behaviour => ({ name, kind: 'product', area: 'pisp' })),
    ...statuses.map((name): Behaviour => ({ name, kind: 'status', area: 'pisp' })),
    ...faultCodes.map((name): Behaviour => ({ name, kind: 'code', area: areaOfCode(name) })),
    ...Object.entries(situationAreas).map(([name, area]): Behaviour => ({ name, kind: 'situation', area })),
    ...habits.map(({ name, area = null }): Behaviour => ({ name, kind: 'habit', area })),
  ];
}

function areaOf({ role }: Pick<Endpoint, 'role'>): Area {
  if (role === null) return null;
  return role === 'PSP_PI' ? 'pisp' : 'aisp';
}
