import * as Type from 'typebox';
import { closed } from '../../bodies/schema.ts';

/** `POST /sandbox/snapshots`. */
export const snapshotBody = closed(
  { name: Type.String({ description: 'a name for the snapshot', minLength: 1, maxLength: 255 }) },
  {
    title: 'Snapshot',
    description: 'The name under which ledger and clock are kept.',
    expected: 'an object with the name of the snapshot',
    examples: [{ name: 'before-the-salaries' }],
  },
);
