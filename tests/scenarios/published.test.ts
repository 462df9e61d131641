import { readFileSync } from 'node:fs';
import { describe, test } from '@jest/globals';
import { noCutOffs, parseCutOffs } from '../../engine/time/rules/cut-offs.ts';
import { tell } from '../support/story.ts';

interface Published {
  readonly approvedAt: string;
  readonly dueDate: string;
  readonly settledOn: string;
  /** Of the bank that published it; empty: none. */
  readonly cutOffs: string;
}

const rows = readFileSync(new URL('../data/settlement-published.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line): Published => {
    const [approvedAt = '', dueDate = '', settledOn = '', , , cutOffs = ''] = line.split('\t');
    return { approvedAt, dueDate, settledOn, cutOffs };
  });

/** A row is signed when the bank says, or ten days before it is due. */
function storyOf({ approvedAt, dueDate, settledOn, cutOffs }: Published): string {
  // After a cut-off it stays due on its day (T4d).
  const value = cutOffs === '' ? settledOn : dueDate;
  const when = approvedAt === '' ? `${tenDaysBefore(dueDate)} 12:00` : approvedAt.slice(0, 16).replace('T', ' ');
  return `
    at ${when}
    pay rent 100.00 nora -> shop on ${dueDate}
    sign rent
    at ${settledOn} 00:00 | no runs
    see rent              | PDNG
    at ${settledOn} 23:59
    transactions nora     | -100.00 booked ${settledOn} value ${value}
  `;
}

function tenDaysBefore(date: string): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, day - 10)).toISOString().slice(0, 10);
}

describe('T3, P3, T4d: payments settle on the day that banks have published', () => {
  for (const row of rows) {
    const name = `due ${row.dueDate}${row.approvedAt && `, approved ${row.approvedAt}`}: settled ${row.settledOn}`;
    test(name, async () => {
      const cutOffs = parseCutOffs(row.cutOffs);
      await tell(storyOf(row), { cutOffRules: { ...noCutOffs, ...(cutOffs.ok && { cutOffs: cutOffs.value }) } });
    });
  }
});
