import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { campaigns } from '../../campaigns/list.ts';
import { proofPageOf } from '../../campaigns/proof-page.ts';

/** The words of a page, without its layout. */
function wordsOf(page: string): readonly string[] {
  return page.split(/[\s|-]+/).filter((word) => word !== '');
}

describe('docs/proof.md', () => {
  test('is made from docs/proof: no figure of it is typed', () => {
    expect(wordsOf(readFileSync('docs/proof.md', 'utf8'))).toEqual(wordsOf(proofPageOf('docs/proof')));
  });

  test('its sentences hold no figures, and name campaigns that are there', () => {
    const notes = JSON.parse(readFileSync('docs/proof/notes.json', 'utf8')) as { found: object; notCovered: string[] };
    expect(JSON.stringify(notes)).not.toMatch(/\d/);
    expect(Object.keys(notes.found).filter((name) => !Object.hasOwn(campaigns, name))).toEqual([]);
  });

  test('no file is left of a campaign that is gone', () => {
    const known = [...Object.keys(campaigns), 'notes', 'mutants'].map((name) => `${name}.json`);
    expect(readdirSync('docs/proof').filter((file) => !known.includes(file))).toEqual([]);
  });
});
