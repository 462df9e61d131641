import { scenarioMeeting } from '../catalogue/catalogue.ts';
import { formatInstant } from '../../engine/values/instant.ts';
import type { MetBehaviour } from './coverage.ts';
import type { ReportedBehaviour } from './report.ts';

/** A behaviour as the control plane answers it. */
export function coverageJson({ name, kind, first, count }: MetBehaviour): ReportedBehaviour {
  const how = `sandbank play ${scenarioMeeting(name)?.name ?? ''}`.trimEnd();
  return { name, kind, met: count > 0, first: first === null ? null : formatInstant(first), count, how };
}
