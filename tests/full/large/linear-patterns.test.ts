import { describe, expect, test } from '@jest/globals';
import { catalogue } from '../../../api/catalogue/catalogue.ts';
import { worseThanLinear, worstFor } from '../../support/linear.ts';
import { oneOf, sample, sameSample } from '../../support/sample.ts';
import { findIn, schemaPatterns, type SourcePattern } from '../../support/source-patterns.ts';
import { contractOf } from '../../../api/openapi/contract.ts';
import { quirkTexts } from '../../golden/banks.ts';
import { quirksIn } from '../../lab/quirks.ts';
import { bodySchemas } from '../../pipeline/body-schemas.ts';

const found = findIn(['engine', 'api', 'scripts', 'fixtures']);
/**
 * Scenarios have patterns of their own. A server plays those of the catalogue, which are read here; whoever plays another file
 * trusts it, and plays it in a process of their own.
 */
const ofOthers = /^(api\/catalogue\/play-scenario|scripts\/play\/)/;
/** Patterns of the API document, which are read here, and one of the values of the story, in a text of ours. */
const ofDocuments = /^(api\/openapi\/(fitted-examples|samples)|scripts\/drift\/fits)\.ts/;
const built = found.built.filter((one) => !ofOthers.test(one) && !ofDocuments.test(one));
const documents: Record<string, unknown> = {};
for (const text of ['', ...quirkTexts]) documents[`/openapi.json ${text}`] = await contractOf(quirksIn(text), null);
const ofScenarios = catalogue()
  .flatMap(({ steps }) => steps)
  .flatMap(({ expect: { matches = {} }, keep = {} }) => [
    ...Object.values(matches),
    ...Object.values(keep).flatMap(({ match = [] }) => match),
  ])
  .map((source): SourcePattern => ({ file: 'scenarios', source, flags: '' }));
const all = [...found.patterns, ...schemaPatterns({ ...bodySchemas, ...documents }), ...ofScenarios];
const different = [...new Map(all.map((one) => [`/${one.source}/${one.flags}`, one] as const)).entries()];

/** The first of a pattern's worst texts that costs more than its length, in a search or in replacing all; null: none does. */
function slowText({ source, flags }: Pick<SourcePattern, 'source' | 'flags'>, oneIn = 60): string | null {
  const plain = flags.replace(/[gy]/g, '');
  const [search, global, sticky] = [
    new RegExp(source, plain),
    new RegExp(source, `${plain}g`),
    new RegExp(source, `${plain}y`),
  ];
  // A sticky one is only ever tried in one place, or place after place.
  const uses = flags.includes('y')
    ? [(text: string) => sticky.exec(text), (text: string) => text.replace(new RegExp(source, `${plain}gy`), '')]
    : [(text: string) => search.exec(text), (text: string) => text.replaceAll(global, '')];
  for (const growing of sample(source, worstFor(source, flags), oneIn)) {
    for (const use of uses) {
      const slow = worseThanLinear(use, growing);
      if (slow !== null) return `${slow}; ${sameSample}`;
    }
  }
  return null;
}

describe('a text costs a pattern its length, not its square: 64 KB at most 8 times 16 KB', () => {
  test('the patterns are found', () => {
    expect(different.length).toBeGreaterThan(100);
  });

  test('each stands in the source, where this test reads it: none is put together', () => {
    expect(built).toEqual([]);
  });

  test.each(different)('%s', (_pattern, pattern) => {
    expect(slowText(pattern)).toBeNull();
  });

  // What this test has to find, with what held up the server once.
  test.each([
    ['exponential', '^(a+)+$', ''],
    ...oneOf('found patterns', [
      ['cubic', String.raw`^-----BEGIN CERTIFICATE-----\s+([A-Za-z0-9+/=\s]+?)\s+-----END CERTIFICATE-----\s*$`, ''],
      ['cubic', String.raw`^\s*SN\s*=\s*([^,]*?)\s*,\s*CA\s*=(.*)$`, 'is'],
      ['quadratic', String.raw`^[ \t]+|[ \t]+$`, 'g'],
      ['quadratic', String.raw`\/+$`, ''],
      ['quadratic', String.raw`<!--[\s\S]*?-->`, 'g'],
    ] as const),
  ])('it finds a %s one: %s', (_growth, source, flags) => {
    expect(slowText({ source, flags }, 1)).not.toBeNull();
  });
});
