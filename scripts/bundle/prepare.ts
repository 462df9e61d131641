import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { fixturesFolder } from '../../api/start/fixtures-folder.ts';
import { loadKnownState } from '../../api/start/known-state-file.ts';
import type { FixturesKind, Prepared } from '../../api/start/prepared.ts';
import { loadPriceList } from '../../api/start/price-list-file.ts';

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
  if (!isDeepStrictEqual(JSON.parse(checked['known-state']), knownState))
    throw new Error('fixtures/known-state.json has a text that the bank would rewrite');
  return { checked };
}

function textOf(kind: FixturesKind): string {
  return readFileSync(new URL(`${kind}.json`, fixturesFolder), 'utf8');
}
