import { fileMoves } from './bundles/file-moves.ts';
import { ledgerMoves } from './bundles/ledger-moves.ts';
import { openingWrong } from './bundles/open-wrong.ts';

/** Rows, JSON, bytes, lengths and limits. */
export const wrongBundles = (start?: Parameters<typeof openingWrong>[1]) =>
  openingWrong([...ledgerMoves, ...fileMoves], start);

export const bundles = wrongBundles();
