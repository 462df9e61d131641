import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { campaignNames, campaigns } from '../../campaigns/list.ts';
import { keptFolder, type Notes, pageOf } from '../../campaigns/page.ts';
import { formatted } from '../../support/formatted.ts';

describe('docs/how-we-know.md', () => {
  const notes = JSON.parse(readFileSync(`${keptFolder}/notes.json`, 'utf8')) as Notes;

  test('is made from tests/campaigns/kept: no figure is typed', async () => {
    expect(readFileSync('docs/how-we-know.md', 'utf8')).toBe(await formatted('how-we-know.md', pageOf(keptFolder)));
  });

  test('its sentences hold no figures, and name tests that are there', () => {
    const { found, notCovered, promises } = notes;
    const faults = Object.values(found).flat();
    expect(JSON.stringify([faults.map(({ fault }) => fault), notCovered, promises])).not.toMatch(/\d/);
    const again = /^npm (?:run campaigns -- (\w+) --seed \d+ --count \d+|test -- (\S+))$/;
    const isThere = (command: string): boolean => {
      const [, campaign, file] = again.exec(command) ?? [];
      return campaign === undefined ? existsSync(file ?? '') : Object.hasOwn(campaigns, campaign);
    };
    expect(faults.filter((one) => !isThere(one.again))).toEqual([]);
  });

  test('ten promises, each campaign attacks one of them', () => {
    expect(notes.promises).toHaveLength(10);
    expect(notes.promises.flatMap((one) => one.campaigns)).toEqual(campaignNames);
  });

  test('it is one page without a table', () => {
    const page = readFileSync('docs/how-we-know.md', 'utf8');
    expect(page.split(/\s+/).length).toBeLessThan(1_500);
    expect(page).not.toMatch(/^\|/m);
  });

  test('no file is left of a campaign that is gone', () => {
    const known = [...campaignNames, 'notes', 'mutants'].map((name) => `${name}.json`);
    expect(readdirSync(keptFolder).filter((file) => !known.includes(file))).toEqual([]);
  });
});
