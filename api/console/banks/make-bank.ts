import type { Html } from '../../pages/html.ts';
import { personaNames } from '../../start/fixtures.ts';
import { profileNames } from '../../start/profile.ts';
import type { AnswerTo } from '../../openapi/calls.ts';
import type { OwnAction, PageCall } from '../page-call.ts';
import { actionForm, given, optionsOf } from '../parts/forms.ts';
import { instantText, inWords } from '../parts/text.ts';

const path = '/banks';

/** Makes one more bank, and perhaps a life on its first account in NOK; at the root only. */
export const makeBank: OwnAction = {
  path,
  line: (_params, call) => call.curl('POST /banks', {}, { name: 'my-bank' }),
  act: async (call, fields) => {
    const quirks = fields.get('quirks')?.split(/[\s,]+/);
    const body = {
      ...given(fields, 'name', 'now', 'mode', 'fixtures', 'profile'),
      ...(quirks !== undefined && { quirks }),
    };
    const { name, clock, token } = (await call.carryOut('POST /banks', {}, body)) as AnswerTo<'POST /banks'>;
    const persona = fields.get('persona');
    const life = persona === undefined ? null : await beginLife(call, name, persona);
    const text = `The bank ${name} is there, at ${instantText(clock.now)}.${life === null ? '' : ` ${life}`}`;
    return token === undefined
      ? text
      : { text: `${text} Its token is shown this once: ${token}`, to: path, isSecret: true };
  },
};

const months = 12;

/** Starts the life of a persona on a bank's first account in NOK. Says whether it began. */
async function beginLife(call: PageCall, name: string, persona: string): Promise<string> {
  const control = `/banks/${name}/sandbox`;
  const { content: info } = await call.send('GET', `${control}/info`);
  const accounts = (info as AnswerTo<'GET /info'>).psus.flatMap((psu) => psu.accounts);
  const account = accounts.find(({ currency, bban }) => currency === 'NOK' && bban !== null)?.bban;
  if (account === undefined || account === null) return 'It has no account in NOK that a life could begin on.';
  const { status, content } = await call.send('POST', `${control}/life`, {}, { account, persona, months });
  if (status < 300) return `The account ${account} has a life: ${inWords(persona)}, with a past of ${months} months.`;
  return `No life began on the account ${account}: ${String(Object(content)['detail'])}`;
}

/** The form for a bank: its clock, its profile, who lives there, and its quirks. */
export function makeBankForm(call: PageCall): Html {
  const lives = { '': 'none', ...optionsOf(personaNames(), inWords) };
  return actionForm(call, makeBank, {
    fields: [
      { name: 'name', label: 'Name', required: true },
      { name: 'now', label: 'Its clock starts at', type: 'date' },
      { name: 'mode', label: 'Its clock', options: { '': 'as here', frozen: 'stands still', running: 'runs' } },
      {
        name: 'profile',
        label: 'Profile',
        value: call.query.get('profile') ?? '',
        options: { '': 'none', ...profileNames() },
      },
      {
        name: 'fixtures',
        label: 'People and accounts',
        options: {
          '': 'as here',
          'known-state': 'the known state',
          'a-year-of-life': 'people who have lived for a year',
          twins: 'purchases that are equal but for their ids',
        },
      },
      { name: 'persona', label: 'Life on the first account', options: lives },
      {
        name: 'quirks',
        label: 'Quirks',
        value: call.query.has('profile') ? '' : (call.query.get('quirks') ?? ''),
        hint: 'Names with commas between them, and values: pending-dates=none. Empty: as the profile has them',
        isLong: true,
      },
    ],
    button: 'Make a bank',
    tone: 'main',
  });
}
