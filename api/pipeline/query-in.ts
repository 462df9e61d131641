/** The query of a request target: all that follows its first `?`. */
export function queryIn(target: string): URLSearchParams {
  const start = target.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : target.slice(start + 1));
}
