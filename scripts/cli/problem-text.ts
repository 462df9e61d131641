/** How many allowed values are printed. */
const mostShown = 12;

/**
 * A refusal as text. Of the control plane (application/problem+json): the detail, and a second line with what is allowed. Of the
 * interface (tppMessages): a line for each message. Null if the answer is neither.
 */
export function problemText(answer: unknown, status?: number): string | null {
  if (typeof answer !== 'object' || answer === null) return null;
  if ('tppMessages' in answer && Array.isArray(answer.tppMessages)) return messagesText(answer.tppMessages, status);
  if (!('detail' in answer) || typeof answer.detail !== 'string') return null;
  const told = 'status' in answer && typeof answer.status === 'number' ? ` (${answer.status})` : '';
  const allowed = 'allowed' in answer ? allowedText(answer.allowed) : null;
  const line = `refused${told}: ${answer.detail}`;
  return allowed === null ? line : `${line}\nallowed: ${allowed}`;
}

/** `refused (400 FORMAT_ERROR): ...` for each message; null when there is none. */
function messagesText(messages: readonly unknown[], status?: number): string | null {
  const lines = messages.flatMap((message) => {
    if (typeof message !== 'object' || message === null) return [];
    const { code, text = '' } = message as { readonly code?: unknown; readonly text?: unknown };
    return [`refused (${[status, code].filter((part) => part !== undefined).join(' ')}): ${String(text)}`];
  });
  return lines.length === 0 ? null : lines.join('\n');
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
