import { runInNewContext } from 'node:vm';

/** Maximum time of a match, in ms. */
const longestMatch = 1_000;

/** A pattern that took too long. */
export class PatternGivenUp extends Error {
  constructor(pattern: string) {
    super(`the pattern /${pattern}/ was given up after a second: it tries too many ways to match`);
  }
}

/**
 * The match of a scenario's pattern in a text, or null. Throws a PatternGivenUp after a second, and a SyntaxError for an invalid
 * pattern. Blocks the thread meanwhile.
 */
export function boundedMatch(pattern: string, text: string): readonly (string | undefined)[] | null {
  try {
    const found: unknown = runInNewContext(
      'new RegExp(pattern).exec(text)',
      { pattern, text },
      { timeout: longestMatch },
    );
    return found === null ? null : Array.from(found as ArrayLike<string | undefined>);
  } catch (error) {
    const { code, name, message } = Object(error) as { code?: unknown; name?: unknown; message?: unknown };
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new PatternGivenUp(pattern);
    // An error of the other context is no instance of this context's Error.
    if (name === 'SyntaxError') throw new SyntaxError(String(message));
    throw error;
  }
}
