import { isDeepStrictEqual } from 'node:util';
import { assert } from '../../../engine/values/assert.ts';
import { type Instant, parseInstant } from '../../../engine/values/instant.ts';
import { resetBank, restoreSnapshot } from '../../../engine/reset-and-restore.ts';
import { clock, clockIsBusy } from '../answers/clock-and-runs.ts';
import { answeredInstant, listAnswer } from '../answers/forms.ts';
import { meaning, optional, shortText, text, titled } from '../../bodies/schema.ts';
import { clockMode, fixtures, fixturesName, instant } from '../../bodies/values.ts';
import { controlEndpoint } from '../control-endpoint.ts';
import { readClock } from '../../../engine/bank/read-clock.ts';
import { knownStateOf } from '../fixtures-given.ts';
import { listSnapshots, removeSnapshot, saveSnapshot } from '../../../engine/bank/snapshots.ts';

/** `POST /sandbox/reset`. */
export const resetBody = titled(
  'Reset',
  'The known state and the bank time to restore. An empty object takes the settings and the first bank time of the ledger.',
  {
    expected: 'an object, empty or with fixtures, now or mode',
    examples: [{}],
  },
).closed({
  fixtures: optional(fixtures),
  now: optional(meaning('The bank time after this reset and later ones.', instant)),
  mode: optional(clockMode),
});

/** Reads the instant of a text; the check of the body has let it pass. */
export function instantOf(text: string): Instant {
  const instant = parseInstant(text);
  assert(instant !== null, `${text} was checked with the body`);
  return instant;
}

/**
 * The name of a known state that a request contains as an object, unless it is the one that the bank was opened with.
 */
const givenName = 'as given';

const wasReset = titled('WasReset', 'The known state that the bank has now.', {
  examples: [{ fixtures: 'known-state' }],
}).closed({ fixtures: fixturesName, clock });

/**
 * `POST /sandbox/reset` restores the known state and the first bank time. `fixtures`, `now` and `mode` replace them for
 * this reset and later ones (C5).
 */
export const reset = controlEndpoint('POST /reset', {
  summary: 'Go back to the known state and the clock of the start',
  answer: wasReset,
  refusals: { 409: clockIsBusy },
  body: resetBody,
  handle: (call) => {
    const { fixtures, now, mode } = call.readBody();
    const { firstOrigin: first } = call.bank;
    const clockStart = { ...(now !== undefined && { now: instantOf(now) }), ...(mode !== undefined && { mode }) };
    return call.runExclusive(async () => {
      const own = new Map([call.bank, first].map((origin) => [origin.fixtures, origin.knownState]));
      const knownState =
        fixtures === undefined ? call.bank.knownState : await knownStateOf(fixtures, (name) => own.get(name));
      const isFirst = isDeepStrictEqual(knownState, first.knownState);
      const given = isFirst ? first.fixtures : givenName;
      const name = typeof fixtures === 'object' ? given : (fixtures ?? call.bank.fixtures);
      // A reset that names fixtures makes that known state. Without them a copy goes back to its beginning (B10).
      const beginning = { ...clockStart, ...(fixtures !== undefined && { fixtures: name }) };
      await resetBank(call.bank, knownState, beginning);
      return { fixtures: name, clock: await readClock(call.bank) };
    });
  },
});

/** `POST /sandbox/snapshots`. */
export const snapshotBody = titled('Snapshot', 'The name of the new snapshot of ledger and clock.', {
  expected: 'an object with the name of the snapshot',
  examples: [{ name: 'before-the-salaries' }],
}).closed({ name: shortText('a name for the snapshot', 255) });

const name = text('the name of the snapshot', 'before-the-salaries');

const snapshot = titled('KeptSnapshot', 'A copy of ledger and clock.').closed({
  name,
  now: answeredInstant('the bank time in the snapshot'),
});

const snapshotRemoved = titled('SnapshotRemoved').closed({ removed: name });

const snapshotRestored = titled('SnapshotRestored').closed({ restored: name, clock });

const busyOrSeeded = `${clockIsBusy} Or the name is seeded, the name of the known state.`;

/** `/sandbox/snapshots`: copies of ledger and clock, by name. `seeded` always exists; a reset restores it. */
export const snapshots = [
  controlEndpoint('POST /snapshots', {
    summary: 'Save ledger and clock under a name',
    answer: snapshot,
    refusals: { 409: `${busyOrSeeded} Or the bank has 100 snapshots already, the most.` },
    body: snapshotBody,
    handle: (call) => {
      const { name } = call.readBody();
      return call.runExclusive(() => saveSnapshot(call.bank, name));
    },
  }),
  controlEndpoint('GET /snapshots', {
    summary: 'List the snapshots',
    answer: listAnswer('snapshots', 'Snapshots', snapshot),
    handle: async ({ bank }) => ({ snapshots: await listSnapshots(bank) }),
  }),
  controlEndpoint('POST /snapshots/:name/restore', {
    summary: 'Go back to a snapshot',
    answer: snapshotRestored,
    refusals: { 409: clockIsBusy },
    handle: (call) =>
      call.runExclusive(async () => {
        await restoreSnapshot(call.bank, call.params.name);
        return { restored: call.params.name, clock: await readClock(call.bank) };
      }),
  }),
  controlEndpoint('DELETE /snapshots/:name', {
    summary: 'Remove a snapshot',
    answer: snapshotRemoved,
    refusals: { 409: busyOrSeeded },
    handle: (call) =>
      call.runExclusive(async () => {
        await removeSnapshot(call.bank, call.params.name);
        return { removed: call.params.name };
      }),
  }),
] as const;
