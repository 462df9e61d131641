import { expect } from '@jest/globals';
import { bankServer } from '../../api/harness/bank-server.ts';
import { harnessBank } from '../../api/harness/harness-bank.ts';
import { createBank, type Bank, type CreateBankOptions } from '../../api/harness/index.ts';
import { takeLedgerImage } from '../../engine/bank/snapshots.ts';
import { takeBackMove } from '../../engine/reset-and-restore.ts';
import { drawCall, fill, type Player, playerOf, playerOfCopy } from './same-calls.ts';
import { seeded } from './seeded.ts';

/** What a bank is at one moment: its content with every id, its clock and its armed faults. */
export async function stateOf(bank: Bank): Promise<unknown> {
  const paths = ['/sandbox/ledger/hash', '/sandbox/clock', '/sandbox/faults', '/sandbox/quirks', '/sandbox/snapshots'];
  const all = await Promise.all(paths.map(async (path) => (await bank.fetch(path)).json<Record<string, unknown>>()));
  const [, clock] = all;
  // The wall clock goes on.
  if (clock !== undefined) delete clock['wall'];
  return all;
}

/** The hash of a bank without the ids that each bank draws. */
export async function hashOf(bank: Bank): Promise<string> {
  const answer = await bank.fetch('/sandbox/ledger/hash?ids=left-out');
  return (await answer.json<{ hash: string }>()).hash;
}

/** How an original and its copy went on with the same calls. */
export interface Compared {
  readonly original: readonly string[];
  readonly copy: readonly string[];
  /** Of the original, before and after the life of its copy. */
  readonly states: readonly [unknown, unknown];
  /** Of the copy when it began, and after its reset. */
  readonly reset: readonly [string, string];
}

/** Fills a bank by a seed, copies it in the middle of everything, and makes the same calls to the copy and then to the original. */
async function compareCopy(seed: number, options: CreateBankOptions = {}): Promise<Compared> {
  const random = seeded(seed);
  const server = await bankServer({ now: '2027-03-24T10:00:00+01:00', ...options });
  await using bank = harnessBank(server);
  const player = playerOf(bank);
  await fill(player);
  for (let call = random.below(12); call > 0; call -= 1) await drawCall(random)(player);
  if (random.below(2) === 0) {
    const before = await takeLedgerImage(server.bank);
    await bank.clock.advance('P2D');
    await takeBackMove(server.bank, before);
  }
  const before = await stateOf(bank);
  const began = await hashOf(bank);
  await using copy = await (random.below(2) === 0 ? bank.copy() : createBank({ from: await server.bundle() }));
  const calls = Array.from({ length: 14 }, () => drawCall(random));
  const ofCopy = await play(playerOfCopy(copy, player), calls);
  const after = await stateOf(bank);
  const ofOriginal = await play(player, calls);
  await copy.reset();
  return { original: ofOriginal, copy: ofCopy, states: [before, after], reset: [began, await hashOf(copy)] };
}

async function play(player: Player, calls: readonly ReturnType<typeof drawCall>[]): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const call of calls) answers.push(await call(player));
  await player.bank.clock.advance('P9D');
  return [...answers, `hash ${await hashOf(player.bank)}`];
}

/** A copy of a bank in the middle of everything behaves as its original from there on, and the original does not notice (B10). */
export async function expectSameCopy(seed: number): Promise<void> {
  const { original, copy, states, reset } = await compareCopy(seed);
  expect(copy).toEqual(original);
  expect(original.filter((answer) => /^20[01] /.test(answer)).length).toBeGreaterThan(4);
  expect(states[1]).toEqual(states[0]);
  expect(reset[1]).toBe(reset[0]);
}
