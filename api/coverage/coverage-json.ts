import { scenarioMeeting } from '../catalogue/catalogue.ts';
import type { AnswerValue } from '../bodies/written.ts';
import type { reportedBehaviour } from './coverage-answer.ts';
import type { MetBehaviour } from './coverage.ts';

/** A behaviour, for the control plane. */
export function coverageJson({ name, kind, first, count }: MetBehaviour): AnswerValue<typeof reportedBehaviour> {
  const how = `sandbank play ${scenarioMeeting(name)?.name ?? ''}`.trimEnd();
  return { name, kind, met: count > 0, first, count, how };
}
