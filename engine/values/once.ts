/**
 * A function that does the work when it is first called, and gives every caller its result. A failure is not kept: the
 * next call tries again.
 */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | null = null;
  return () => {
    result ??= work().catch((error: unknown) => {
      result = null;
      throw error;
    });
    return result;
  };
}
