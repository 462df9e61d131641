import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { zstdCompressSync } from 'node:zlib';
import { openBank } from '../../engine/open-bank.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import type { KnownState } from '../../engine/bank/known-state.ts';
import type { Persona } from '../../engine/life/rules/persona.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import { digestOf, listedPersona, loadPriceList, loadKnownState, personaNames } from '../../api/start/fixtures.ts';
import { certificateOf, unnamed } from '../../api/harness/tpp/harness-tpp.ts';
import { generateKey } from '../../api/signing/certificate/issue-certificate.ts';
import { testTppId } from '../../api/signing/test-tpp.ts';
import type { Prepared } from '../../api/start/prepared.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** The files that `prepare` reads, from the root. */
export const preparedFrom = [
  ...['known-state', 'a-year-of-life', 'exchange-rates', 'fees'].map((name) => `fixtures/${name}.json`),
  ...personaNames().map((name) => `fixtures/personas/${name}.json`),
];

/** Does for a build what a start would do. Throws for fixtures that a start would refuse. */
export async function prepare(): Promise<Prepared> {
  const knownState = await loadKnownState('known-state');
  await loadPriceList();
  requireUnchanged('known-state', knownState);
  const lived = JSON.stringify(await loadKnownState('a-year-of-life'), (key, value: unknown) =>
    key === 'persona' ? (value as Persona).name : value,
  );
  requireUnchanged('a-year-of-life', JSON.parse(lived) as object);
  for (const name of personaNames()) requireUnchanged(`personas/${name}`, await listedPersona(name));
  const checked = preparedFrom.map((file) => digestOf(readFileSync(new URL(`../../${file}`, import.meta.url))));
  return { checked, ledger: await seededLedger(knownState), ofTests: await preparedTpps() };
}

/** Keys of the first five TPPs of a process of tests. */
async function preparedTpps(): Promise<Prepared['ofTests']> {
  const pems = [
    await generateKey(),
    await generateKey(),
    await generateKey(),
    await generateKey(),
    await generateKey(),
  ];
  const [first = ''] = pems;
  return {
    keys: pems.map((pem) => createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }).toString('base64')),
    certificate: certificateOf({ id: testTppId(unnamed), name: unnamed, roles: undefined }, first),
  };
}

/**
 * The snapshot that a new bank keeps of its ledger. Its name has the fingerprint: `seeded+FINGERPRINT@INSTANT.sqlite`.
 */
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
    if (fingerprint === undefined) throw new Mistake('the new bank has kept no snapshot');
    return { fingerprint, image: zstdCompressSync(readFileSync(join(snapshots, name))).toString('base64') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A check may rewrite texts, and a start that does not check takes them as they are. */
function requireUnchanged(name: string, read: object): void {
  const file = readFileSync(new URL(`../../fixtures/${name}.json`, import.meta.url), 'utf8');
  const { $schema: _, ...written } = JSON.parse(file) as object & { readonly $schema: string };
  if (!isDeepStrictEqual(written, read))
    throw new Mistake(`fixtures/${name}.json has a text that the bank would rewrite`);
}
