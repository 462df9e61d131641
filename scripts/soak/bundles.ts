import type { startServer } from '../../api/hosting/server.ts';
import { fileMoves } from './bundles/file-moves.ts';
import { ledgerMoves } from './bundles/ledger-moves.ts';
import type { Move } from './bundles/move.ts';
import { openWrong } from './bundles/open-wrong.ts';
import { savedBanks } from './bundles/saved-banks.ts';
import { schemaMoves } from './bundles/schema-moves.ts';
import type { Campaign } from './campaign.ts';

/**
 * Opens bundles with a right digest that were built wrong, and reads what is opened. `start` may be another one, to prove that the campaign sees what
 * a server does.
 */
function opening(moves: readonly [Move, ...Move[]], start: typeof startServer | undefined): Campaign {
  return {
    unit: 'bundles',
    usualCount: 10_000,
    run: async ({ count, random, tally, step }) => {
      const banks = await savedBanks();
      for (let done = 0; done < count; done += 1) {
        const bank = random.pick(banks);
        const { name, make } = random.pick(moves);
        const { what, file } = make(random, bank);
        tally(`${name}: ${await openWrong(file, bank, `${bank.name}, ${name}, ${what}`, start)}`);
        step();
      }
    },
  };
}

/** Rows, JSON, bytes, lengths and limits. */
export const wrongBundles = (start?: typeof startServer): Campaign => opening([...ledgerMoves, ...fileMoves], start);
export const bundles = wrongBundles();

/** Objects of all kinds and names in the ledger. */
export const schemas: Campaign = opening(schemaMoves, undefined);
