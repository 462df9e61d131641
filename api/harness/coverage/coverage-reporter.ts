import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { belowMinimum, joinReports, type ReportedBehaviour, reportLines, reportPage } from '../../coverage/report.ts';
import { shareCoverageFolder } from '../../start/config.ts';
import { messageOf } from '../given.ts';
import type { CoverageReporterOptions } from '../reporter-types.ts';

/** A behaviour in the file of a bank. */
type Written = ReportedBehaviour & { readonly area: string | null };

const names = ['html', 'min', 'for'];

/**
 * Collects what TPPs met in the banks of all workers of a test run: each bank writes a file into a shared folder when it is closed. The
 * reporters of jest and vitest use it.
 */
export class CoverageReporter {
  readonly #options: CoverageReporterOptions;
  #folder: string | null = null;

  /** Throws an Error for a wrong option. */
  constructor(options: CoverageReporterOptions = {}) {
    const unknown = Object.keys(options).find((name) => !names.includes(name));
    if (unknown !== undefined) throw new Error(`the reporter has no option ${unknown}: it has ${names.join(', ')}`);
    const { html = '', min = 0, for: area = 'pisp' } = options;
    if (typeof html !== 'string') throw new Error('the option html of the reporter is the path of a file');
    if (!(min >= 0 && min <= 100)) throw new Error('the option min of the reporter is a percentage from 0 to 100');
    if (area !== 'pisp' && area !== 'aisp') throw new Error('the option for of the reporter is pisp or aisp');
    this.#options = options;
  }

  /** Call before the workers start: they inherit the environment. */
  start(): void {
    if (this.#folder !== null) return;
    this.#folder = mkdtempSync(join(tmpdir(), 'sandbank-coverage-'));
    shareCoverageFolder(this.#folder);
  }

  /** After the last test: prints the report, writes the page, removes the folder. Returns why the run fails; null: it does not. */
  finish(print: (line: string) => void): string | null {
    if (this.#folder === null) return null;
    const folder = this.#folder;
    this.#folder = null;
    shareCoverageFolder(null);
    const banks = takeFrom(folder);
    const { html, min = null, for: area } = this.#options;
    const all = joinReports(banks).filter((each) => area === undefined || each.area === null || each.area === area);
    if (banks.length === 0) {
      print(
        'Sandbank coverage: no bank was closed in this run. bank.close() in afterAll hands over what was met in it.',
      );
      return min === null ? null : 'no bank was closed, and a minimum of coverage is wanted';
    }
    // In a project, the command is that of the package.
    const lines = reportLines(all.map((each) => ({ ...each, how: `npx ${each.how}` })));
    for (const line of ['', `Sandbank coverage of ${banks.length} ${banks.length === 1 ? 'bank' : 'banks'}:`, ...lines])
      print(line);
    const below = belowMinimum(all, min);
    if (html === undefined) return below;
    try {
      writeFileSync(html, reportPage(all));
    } catch (error) {
      const unwritten = `the page ${html} cannot be written (${messageOf(error)})`;
      return below === null ? unwritten : `${below}; ${unwritten}`;
    }
    print(`The same as a page: ${html}`);
    return below;
  }
}

/** Reads the files of the banks and removes the folder. Incomplete files of killed workers have another name. */
function takeFrom(folder: string): (readonly Written[])[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as readonly Written[]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
