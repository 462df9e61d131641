import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { isFinal, transactionStatuses } from '../../engine/values/transaction-status.ts';
import { transitions } from '../../engine/values/transaction-status.ts';
import type { TransactionStatus } from '../../engine/values/transaction-status.ts';
import { markdownLines } from '../support/markdown.ts';

const codes = Object.keys(transactionStatuses) as TransactionStatus[];
const contract = readFileSync(new URL('../../docs/spec/interface.md', import.meta.url), 'utf8');
const rules = readFileSync(new URL('../../docs/spec/rules.md', import.meta.url), 'utf8');
const ours = transitions.map(([from, to]) => `${from} -> ${to}`);
const codesIn = (cell: string): string[] => cell.match(/\b[A-Z]{4}\b/g) ?? [];
/** Statuses that a payment of this bank can have before ACSC: PART is a bulk payment's, some of which has settled. */
const open = codes.filter((code) => !isFinal(code) && code !== 'PART' && transitions.some(([, to]) => to === code));

/** The rows of the interface's table: `any state before ACSC` is each that this bank gives. */
const published = markdownLines(contract)
  .filter(({ section, kind }) => section === 'Transitions' && kind === 'row')
  .flatMap(({ cells: [from = '', , , to = ''] }) => {
    const before = from === '(new)' ? ['new'] : from.startsWith('any') ? open : codesIn(from);
    return before.flatMap((one) => codesIn(to).map((other) => `${one} -> ${other}`));
  });

/** What the interface leaves open, by the rule that decides it. */
const decided: Readonly<Record<string, readonly string[]>> = {
  S9b: ['ACSP -> ACCP', 'PDNG -> ACCP', 'ACCP -> ACSC', 'new -> ACSC', 'PART -> ACSC'].concat(
    ['ACSP', 'PDNG', 'ACCP'].map((from) => `${from} -> PART`),
  ),
  S2: ['PATC -> PDNG'],
  P10: ['PATC -> ACSC', 'new -> RJCT'],
  P12: ['PATC -> CANC'],
  D2: ['PDNG -> CANC', 'ACCP -> CANC'],
};

describe('S9b: the transition table', () => {
  test('there are the rows of the interface to compare with', () => {
    expect(published.length).toBeGreaterThan(15);
    expect(published).toContain('RCVD -> PATC');
  });

  test.each([...new Set(published)])('interface, Transitions: %s is a row of ours', (move) => {
    expect(ours).toContain(move);
  });

  test.each(Object.entries(decided))('%s: its rows are ours, and not the interface’s', (rule, moves) => {
    expect(rules).toContain(`**${rule}`);
    for (const move of moves) {
      expect(ours).toContain(move);
      expect(published).not.toContain(move);
    }
  });

  test('has no row of its own, and none twice', () => {
    const told = [...new Set(published), ...Object.values(decided).flat()];
    expect(ours.toSorted()).toEqual(told.toSorted());
  });
});
