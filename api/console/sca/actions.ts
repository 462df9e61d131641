import { scaFinished } from '../../control/finish-sca.ts';
import { consoleAction } from '../console-view.ts';
import { clip } from '../../../engine/values/text.ts';

const call = '/sca/:scaId';

/** The PSU approves. The field `who` is of {@link signerValue}; `accounts` are separated by commas. */
export const approveSca = consoleAction({
  path: `${call}/approve`,
  method: 'POST',
  call,
  answer: scaFinished,
  body: (fields) => {
    const [psu = '', context = '', agreement] = (fields.get('who') ?? '').split(' ');
    const accounts = fields
      .get('accounts')
      ?.split(/[\s,]+/)
      .filter((each) => each !== '');
    return {
      outcome: 'approve',
      psu,
      context,
      ...(agreement !== undefined && { agreement }),
      ...(accounts !== undefined && { accounts }),
    };
  },
  done: ({ redirect }) => ({ text: cameBack('Approved.', redirect), to: '/sca' }),
});

/** The SCA ends without an approval. */
export const endSca = consoleAction({
  path: `${call}/end`,
  method: 'POST',
  call,
  answer: scaFinished,
  body: (fields) => ({ outcome: fields.get('outcome') }),
  done: ({ redirect }) => ({ text: cameBack('Ended.', redirect), to: '/sca' }),
});

/** Who approves and as what, in one value of a field: `13039319955 PRIVATE`, `13039319955 CORPORATE AGREEMENT-ID`. */
export function signerValue(psu: string, agreement: string | null): string {
  return agreement === null ? `${psu} PRIVATE` : `${psu} CORPORATE ${agreement}`;
}

/** What the browser of the PSU carries back to the TPP. */
function cameBack(done: string, redirect: string): string {
  const { searchParams } = new URL(redirect);
  const code = searchParams.get('code');
  const way = `The browser of the PSU goes back to ${clip(redirect, 300)}`;
  return code === null ? `${done} ${way}` : `${code}: ${searchParams.get('message') ?? 'it was not approved'}. ${way}`;
}

export const scaActions = [approveSca, endSca];
