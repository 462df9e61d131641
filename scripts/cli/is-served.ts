/** Time limit for a server to answer, in ms. */
const patience = 2_000;

/** Whether a Sandbank answers, ready or not. */
export async function isServed(address: string): Promise<boolean> {
  try {
    const answer = await fetch(`${address}/ready`, { signal: AbortSignal.timeout(patience) });
    const body: unknown = await answer.json();
    return typeof body === 'object' && body !== null && 'status' in body;
  } catch {
    return false;
  }
}
