/** How many allowed values are printed. */
const mostShown = 12;

/**
 * A refusal of the control plane (application/problem+json) as text: the detail, and a second line with what is allowed.
 * Null if the answer is no problem.
 */
export function problemText(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return null;
  if (!('detail' in answer) || typeof answer.detail !== 'string') return null;
  const status = 'status' in answer && typeof answer.status === 'number' ? ` (${answer.status})` : '';
  const allowed = 'allowed' in answer ? allowedText(answer.allowed) : null;
  const line = `refused${status}: ${answer.detail}`;
  return allowed === null ? line : `${line}\nallowed: ${allowed}`;
}

/** A list of choices, or bounds by name. */
function allowedText(allowed: unknown): string | null {
  if (Array.isArray(allowed)) {
    const more = allowed.length > mostShown ? ` and ${allowed.length - mostShown} more` : '';
    return allowed.length === 0 ? null : allowed.slice(0, mostShown).join(', ') + more;
  }
  if (typeof allowed !== 'object' || allowed === null) return null;
  const bounds = Object.entries(allowed).map(([name, value]) => `${name} ${String(value)}`);
  return bounds.length === 0 ? null : bounds.join(' ');
}
