import type { Bank } from '../../engine/open-bank.ts';
import { type Quirk, type QuirkEntry, quirkNames, type Quirks, quirks } from '../../engine/bank/rules/quirk.ts';
import type { Contract, Moment } from './contract.ts';
import type { Shaping } from '../pipeline/shaping.ts';
import type { QuirkFile } from './quirk-file.ts';

/** A quirk whole: its entry in the engine and its file. */
export interface WholeQuirk extends QuirkEntry, QuirkFile {
  readonly name: Quirk;
  /** What it changes, in one sentence, with the rule. */
  readonly effect: string;
  readonly register: readonly number[];
  readonly banks: readonly string[];
}

/** All quirks, in the order of the table. It loads every file. */
export function allQuirks(): Promise<readonly WholeQuirk[]> {
  return Promise.all(
    quirkNames.map(async (name) => {
      const [entry, quirk] = [quirks[name], await fileOf(name)];
      const register = Object.values(quirk.lines ?? {}).flatMap(({ seen }) => seen.register);
      return { banks: [], register, ...entry, ...quirk, name, effect: `${quirk.does} (rules.md ${entry.rule}).` };
    }),
  );
}

/** The file of a quirk, which has its name. */
async function fileOf(name: Quirk): Promise<QuirkFile> {
  return ((await import(`./${name}.ts`)) as { readonly quirk: QuirkFile }).quirk;
}

/**
 * The steps in which an answer is shaped (rules.md Q2): a text has its form before it loses its date, and a pending
 * transaction has all its members before it is cut. Ids are replaced after all that look at an id of the ledger.
 */
const steps = ['texts', 'members', 'pending', 'ids'] as const satisfies readonly QuirkFile['step'][];

/** The quirks in the order in which they act. */
function ordered<Each extends Pick<QuirkFile, 'step'>>(files: readonly Each[]): readonly Each[] {
  return steps.flatMap((step) => files.filter((quirk) => (quirk.step ?? 'members') === step));
}

/** The API document under these quirks (rules.md E10). `moment`: null, for any time. */
export async function shapedBy(on: Quirks, document: Contract, moment: Moment | null): Promise<Contract> {
  const files = await Promise.all(
    quirkNames.filter((name) => on.has(name)).map(async (name) => ({ ...(await fileOf(name)), value: on.get(name) })),
  );
  return ordered(files).reduce((shaped, { shape, value }) => {
    // A quirk that is on has a value of its own form.
    return shape === 'values' ? shaped : shape(shaped, value as never, moment);
  }, document);
}

/** What the quirks that are on now change in requests and answers. */
export async function quirkShaping(bank: Bank): Promise<Shaping> {
  const { quirks: chosen } = bank;
  const inOrder = ordered(await Promise.all(quirkNames.filter((name) => chosen.has(name)).map(fileOf)));
  // Two quirks can share what they show, and then read it back alike.
  const shows = new Set(inOrder.flatMap(({ show = [] }) => show));
  const reading = [...new Set(inOrder.flatMap(({ read = [] }) => read))].toReversed();
  const shown: Shaping['show'] = async (original, call) => {
    // Quirks show what is in a body.
    if (original.body === undefined) return original;
    const context = { bank, quirks: chosen, call };
    let answer = original;
    for (const show of shows) answer = await show(answer, context);
    return answer;
  };
  return {
    quirks: chosen,
    read: async (asked, from) => {
      let read = asked;
      for (const step of reading) read = await step(read, { ...from, bank, quirks: chosen });
      return read;
    },
    show: shows.size === 0 ? null : shown,
  };
}
