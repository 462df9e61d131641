import { type Instant, parseInstant } from '../../engine/values/instant.ts';
import { isLoopback } from '../../api/pipeline/addresses.ts';
import type { Arguments } from './arguments.ts';
import { clientOf, NothingAnswers } from './control-plane-client.ts';

/** How long an answer may take, in ms: a bank that is no Sandbank may have none. */
const answerTimeoutMs = 5_000;

/**
 * Tells the clock of a Sandbank with `--follow-clock`, by which it judges Date and certificates (rules.md T1c); null
 * for any other bank, which judges by the wall clock. A bank is asked once which of them it is, and no address gets the
 * control token but one of this machine, or of the settings (`isOfSettings`).
 */
export function bankClockOf(given: Arguments, isOfSettings: boolean): (url: URL) => Promise<Instant | null> {
  const others = new Set<string>();
  return async (url) => {
    const client = clientOf(given, url);
    const isTrusted = isOfSettings || isLoopback(url.origin) || given.config().controlToken === null;
    if (!isTrusted || others.has(client.address)) return null;
    const signal = AbortSignal.timeout(answerTimeoutMs);
    try {
      const { configuration, clock } = await client.ask('GET /info', 'configuration', { signal });
      if (configuration.followClock) return parseInstant(clock.now);
      others.add(client.address);
    } catch (error) {
      // Where nothing answers, the request itself tells so, and the next one asks again.
      if (!(error instanceof NothingAnswers) || signal.aborted) others.add(client.address);
    }
    return null;
  };
}
