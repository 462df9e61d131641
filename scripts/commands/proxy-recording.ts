import packageJson from '../../package.json' with { type: 'json' };
import { writing } from '../cli/file-input.ts';
import { counted } from '../cli/output.ts';
import type { Terminal } from '../cli/terminal.ts';
import { HarFile, type Passed } from '../drift/har-file.ts';
import { StandIns } from '../drift/stand-ins.ts';

/** The recording of `sandbank proxy --record`, from its file to the lines at its end. */
export class ProxyRecording {
  readonly #name: string;
  #file: HarFile | null = null;
  readonly #missed = new Map<string, number>();

  constructor(name: string) {
    this.#name = name;
  }

  /** Makes the file. Throws a CommandFailed where it cannot be, or is there. */
  async begin(): Promise<void> {
    const standIns = new StandIns();
    const log = { version: '1.2', creator: { name: 'sandbank proxy', version: packageJson.version } };
    this.#file = await writing(this.#name, () => new HarFile(this.#name, log, (entry) => standIns.rewritten(entry)));
  }

  /** Takes a request and its whole answer; a text: why it could not be recorded. */
  take(passed: Passed | string): void {
    const missed = typeof passed === 'string' ? passed : (this.#file?.add(passed) ?? null);
    if (missed !== null) this.#missed.set(missed, (this.#missed.get(missed) ?? 0) + 1);
  }

  /** Closes the file, and says what is in it; to standard error what is not. */
  end(terminal: Terminal, isQuiet: boolean): void {
    const recorded = this.#file?.entries ?? 0;
    this.#file?.close();
    this.#file = null;
    if (!isQuiet) terminal.out(`Recorded ${counted(recorded, 'request')} in ${this.#name}`);
    for (const [why, count] of this.#missed) terminal.error(`Not recorded, ${counted(count, 'request')}: ${why}.`);
  }
}
