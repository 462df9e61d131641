import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import type { GauntletReport, GauntletTrial } from '../../api/harness/types/gauntlet.ts';
import { junitOf } from '../../scripts/gauntlet/tell.ts';
import { hasProgram, testWith } from '../support/test-with.ts';

/* GA: a report in XML is XML, whatever a suite has printed. XML 1.0, production 2, says which characters it has. */

const odd = '\uFFFE \uFFFF \uD800 \uDC00x \u0000 \u001b[31m \u007f \u0085 ]]> & < > " \' æ \u{1F600} \u2028\ttab';
const trial: GauntletTrial = {
  ...{ name: 'weekend-values', kind: 'quirk', value: odd, verdict: 'broke', seconds: 1 },
  tests: [],
  output: odd,
  change: null,
  sentence: odd,
  banks: [],
  rule: null,
  docs: 'habits',
  again: odd,
};
const report = {
  version: 1,
  command: ['npm', 'test'],
  baseline: { tests: 1, calls: 1, seconds: 1, flaky: false },
  trials: [trial, { ...trial, verdict: 'not heard', notHeard: odd }],
  notMet: { operations: [], products: [], statuses: [], codes: [] },
} as unknown as GauntletReport;

test('GA4: the report in XML has the characters of XML alone', () => {
  const xml = junitOf(report);
  expect(xml).toContain('æ \u{1F600}');
  expect(xml.match(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu)).toBe(null);
});

testWith(hasProgram('python3'), 'python3')('GA4: expat reads the report in XML', () => {
  const read =
    'import sys, xml.etree.ElementTree as t; print(len(t.fromstring(sys.stdin.buffer.read()).findall("testcase")))';
  const { stdout, stderr } = spawnSync('python3', ['-c', read], { input: junitOf(report), encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['2\n', '']);
});
