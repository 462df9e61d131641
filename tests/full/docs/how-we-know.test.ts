import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { campaigns } from '../../campaigns/list.ts';
import { proofPageOf, readmeLine } from '../../campaigns/proof-page.ts';
import { formatted } from '../../support/formatted.ts';

describe('docs/proof.md', () => {
  test('is made from docs/proof, as the line of README.md is: no figure is typed', async () => {
    expect(readFileSync('docs/proof.md', 'utf8')).toBe(await formatted('proof.md', proofPageOf('docs/proof')));
    expect(readFileSync('README.md', 'utf8').split('\n')).toContain(readmeLine('docs/proof'));
  });

  test('its sentences hold no figures, and name campaigns and tests that are there', () => {
    const notes = JSON.parse(readFileSync('docs/proof/notes.json', 'utf8')) as {
      found: Record<string, { fault: string; again: string }[]>;
      open: Record<string, { fault: string; again: string }[]>;
      notCovered: string[];
    };
    const found = [notes.found, notes.open].flatMap((faults) => Object.values(faults).flat());
    expect(JSON.stringify([found.map(({ fault }) => fault), notes.notCovered])).not.toMatch(/\d/);
    expect(Object.keys(notes.found).filter((name) => !Object.hasOwn(campaigns, name))).toEqual([]);
    const again = /^npm (?:run soak -- (\w+) --seed \d+ --count \d+|test -- (\S+))$/;
    const isThere = (command: string): boolean => {
      const [, campaign, file] = again.exec(command) ?? [];
      return campaign === undefined ? existsSync(file ?? '') : Object.hasOwn(campaigns, campaign);
    };
    expect(found.filter((one) => !isThere(one.again))).toEqual([]);
  });

  test('no file is left of a campaign that is gone', () => {
    const known = [...Object.keys(campaigns), 'notes', 'mutants'].map((name) => `${name}.json`);
    expect(readdirSync('docs/proof').filter((file) => !known.includes(file))).toEqual([]);
  });
});
