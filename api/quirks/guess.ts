/** A recorded exchange and how its answer differs from ours, as far as guesses need it (scripts/drift). */
export interface Compared {
  /** `at`: ms since 1970. */
  readonly exchange: { readonly at: number };
  readonly differences: readonly {
    readonly kind: string;
    readonly path: string;
    readonly recorded: unknown;
    readonly expected: unknown;
  }[];
}

/** What `sandbank drift` guesses a quirk from. */
export interface Guess {
  /**
   * Fits the differences that it may explain, each as kind, path and endpoint, of a refusal its code and path too:
   * `form transactions.booked[].transactionId /accounts/...`. A `.*` after another `.*` costs the square of a long path;
   * `(?=.*accounts).*CONSENT_` costs its length.
   */
  readonly sign: RegExp;
  /** The values to try, the likeliest first. Left out: the words that it takes, or the quirk without a value. */
  readonly values?: readonly string[] | ((all: readonly Compared[]) => readonly string[]);
  /** Whether this value explains the difference. Left out: it does where the sign fits. */
  readonly fits?: (difference: Compared['differences'][number], value: string) => boolean;
}

const day = 86_400_000;

/** The longest first: if several explain a recording equally well, the first is reported. */
const usualSpans = { P90D: 90 * day, P60D: 60 * day, P30D: 30 * day, P7D: 7 * day, P1D: day, PT1H: 3_600_000 };

/** Times that the recording has room for. */
export function spans(all: readonly Compared[]): readonly string[] {
  const longestMs = lengthOf(all) + day;
  return Object.entries(usualSpans).flatMap(([text, ms]) => (ms <= longestMs ? [text] : []));
}

/** The days after which a consent had lapsed, and the numbers that banks have. */
export function days(all: readonly Compared[]): readonly string[] {
  const recordedDays = Math.floor(lengthOf(all) / day);
  return ['90', '30', '60', '120', String(recordedDays - 1), '1'].filter(
    (text) => Number(text) >= 1 && Number(text) <= Math.min(180, recordedDays),
  );
}

/** From the first exchange to the last, in ms. */
function lengthOf(all: readonly Compared[]): number {
  return (all.at(-1)?.exchange.at ?? 0) - (all[0]?.exchange.at ?? 0);
}
