import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { zstdCompressSync } from 'node:zlib';
import { openBank } from '../../engine/bank.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import type { KnownState } from '../../engine/bank/known-state.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import { fixturesFolder, loadPriceList, loadKnownState } from '../../api/start/fixtures.ts';
import type { FixturesKind, Prepared } from '../../api/start/prepared.ts';

/** The files that `prepare` reads, from the root. */
export const preparedFrom = ['fixtures/known-state.json', 'fixtures/exchange-rates.json', 'fixtures/fees.json'];

/** Does for a bundle what a start would do. Throws for fixtures that a start would refuse. */
export async function prepare(): Promise<Prepared> {
  const knownState = await loadKnownState('known-state');
  await loadPriceList();
  const checked = {
    'known-state': textOf('known-state'),
    'exchange-rates': textOf('exchange-rates'),
    fees: textOf('fees'),
  };
  // A check may rewrite texts, and a start that does not check takes them as they are.
  const { $schema: _, ...state } = JSON.parse(checked['known-state']) as object & { readonly $schema: string };
  if (!isDeepStrictEqual(state, knownState))
    throw new Error('fixtures/known-state.json has a text that the bank would rewrite');
  return { checked, ledger: await seededLedger(knownState) };
}

/** The snapshot that a new bank keeps of its ledger. Its name has the fingerprint: `seeded+FINGERPRINT@INSTANT.sqlite`. */
async function seededLedger(knownState: KnownState): Promise<Prepared['ledger']> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-prepared-'));
  try {
    const ledger = join(folder, 'ledger.sqlite');
    const bank = await openBank({
      ledger,
      wall: systemClock,
      ids: randomIds,
      calendar: norwegianCalendar(),
      knownState,
    });
    await bank.close();
    const snapshots = `${ledger}.snapshots`;
    const [name = ''] = readdirSync(snapshots).filter((file) => file.endsWith('.sqlite'));
    const [, fingerprint] = /^seeded\+(\w+)@/.exec(name) ?? [];
    if (fingerprint === undefined) throw new Error('the new bank has kept no snapshot');
    return { fingerprint, image: zstdCompressSync(readFileSync(join(snapshots, name))).toString('base64') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function textOf(kind: FixturesKind): string {
  return readFileSync(new URL(`${kind}.json`, fixturesFolder), 'utf8');
}
