import { join } from 'node:path';
import type { BookSize } from './book.ts';
import { withTarget, given, type Figure } from './figure.ts';
import { makeTemplate, makeTemplateByHand, type SettlementTask } from './measure-settlement.ts';
import { runInterleaved } from './run-interleaved.ts';
import type { Measured } from './stopwatch.ts';

/** Targets: speed relative to the hand-written loop, on a file and in memory, slowdown by a full history, memory. */
const targets = { onFile: 1.5, inMemory: 1.4, withHistory: 1.2, megabytes: 250 };

/** Days in which a busy bank makes the same history. */
const busyDays = 12;

/**
 * Compares the settlement run with the hand-written loop, and with the same run on a ledger without history. `loop` is the task of
 * the loop on a file, with which others are compared.
 */
export async function settlementFigures(
  folder: string,
  scale: number,
): Promise<{ figures: Figure[]; loop: SettlementTask }> {
  const size = { accounts: 10_000 / scale, due: 100_000 / scale, history: 0 };
  const old = { ...size, history: 1_000_000 / scale };
  const busy = { ...old, historyDays: busyDays };
  const file = (name: string): string => join(folder, `${name}.sqlite`);
  const [template, byHand, oldTemplate, busyTemplate] = [file('young'), file('by-hand'), file('old'), file('busy')];
  await makeTemplate(template, size);
  makeTemplateByHand(byHand, template, size);
  await makeTemplate(oldTemplate, old);
  await makeTemplate(busyTemplate, busy);
  const on = (path: string, book: BookSize, by: SettlementTask['by'], inMemory: boolean): SettlementTask => {
    return { kind: 'settlement', by, template: path, size: book, inMemory };
  };
  const loop = on(byHand, size, 'loop', false);
  const measured = await runInterleaved({
    engine: on(template, size, 'engine', false),
    loop,
    loopOnLedger: on(template, size, 'loop', false),
    old: on(oldTemplate, old, 'engine', false),
    busy: on(busyTemplate, busy, 'engine', false),
    engineInMemory: on(template, size, 'engine', true),
    loopInMemory: on(byHand, size, 'loop', true),
  });
  const [count, booked] = [size.due, old.history].map((payments) => payments.toLocaleString('en'));
  const figures = [
    ...againstLoop(`settle ${count}, file`, size.due, [measured.engine, measured.loop, targets.onFile]),
    given(`  the loop on the ledger's own tables`, rate(size.due, measured.loopOnLedger)),
    ...againstLoop(`settle ${count}, in memory`, size.due, [
      measured.engineInMemory,
      measured.loopInMemory,
      targets.inMemory,
    ]),
    slowdown(`the same after ${booked} booked`, size.due, measured.old, measured.engine),
    memory('  its memory above the start', measured.old),
    slowdown(`the same after ${booked} in ${busyDays} days`, size.due, measured.busy, measured.engine),
    memory('  its memory above the start', measured.busy),
  ];
  return { figures, loop };
}

function againstLoop(
  what: string,
  due: number,
  [engine, loop, atLeast]: readonly [engine: Measured, loop: Measured, atLeast: number],
): Figure[] {
  const by = loop.seconds / engine.seconds;
  const formatted = { figure: rate(due, engine), ratio: `${by.toFixed(2)} of the loop` };
  return [
    withTarget(what, formatted, { by, atLeast }),
    given('  the hand-written loop', rate(due, loop)),
    memory('  its memory above the start', engine),
  ];
}

function slowdown(what: string, due: number, old: Measured, young: Measured): Figure {
  const by = old.seconds / young.seconds;
  const formatted = { figure: rate(due, old), ratio: `${by.toFixed(2)} of the time` };
  return withTarget(what, formatted, { by, atMost: targets.withHistory });
}

function memory(what: string, { megabytes }: Measured): Figure {
  return withTarget(
    what,
    { figure: `${megabytes.toFixed(0)} MB` },
    { by: megabytes, atMost: targets.megabytes, unit: ' MB' },
  );
}

function rate(due: number, { seconds }: Measured): string {
  return `${Math.round(due / seconds).toLocaleString('en')} payments/s`;
}
