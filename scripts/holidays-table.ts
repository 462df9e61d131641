import { writeFileSync } from 'node:fs';
import { holidaysOfPackage } from '../engine/time/norwegian-calendar.ts';
import { runScript } from './run-script.ts';

const [from, to] = [2020, 2045];

const usage = `node scripts/holidays-table.ts

Writes engine/time/rules/norwegian-holidays.ts: a line a year, ${from} to ${to}, with the days of the package date-holidays. A test
fails if a line differs from what the package says (tests/time/banking-calendar.test.ts).`;

await runScript(usage, {}, () => {
  const lines = Array.from({ length: to - from + 1 }, (_, index) => {
    const days = [...holidaysOfPackage(from + index)].toSorted(([one], [other]) => one.localeCompare(other));
    return `  ${from + index}: '${days.map(([date, name]) => `${date.slice(5)} ${name}`).join('; ')}',\n`;
  });

  writeFileSync(
    new URL('../engine/time/rules/norwegian-holidays.ts', import.meta.url),
    `// Made by scripts/holidays-table.ts from the package date-holidays.
import { localDate, type LocalDate } from '../engine/values/local-date.ts';

/** Month, day and name of each holiday of a year. */
const table: Readonly<Record<number, string>> = {
${lines.join('')}};

/** The holidays of a year with their Norwegian names; null when the table does not have the year. */
export function tabledHolidays(year: number): ReadonlyMap<LocalDate, string> | null {
  const days = table[year]?.split('; ');
  if (days === undefined) return null;
  return new Map(days.map((day) => [localDate(\`\${year}-\${day.slice(0, 5)}\`), day.slice(6)] as const));
}
`,
  );
});
