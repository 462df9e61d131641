import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { runMain } from '../support/recorded-terminal.ts';

/** What the blocks of a page printed, in their order. */
export interface PageRun {
  readonly printed: readonly string[];
  /** Calls of curl that the bank refused or that reached nobody. */
  readonly refused: readonly string[];
  /** Null when every block ran; else what the last one said. */
  readonly failure: string | null;
}

/** Its path; empty: the machine has none. */
const curl = execFileSync('sh', ['-c', 'command -v curl || true'], { encoding: 'utf8' }).trim();
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

/**
 * The shell in which a page's blocks run, in a folder of its own. A `sandbank`, `npx --no sandbank`, `docker exec IMAGE sandbank` and
 * `npm run` in it is carried out by this process: a process for each would take seconds of a page's test.
 */
export class PageShell {
  private readonly folder = mkdtempSync(join(tmpdir(), 'sandbank-page-'));
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      void this.carryOut(request).then(({ code, text }) => {
        response.statusCode = code === 0 ? 200 : 500;
        response.end(text);
      });
    });
  }

  static async open(): Promise<PageShell> {
    const shell = new PageShell();
    shell.server.listen(0, '127.0.0.1');
    await once(shell.server, 'listening');
    for (const name of ['npm', 'npx', 'docker', 'sandbank']) shell.write(name, shell.messenger(name));
    shell.write('curl', reportingCurl(shell.folder));
    return shell;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
    rmSync(this.folder, { recursive: true });
  }

  /** Runs the blocks one after the other in one shell; the first that fails ends it. */
  async run(blocks: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<PageRun> {
    const mark = '@@ next block @@';
    this.write('refused', '');
    const script = blocks.join(`\necho; echo '${mark}'\n`);
    const { stdout, stderr, failed } = await new Promise<{ stdout: string; stderr: string; failed: boolean }>(
      (resolve) => {
        const path = `${this.folder}:${process.env['PATH']}`;
        execFile(
          'sh',
          ['-eu', '-c', script],
          { cwd: this.folder, env: { ...process.env, ...env, PATH: path } },
          (error, out, err) => resolve({ stdout: out, stderr: err, failed: error !== null }),
        );
      },
    );
    const printed = stdout.split(`\n${mark}\n`);
    const refused = readFileSync(join(this.folder, 'refused'), 'utf8').split('\n').filter(Boolean);
    return { printed, refused, failure: failed ? `${printed.at(-1)}\n${stderr}` : null };
  }

  private write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
    chmodSync(join(this.folder, name), 0o755);
  }

  /** A program that sends its words here, one a line. */
  private messenger(name: string): string {
    const { port } = this.server.address() as AddressInfo;
    return `#!/bin/sh
for word in ${name} "$@"; do printf '%s\\0' "$word"; done |
  ${curl} -sS --fail-with-body -H "bank: \${BANK:-}" --data-binary @- http://127.0.0.1:${port} || exit 1
`;
  }

  private async carryOut(request: IncomingMessage): Promise<{ code: number; text: string }> {
    const words = (await buffer(request)).toString().split('\0').slice(0, -1);
    // The clone in which this runs has been installed so.
    if (words.join(' ') === 'npm ci') return { code: 0, text: '' };
    const args = commandOf(words);
    if (args === null) return { code: 1, text: `this test runs no: ${words.join(' ')}\n` };
    const bank = request.headers['bank'];
    const here = process.cwd();
    process.chdir(this.folder);
    try {
      const env = typeof bank === 'string' && bank !== '' ? { BANK: bank } : {};
      const { code, lines, errors } = await runMain(args, { env });
      return { code, text: [...lines, ...(code === 0 ? [] : errors), ''].join('\n') };
    } finally {
      process.chdir(here);
    }
  }
}

/** The words of `sandbank` in a command line; null: it is none of its. */
function commandOf([program, ...words]: readonly string[]): readonly string[] | null {
  if (program === 'sandbank') return words;
  if (program === 'npx') return words[0] === '--no' && words[1] === 'sandbank' ? words.slice(2) : null;
  if (program === 'docker') return words[0] === 'exec' && words[2] === 'sandbank' ? words.slice(3) : null;
  const [run, script = '', ...rest] = words.filter((word) => word !== '-s');
  const [node, file = '', ...first] = (scripts[script] ?? '').split(' ');
  if (run !== 'run' || node !== 'node' || file !== 'scripts/sandbank.js') return null;
  return [...first, ...(rest[0] === '--' ? rest.slice(1) : rest)];
}

/** curl, which also writes down each call that did not succeed. */
function reportingCurl(folder: string): string {
  return `#!/bin/sh
${curl} --fail-with-body "$@" || { echo "$*" >>'${folder}/refused'; }
`;
}
