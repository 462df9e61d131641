import { answerLines } from '../cli/answer-lines.ts';
import { printAnswer } from '../cli/output.ts';
import { commandOfVerbs, passOn } from '../cli/plain-command.ts';
import type { ServerCall } from '../cli/server-command.ts';

/** `/sandbox/life` of a server. */
export const life = commandOfVerbs(
  {
    name: 'life',
    summary: 'Lets somebody live on an account: salary, rent, purchases.',
    notes: [
      'A persona is student, family, pensioner, short-of-funds, shop, or the path of a JSON file of your own. docs/life.md explains what happens.',
    ],
    examples: [
      'sandbank life begin --persona family --shared 09232911044',
      'sandbank life list',
      'sandbank life end 09232911044',
      'sandbank life begin --persona family --account 09232911044 --months 12',
    ],
  },
  {
    list: passOn('GET /life'),
    begin: passOn('POST /life', {
      flags: { persona: 'persona', account: 'account', 'accounts.shared': 'shared', months: 'months', seed: 'seed' },
    }),
    end: passOn('DELETE /life/:number', { words: { number: 'NUMBER' } }),
    preview: {
      summary: 'Print two months of a persona and their sums, without a bank.',
      words: ['PERSONA'],
      flags: { '--seed <VALUE>': 'What all choices follow from; sandbank when left out.' },
      run: preview,
    },
  },
);

/** January and February 2027, so that every day prints the same. */
async function preview(call: ServerCall, [nameOrPath = '']: readonly string[]): Promise<void> {
  const seed = call.given.text('seed') ?? 'sandbank';
  const { loadPersona } = await import('../../api/start/fixtures.ts');
  const { monthsOfPreview, previewOf } = await import('../../engine/life/preview.ts');
  const { norwegianCalendar } = await import('../../engine/time/norwegian-calendar.ts');
  const { defaultSettlementTimes, runSchedule } = await import('../../engine/time/rules/settlement-run.ts');
  const { localDate } = await import('../../engine/values/local-date.ts');
  const days = { from: localDate('2027-01-01'), to: localDate('2027-02-28'), seed };
  const lines = previewOf(
    await loadPersona(nameOrPath),
    days,
    runSchedule(defaultSettlementTimes, norwegianCalendar()),
  );
  const booked = lines.map(([date, amount, text]) => ({ date, amount, text }));
  const months = monthsOfPreview(lines);
  printAnswer(call, { booked, months }, (told) => answerLines(told, {}));
}
