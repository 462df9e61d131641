import { type FaultCode, faultCodes } from '../../engine/values/fault.ts';
import {
  isFinal,
  type TransactionStatus,
  transactionStatuses,
} from '../../engine/settlement/rules/transaction-status.ts';
import { words } from '../../engine/values/text.ts';
import { paymentFaults } from '../faults/fault-advice.ts';
import { allQuirks } from '../habits/index.ts';
import { endpoints } from '../interface/index.ts';
import { type Endpoint, operationOf, productOf } from '../pipeline/endpoint.ts';
import { type Area, situationAreas } from './situations.ts';
import * as Type from 'typebox';
import { choice, closed, text } from '../bodies/schema.ts';
import { answeredInstant, count, orNull } from '../control/answers.ts';

/** Kinds of behaviours, in the order of the report. */
export const behaviourKinds = ['operation', 'product', 'status', 'code', 'situation', 'habit'] as const;

/** Kinds of clients: one pays, the other reads accounts. */
export const areas = ['pisp', 'aisp'] as const;

export const reportedBehaviour = closed(
  {
    name: text('its name, of which there is one', 'fifth attempt'),
    kind: choice('what it is', behaviourKinds),
    met: Type.Boolean({ description: 'whether a TPP has met it' }),
    first: orNull(answeredInstant('when it was met first'), 'null: it was not met, or the ledger could not be read'),
    count: count('how many times'),
    how: text('the scenario that shows it, as a command', 'sandbank play five-attempts'),
  },
  {
    title: 'Behaviour',
    description: 'Something that the bank does, and whether TPPs have met it.',
    examples: [{ kind: 'situation', count: 1 }],
  },
);

/** The answer of `GET /sandbox/coverage`. */
export const coverageAnswer = closed({
  behaviours: Type.Array(reportedBehaviour, { description: 'every behaviour of the bank' }),
});

/** The answer of `DELETE /sandbox/coverage`. */
export const coverageForgotten = closed({ forgotten: count('how many behaviours had been met') });

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
