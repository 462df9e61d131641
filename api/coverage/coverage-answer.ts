import { choice, closed, flag, listOf, text, titled } from '../bodies/schema.ts';
import { answeredInstant, count, orNull } from '../control/answers.ts';

/** Kinds of behaviours, in the order of the report. */
export const behaviourKinds = ['operation', 'product', 'status', 'code', 'situation', 'habit'] as const;

/** Kinds of clients: one pays, the other reads accounts. */
export const areas = ['pisp', 'aisp'] as const;

export const reportedBehaviour = titled('Behaviour', 'Something that the bank does, and whether TPPs have met it.', {
  examples: [{ kind: 'situation', count: 1 }],
}).closed({
  name: text('its name, of which there is one', 'fifth attempt'),
  kind: choice('what it is', behaviourKinds),
  met: flag('whether a TPP has met it'),
  first: orNull(answeredInstant('when it was met first'), 'null: it was not met, or the ledger could not be read'),
  count: count('how many times'),
  how: text('the scenario that shows it, as a command', 'sandbank play five-attempts'),
});

/** The answer of `GET /sandbox/coverage`. */
export const coverageAnswer = closed({
  behaviours: listOf(reportedBehaviour, 'every behaviour of the bank'),
});

/** The answer of `DELETE /sandbox/coverage`. */
export const coverageForgotten = closed({ forgotten: count('how many behaviours had been met') });
