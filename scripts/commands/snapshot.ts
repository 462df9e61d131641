import { snapshotColumns } from '../../api/openapi/columns.ts';
import { answerTable } from '../cli/answer-table.ts';
import { byVerb, passed, serverCommand } from '../cli/server-command.ts';

/** `/sandbox/snapshots` of a server. */
export const snapshot = serverCommand({
  name: 'snapshot',
  usage: '(save NAME | list | restore NAME | remove NAME)',
  summary: 'Saves the ledger and the clock under a name, and restores them.',
  notes: ['The snapshot called seeded always exists. `sandbank reset` restores it and keeps the others.'],
  examples: [
    'sandbank snapshot save before',
    'sandbank snapshot list',
    'sandbank snapshot restore before',
    'sandbank snapshot remove before',
  ],
  ...byVerb('snapshot', {
    save: passed('POST /snapshots', 'name', ({ name, now }) => [`Saved ${name} at ${now}.`]),
    list: passed('GET /snapshots', 'snapshots', ({ snapshots }) => answerTable(snapshotColumns, snapshots)),
    restore: passed('POST /snapshots/:name/restore', 'clock', ({ restored, clock }) => [
      `Restored ${restored}: the bank clock shows ${clock.now} (${clock.mode}).`,
    ]),
    remove: passed('DELETE /snapshots/:name', 'removed', ({ removed }) => [`Removed ${removed}.`]),
  }),
});
