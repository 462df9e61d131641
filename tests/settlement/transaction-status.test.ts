import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { awaitsSignature, isFinal, transactionStatuses } from '../../engine/values/transaction-status.ts';
import { canMove, deletion, transitions } from '../../engine/values/transaction-status.ts';
import type { TransactionStatus } from '../../engine/values/transaction-status.ts';

const codes = Object.keys(transactionStatuses) as TransactionStatus[];

describe('payment status codes', () => {
  test('are those of the interface', () => {
    const contract = readFileSync(new URL('../../docs/spec/interface.md', import.meta.url), 'utf8');
    const section = contract.slice(contract.indexOf('### Payment status codes'), contract.indexOf('### Transitions'));
    const listed = [...section.matchAll(/^\| ([A-Z]{4}) \|/gm)].map((match) => match[1]);
    expect([...codes].sort()).toEqual(listed.sort());
  });

  test('S7: ACSC, RJCT and CANC are final, and nothing follows them', () => {
    expect(codes.filter(isFinal).sort()).toEqual(['ACSC', 'CANC', 'RJCT']);
    expect(transitions.filter(([from]) => from !== 'new' && isFinal(from))).toEqual([]);
  });

  test.each<[TransactionStatus, ReturnType<typeof deletion>, boolean]>([
    ['RCVD', 'at once', true],
    ['PATC', 'at once', true],
    ['ACSP', 'by authorisation', false],
    ['PDNG', 'never', false],
    ['ACCP', 'never', false],
    ['ACSC', 'never', false],
    ['RJCT', 'never', false],
    ['CANC', 'never', false],
  ])('P12: %s is deleted %s; still to be signed: %s', (status, how, waits) => {
    expect(deletion(status)).toBe(how);
    expect(awaitsSignature(status)).toBe(waits);
  });
});

describe('S9b: the transition table', () => {
  test.each<[TransactionStatus | 'new', TransactionStatus]>([
    ['new', 'RCVD'],
    ['new', 'ACSP'],
    ['new', 'PDNG'],
    ['new', 'ACSC'],
    ['new', 'RJCT'],
    ['RCVD', 'ACSC'],
    ['PATC', 'ACSC'],
    ['PATC', 'RJCT'],
    ['RCVD', 'ACSP'],
    ['RCVD', 'PDNG'],
    ['RCVD', 'CANC'],
    ['RCVD', 'PATC'],
    ['PATC', 'ACSP'],
    ['PATC', 'PDNG'],
    ['PATC', 'CANC'],
    ['ACSP', 'ACSC'],
    ['PDNG', 'ACSC'],
    ['ACSP', 'ACCP'],
    ['PDNG', 'ACCP'],
    ['ACCP', 'ACSC'],
    ['ACCP', 'RJCT'],
    ['ACSP', 'CANC'],
  ])('%s -> %s is possible', (from, to) => {
    expect(canMove(from, to)).toBe(true);
  });

  test.each<[TransactionStatus | 'new', TransactionStatus]>([
    ['RCVD', 'ACCP'],
    ['new', 'PATC'],
    ['PATC', 'RCVD'],
    ['PATC', 'PATC'],
    ['ACCP', 'ACSP'],
    ['ACCP', 'PDNG'],
    ['PDNG', 'ACSP'],
    ['ACSP', 'RCVD'],
    ['ACSC', 'CANC'],
    ['CANC', 'RCVD'],
    ['RJCT', 'ACSP'],
    ['ACSP', 'ACSP'],
  ])('%s -> %s is not', (from, to) => {
    expect(canMove(from, to)).toBe(false);
  });

  test('RJCT can come at any time before ACSC, until an item of a bulk payment has settled', () => {
    const open = codes.filter((code) => !isFinal(code) && code !== 'PART' && transitions.some(([, to]) => to === code));
    for (const code of open) expect([code, canMove(code, 'RJCT')]).toEqual([code, true]);
  });
});
