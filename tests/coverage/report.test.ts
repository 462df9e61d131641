import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { bankServer } from '../../api/harness/bank-server.ts';
import { CoverageReporter } from '../../api/harness/coverage/coverage-reporter.ts';
import { createBank } from '../../api/harness/index.ts';
import JestCoverageReporter from '../../api/harness/jest-reporter.ts';
import VitestCoverageReporter from '../../api/harness/vitest-reporter.ts';
import { joinReports, reportLines, type ReportedBehaviour, shareMet, reportPage } from '../../api/coverage/report.ts';
import { coverageFolder, shareCoverageFolder } from '../../api/start/config.ts';
import { listPsus } from '../../engine/sandbox-data/psus.ts';
import { nora, stranger, wednesday } from '../harness/harness-bank.ts';
import { runMain, type Ended } from '../support/recorded-terminal.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandbank-coverage-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const met: ReportedBehaviour = {
  name: 'ACSC',
  kind: 'status',
  met: true,
  first: '2027-03-30T05:30:00.000+02:00',
  count: 2,
  how: 'Pay.',
};
const unmet: ReportedBehaviour = {
  name: 'fifth attempt',
  kind: 'situation',
  met: false,
  first: null,
  count: 0,
  how: 'Wait.',
};
const hostile: ReportedBehaviour = {
  ...unmet,
  name: '<script>alert(1)</script>',
  how: '"\'><img src=x onerror=alert(1)>',
};

describe('the report', () => {
  test('it is rounded down, so that 100 % is all', () => {
    const many = Array.from({ length: 999 }, () => met);
    expect([shareMet([...many, unmet]), shareMet(many), shareMet([met, unmet, unmet]), shareMet([])]).toEqual([
      99, 100, 33, 100,
    ]);
  });

  test('it names what was not met, each with the line that provokes it, and says what it is not', () => {
    const lines = reportLines([met, unmet]);
    expect(lines[0]).toBe('1 of 2 behaviours met (50 %).');
    expect(lines).toEqual(expect.arrayContaining(['situation: 1 of 1 not met', '  fifth attempt', '      Wait.']));
    expect(lines.join('\n')).toContain('It is no certification.');
    expect(lines.join('\n')).not.toContain('ACSC');
  });

  test('the first time is the earliest, whatever the offsets', () => {
    // The night in which summer time ends: 02:30 at +02:00 comes before 02:10 at +01:00.
    const earlier = { ...met, first: '2027-10-31T02:30:00.000+02:00' };
    const later = { ...met, first: '2027-10-31T02:10:00.000+01:00' };
    expect(joinReports([[later], [earlier]])[0]?.first).toBe(earlier.first);
    expect(joinReports([[earlier], [later]])[0]?.first).toBe(earlier.first);
  });

  test('what any of several banks met is met, and counted together', () => {
    const later = { ...met, first: '2027-04-01T05:30:00.000+02:00', count: 3 };
    expect(joinReports([[later, unmet], [met, unmet], [{ ...met, met: false, first: null, count: 0 }]])).toEqual([
      { ...met, count: 5 },
      unmet,
    ]);
  });

  test('its page loads nothing and shows hostile names as text', () => {
    const page = reportPage([met, hostile]);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toMatch(/<script|<img|<link|<iframe|url\(|@import|https?:/);
    expect(page).toContain('It is no certification.');
  });
});

describe('a reporter', () => {
  const order = { from: nora.bban, to: stranger, amount: '250.00', on: '2027-03-25' };
  const printed: string[] = [];
  const print = (line: string): void => void printed.push(line);

  test('without it a bank writes nothing', async () => {
    expect(coverageFolder()).toBe(null);
    const bank = await createBank({ now: wednesday });
    await bank.close();
  });

  test('it joins what the banks of a run met, prints the rest, writes a page, and removes its folder', async () => {
    const html = join(folder, 'coverage.html');
    const reporter = new JestCoverageReporter(null, { html, min: 90, for: 'pisp' });
    const outputs = [console.log, console.error];
    reporter.onRunStart();
    const written = coverageFolder() ?? '';
    try {
      for (const on of ['2027-03-25', '2027-04-01']) {
        const bank = await createBank({ now: wednesday });
        await bank.tpp().pay({ ...order, on });
        await bank.close();
      }
      expect(readdirSync(written)).toHaveLength(2);
      [console.log, console.error] = [print, print];
      reporter.onRunComplete();
    } finally {
      [console.log, console.error] = outputs as [typeof console.log, typeof console.error];
    }
    expect(coverageFolder()).toBe(null);
    expect(() => readdirSync(written)).toThrow('ENOENT');
    expect(printed).toEqual(expect.arrayContaining(['Sandbank coverage of 2 banks:', '  fifth attempt']));
    expect(printed).not.toContain('  moved by a holiday');
    expect(printed).not.toContain('  paging');
    expect(reporter.getLastError()?.message).toMatch(
      /^\d+ of \d+ behaviours met \(\d+ %\), and at least 90 % are wanted$/,
    );
    expect(readFileSync(html, 'utf8')).toContain('<h1>Integration coverage</h1>');
  });

  describe('when a file cannot be written or read', () => {
    afterEach(() => shareCoverageFolder(null));

    test('a bank whose coverage cannot be written is closed nevertheless', async () => {
      const { bank, close } = await bankServer({ now: wednesday });
      const file = join(folder, 'no-folder');
      writeFileSync(file, '');
      shareCoverageFolder(file);
      await expect(close()).rejects.toMatchObject({ code: 'ENOTDIR' });
      await expect(listPsus(bank)).rejects.toThrow();
    });

    test('a bank that is closed after the run is closed quietly, and one that is closed twice is counted once', async () => {
      const reporter = new CoverageReporter();
      reporter.start();
      const written = coverageFolder() ?? '';
      const [bank, late] = [await createBank({ now: wednesday }), await createBank({ now: wednesday })];
      await bank.close();
      await bank.close();
      expect(readdirSync(written)).toEqual([expect.stringMatching(/^[-0-9a-f]+\.json$/)]);
      rmSync(written, { recursive: true });
      await late.close();
    });

    test('the file of a worker that was killed while it wrote is left out', () => {
      const reporter = new CoverageReporter();
      reporter.start();
      const written = coverageFolder() ?? '';
      writeFileSync(join(written, 'whole.json'), JSON.stringify([{ ...met, area: null }]));
      writeFileSync(join(written, 'torn.json.tmp'), '[{"name":"AC');
      const lines: string[] = [];
      expect(reporter.finish((line) => lines.push(line))).toBe(null);
      expect(lines).toContain('Sandbank coverage of 1 bank:');
      expect(existsSync(written)).toBe(false);
    });

    test('the folder is removed also when a file in it is damaged', () => {
      const reporter = new CoverageReporter();
      reporter.start();
      const written = coverageFolder() ?? '';
      writeFileSync(join(written, 'damaged.json'), '[{"name":"AC');
      expect(() => reporter.finish(() => {})).toThrow(SyntaxError);
      expect(existsSync(written)).toBe(false);
    });

    test.each([
      [undefined, /^the page .*absent.* cannot be written \(ENOENT.*\)$/],
      [100, /^1 of 2 behaviours met .* are wanted; the page .* cannot be written/],
    ])('a page that cannot be written is why the run fails, with the minimum %p', (min, text) => {
      const reporter = new CoverageReporter({
        html: join(folder, 'absent', 'page.html'),
        ...(min !== undefined && { min }),
      });
      reporter.start();
      const written = coverageFolder() ?? '';
      writeFileSync(join(written, 'whole.json'), JSON.stringify([met, unmet].map((each) => ({ ...each, area: null }))));
      expect(reporter.finish(() => {})).toMatch(text);
      expect(existsSync(written)).toBe(false);
    });
  });

  test.each([
    [{ minimum: 70 }, 'has no option minimum'],
    [{ min: 101 }, 'a percentage from 0 to 100'],
    [{ min: Number.NaN }, 'a percentage from 0 to 100'],
    [{ html: 5 }, 'the path of a file'],
    [{ for: 'all' }, 'pisp or aisp'],
  ])('the options %p are refused', (options, text) => {
    expect(() => new JestCoverageReporter(null, options as never)).toThrow(text);
    expect(() => new VitestCoverageReporter(options as never)).toThrow(text);
  });
});

describe('sandbank coverage', () => {
  let bank: TestBank;
  beforeAll(async () => {
    bank = await startTestBank(wednesday);
    await bank.raw('GET', '/sandbox/as/shop/v1/tpps/x/contact-information');
    await bank.raw('GET', '/v1/accounts');
  });
  afterAll(() => bank.stop());

  const coverage = (...args: string[]): Promise<Ended> =>
    runMain(['coverage', ...args, '--port', new URL(bank.address).port]);

  test('it prints what was not met, or the answer of the control plane', async () => {
    const { code, lines, errors } = await coverage('--for', 'aisp');
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    expect(lines[0]).toMatch(/^\d+ of \d+ behaviours met \(\d+ %\)\.$/);
    expect(lines).toContain('  paging');
    expect(lines).not.toContain('  SIGNATURE_MISSING');
    const answer = JSON.parse((await coverage('--json')).lines.join('\n'));
    expect(answer).toEqual((await bank.control('GET', '/sandbox/coverage')).body);
    expect((await coverage('--tpp', 'nobody & co')).lines[0]).toMatch(/^0 of /);
  });

  test('--min is the exit code, --html one page', async () => {
    const html = join(folder, 'of-command.html');
    expect((await coverage('--min', '0', '--html', html)).code).toBe(0);
    expect(readFileSync(html, 'utf8')).toContain('SIGNATURE_MISSING');
    const { code, errors } = await coverage('--min', '100');
    expect([code, errors[0]]).toEqual([1, expect.stringContaining('and at least 100 % are wanted')]);
  });

  test.each([
    [['--min', '101'], 2, 'expected a whole percentage'],
    [['--min', '-1'], 2, '--min'],
    [['--for', 'all'], 2, '--for is "all": expected pisp or aisp'],
    [['--html', join(folder, 'no/such/folder.html')], 1, 'cannot be written (ENOENT)'],
    [['word'], 2, 'one word too many'],
  ])('%p is refused', async (args, exit, text) => {
    const { code, errors } = await coverage(...args);
    expect([code, errors.join('\n')]).toEqual([exit, expect.stringContaining(text)]);
  });
});
