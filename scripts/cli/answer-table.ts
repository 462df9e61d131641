import { type AnswerColumn, type Cells, cellOf } from '../../api/openapi/columns.ts';
import { columns, formatTime } from './output.ts';

/** How commands print the cells of an answer. */
const cells: { readonly [Kind in keyof Cells]: (value: Cells[Kind]) => string } = {
  text: String,
  amount: ({ amount, currency }) => `${amount} ${currency}`,
  date: String,
  instant: formatTime,
  dateOfItem: ({ item = '', date }) => `${item} ${date}`.trim(),
  account: ({ number, item = '' }) => `${number} ${item}`.trim(),
  owner: ({ number, name }) => `${number} ${name}`,
  payment: ({ text }) => text,
  status: String,
  run: ({ at }) => formatTime(at),
  outcome: String,
};

/**
 * Rows of an answer in columns below their heads, amounts to the right. No line without rows; a column without values
 * is left out.
 */
export function answerTable<Row>(of: readonly AnswerColumn<Row>[], rows: readonly Row[]): string[] {
  const filled = of
    .map((column) => ({ head: column[0], kind: column[1], texts: rows.map((row) => cellOf(column, row, cells) ?? '') }))
    .filter(({ texts }) => texts.some((text) => text !== ''));
  const aligned = filled.map(({ head, kind, texts }) => {
    const isAmount = kind === 'amount' || texts.every((text) => /^(?:-?\d+\.\d\d)?$/.test(text));
    const width = isAmount ? Math.max(...[head, ...texts].map(({ length }) => length)) : 0;
    return [head, ...texts].map((text) => text.padStart(width));
  });
  return columns((aligned[0] ?? []).map((_head, at) => aligned.map((column) => column[at] ?? '')));
}
