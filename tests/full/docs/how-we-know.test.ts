import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { campaigns } from '../../campaigns/list.ts';
import { keptFolder, pageOf } from '../../campaigns/page.ts';
import { formatted } from '../../support/formatted.ts';

describe('docs/how-we-know.md', () => {
  test('is made from tests/campaigns/kept: no figure is typed', async () => {
    expect(readFileSync('docs/how-we-know.md', 'utf8')).toBe(await formatted('how-we-know.md', pageOf(keptFolder)));
  });

  test('its sentences hold no figures, and name campaigns and tests that are there', () => {
    const notes = JSON.parse(readFileSync(`${keptFolder}/notes.json`, 'utf8')) as {
      found: Record<string, { fault: string; again: string }[]>;
      open: Record<string, { fault: string; again: string }[]>;
      notCovered: string[];
    };
    const found = [notes.found, notes.open].flatMap((faults) => Object.values(faults).flat());
    expect(JSON.stringify([found.map(({ fault }) => fault), notes.notCovered])).not.toMatch(/\d/);
    expect(Object.keys(notes.found).filter((name) => !Object.hasOwn(campaigns, name))).toEqual([]);
    const again = /^npm (?:run campaigns -- (\w+) --seed \d+ --count \d+|test -- (\S+))$/;
    const isThere = (command: string): boolean => {
      const [, campaign, file] = again.exec(command) ?? [];
      return campaign === undefined ? existsSync(file ?? '') : Object.hasOwn(campaigns, campaign);
    };
    expect(found.filter((one) => !isThere(one.again))).toEqual([]);
  });

  test('no file is left of a campaign that is gone', () => {
    const known = [...Object.keys(campaigns), 'notes', 'mutants'].map((name) => `${name}.json`);
    expect(readdirSync(keptFolder).filter((file) => !known.includes(file))).toEqual([]);
  });
});
