import { systemClock } from '../../engine/time/clock.ts';
import { parseInstant } from '../../engine/values/instant.ts';

/** Stands for the address of the bank in a recording. */
export const recordedAddress = 'http://bank.invalid';

/** The X-Request-ID of a recording. */
export const aRequestId = '4eba4445-1a4b-47b8-bdd5-4e56ef026b19';

/** Ids of that form. */
export const uuid = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g;

const instant = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d/g;
const hour = 3_600_000;

/** What is drawn anew in each bank, with what stands for it. */
const drawn: readonly (readonly [found: RegExp, stands: string])[] = [
  [/(-----BEGIN [A-Z ]+-----\\n).*?(\\n-----END)/g, '$1MIIC...$2'],
  [/(SN=|"serial":")[\dA-F]+/g, '$11A2B3C4D5E6F7081'],
  [/("psuId":"|psu-id=)[\da-f-]{36}/g, '$14f0c9d1e-6a57-4c7b-9a43-2f1f3c6f8a10'],
  [/("id":")[\da-f]{12}-\d+"/g, '$15d1c09a3b7f2-17"'],
];

/** Most items of a list that are kept. */
const most = 3;

/**
 * Answers without what differs between two recordings: `names` with what stands for each, instants of the wall clock, which `now`
 * stands for, ids that are drawn, keys and certificates. Of a list they have the first items.
 */
export function steadied<Recorded>(recorded: Recorded, names: Readonly<Record<string, string>>, now: string): Recorded {
  let text = JSON.stringify(recorded, (_, value: unknown) => (Array.isArray(value) ? value.slice(0, most) : value));
  for (const [name, stands] of Object.entries(names)) text = text.replaceAll(name, stands);
  for (const [found, stands] of drawn) text = text.replaceAll(found, stands);
  const wall = systemClock.now();
  const isOfWall = (found: string): boolean => Math.abs((parseInstant(found) ?? 0) - wall) < hour;
  return JSON.parse(text.replaceAll(instant, (found) => (isOfWall(found) ? now : found))) as Recorded;
}
