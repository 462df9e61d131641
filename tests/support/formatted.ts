import { format } from 'oxfmt';
import options from '../../.oxfmtrc.json' with { type: 'json' };

/** A text as `npm run format` lays out a file of this name. */
export async function formatted(name: string, text: string): Promise<string> {
  return (await format(name, text, options as Parameters<typeof format>[2])).code;
}
