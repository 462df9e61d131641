import { parseDuration } from '../../engine/values/duration.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { formatInstant, parseInstant } from '../../engine/values/instant.ts';
import { commonInstant, type Target } from '../hosting/one-clock.ts';
import { BankError } from './bank-error.ts';
import { instantGiven, wrongGiven } from './given.ts';
import type { BankInstant, PlatformBank, PlatformMoved } from './types.ts';

const wanted = 'a date, an instant or a duration such as P3D';

/** Moves the clocks of the banks of a test to one instant, as `POST /platform/clock/advance` does. Throws a BankError as it refuses. */
export function advanceAll(banks: readonly PlatformBank[], given: BankInstant): Promise<PlatformMoved> {
  const text = instantGiven('platform.advance', wanted, given);
  const by = parseDuration(text);
  const to = parseInstant(text);
  if (by !== null) return moveAll(banks, { by });
  if (to !== null) return moveAll(banks, { to });
  throw wrongGiven('platform.advance', wanted, given);
}

/** Stops the clocks, all at the instant of the one that is furthest ahead. */
export async function freezeAll(banks: readonly PlatformBank[]): Promise<PlatformMoved> {
  for (const { clock } of banks) await clock.set({ mode: 'frozen' });
  return moveAll(banks, {});
}

async function moveAll(banks: readonly PlatformBank[], target: Target): Promise<PlatformMoved> {
  const readings = await Promise.all(
    banks.map(async ({ profile: { id }, clock }) => {
      const now = parseInstant(await clock.now());
      return now === null ? [] : [{ id, now }];
    }),
  );
  const to = formatInstant(instantFor(readings.flat(), target));
  const moved: PlatformMoved['banks'][number][] = [];
  for (const { profile, clock } of banks) {
    const { from, to: reached, runs, skippedEmptyRuns } = await clock.advance(to);
    moved.push({ id: profile.id, asked: true, from, to: reached, runs, skippedEmptyRuns });
  }
  return { to, banks: moved };
}

function instantFor(...given: Parameters<typeof commonInstant>): ReturnType<typeof commonInstant> {
  try {
    return commonInstant(...given);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, text } = error.faults[0];
    throw new BankError(text, { status: code === 'CONFLICT' ? 409 : 400, code });
  }
}
