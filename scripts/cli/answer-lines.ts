import type { AnswerColumn } from '../../api/openapi/columns.ts';
import { answerTable } from './answer-table.ts';
import { below, columns as aligned } from './output.ts';

type ColumnsOf = Readonly<Record<string, readonly AnswerColumn<never>[] | undefined>>;

/**
 * An answer as lines: its members, and then each list as a table below its name. `columns` has those of its lists, by
 * default the members of the items. Leaves out what is null.
 */
export function answerLines(answer: object, columns: ColumnsOf): string[] {
  const all = Object.entries(answer).filter(([, value]) => value !== null && value !== undefined);
  const facts = all.filter(([, value]) => !isTable(value) && !isBlock(value));
  const blocks = all
    .filter(([, value]) => isBlock(value))
    .flatMap(([name, of]) => [titleOf(name), ...below(answerLines(of, {}))]);
  const tables = all.flatMap(([name, rows]) =>
    !isTable(rows)
      ? []
      : [
          `${titleOf(name)}: ${rows.length === 0 ? 'none' : rows.length}`,
          ...below(answerTable(columns[name] ?? ownColumns(rows), rows as never[])),
        ],
  );
  return [...aligned(facts.map(([name, value]) => [titleOf(name), valueText(value)])), ...blocks, ...tables];
}

/** An object that is too much for a line. */
function isBlock(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 2;
}

function isTable(value: unknown): value is object[] {
  return Array.isArray(value) && value.every((row) => typeof row === 'object' && row !== null);
}

/** Columns of the members that a cell has room for. */
function ownColumns(rows: readonly object[]): readonly AnswerColumn<never>[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return names.map((name) => [titleOf(name), 'text', (row: Readonly<Record<string, unknown>>) => valueText(row[name])]);
}

/** `instructedAmount` as a title: `Instructed amount`. */
function titleOf(member: string): string {
  const words = member.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value in a line: an amount with its currency, the members of an object, the items of a list. */
function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (typeof value !== 'object') return String(value);
  const { amount, currency, ...others } = value as Readonly<Record<string, unknown>>;
  if (amount !== undefined && currency !== undefined && Object.keys(others).length === 0)
    return `${String(amount)} ${String(currency)}`;
  return Object.entries(value)
    .filter(([, each]) => each !== null)
    .map(([name, each]) => `${titleOf(name).toLowerCase()} ${valueText(each)}`)
    .join(', ');
}
