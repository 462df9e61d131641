import { flagsAgain } from '../cli/bank-address.ts';
import { WrongUse } from '../cli/command.ts';
import { columns, printAnswer } from '../cli/output.ts';
import { serverCommand, type ServerCall } from '../cli/server-command.ts';

/** `/sandbox/life` of a server. */
export const life = serverCommand({
  name: 'life',
  summary: 'Lets somebody live on an account: salary, rent, purchases. Without flags it lists the lives of the bank.',
  flags: {
    '--persona <NAME|PATH>':
      'Who: student, family, pensioner, short-of-funds, shop, or the path of a JSON file of your own.',
    '--account <NUMBER>': 'The account, a BBAN or an IBAN.',
    '--shared <NUMBER>': 'In place of --account: the shared account of a household. Its other accounts are made.',
    '--months <N>': 'Months of past, 1 to 120 [12].',
    '--seed <TEXT>': 'The seed of all choices: the same seed gives the same life [sandbank].',
    '--preview <NAME|PATH>': 'Prints two months of a persona and their sums, without a bank.',
    '--end': 'Ends the life of --account. What is booked stays.',
  },
  notes: [
    'The account keeps its balance of today, or gets enough to pay the bills of 40 days. Later events happen as the bank clock moves: docs/life.md.',
  ],
  examples: [
    'sandbank life --persona family --shared 09232911044',
    'sandbank life',
    'sandbank life --account 09232911044 --end',
    'sandbank life --persona family --account 09232911044 --months 12',
  ],
  run: async (call) => {
    const { given } = call;
    const shown = given.text('preview');
    if (shown !== undefined) return preview(call, shown, given.text('seed') ?? 'sandbank');
    const [persona, shared] = [given.text('persona'), given.text('shared')];
    const account = given.text('account') ?? shared;
    if (shared !== undefined && given.has('account')) throw new WrongUse('Give --account or --shared, not both');
    if (!given.has('end') && persona === undefined && account === undefined) return list(call);
    if (account === undefined) throw new WrongUse('--account is missing');
    if (given.has('end')) return end(call, account);
    if (persona === undefined) throw new WrongUse('--persona is missing');
    const months = given.text('months');
    const body = {
      ...(shared === undefined ? { account } : { accounts: { shared } }),
      persona: await personaFor(persona),
      months: /^\d+$/.test(months ?? '') ? Number(months) : months,
      seed: given.text('seed'),
    };
    const answer = await call.client.ask('POST /life', 'account', { body });
    printAnswer(call, answer, (told) => [
      ...(told.household ?? [told]).map(({ account: number, role }) =>
        [`${number}: ${told.persona}, since ${told.from}`, ...(role === null ? [] : [role])].join(', '),
      ),
      `Then: ${given.program} advance P14D${flagsAgain(given, 'port', 'host', 'bank')}`,
    ]);
  },
});

/** A path is read here, as a server takes none; a name is known to the server. */
async function personaFor(nameOrPath: string): Promise<string | object> {
  if (/^[\w-]+$/.test(nameOrPath)) return nameOrPath;
  const { loadPersona } = await import('../../api/start/fixtures.ts');
  return loadPersona(nameOrPath);
}

/** January and February 2027, so that every day prints the same. */
async function preview({ given, terminal }: ServerCall, nameOrPath: string, seed: string): Promise<void> {
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
  if (given.has('json')) return terminal.print(JSON.stringify({ booked, months }, null, 2));
  const sums = months.map((one) => [one.month, ...[one.income, one.spending, one.left].map((sum) => sum.padStart(11))]);
  const printed = [
    ...columns(lines.map(([date, amount, text]) => [date, amount.padStart(11), text])),
    '',
    ...columns([['Month', ...['income', 'spending', 'left'].map((name) => name.padStart(11))], ...sums]),
  ];
  for (const line of printed) terminal.print(line);
}

async function list(call: ServerCall): Promise<void> {
  const answer = await call.client.ask('GET /life', 'lives');
  printAnswer(call, answer, ({ lives }) =>
    lives.length === 0
      ? ['No account has a life.']
      : columns(
          lives.map(({ account, persona, role, seed, from }) => [
            account,
            role === null ? persona : `${persona}, ${role}`,
            `since ${from}`,
            `seed ${seed}`,
          ]),
        ),
  );
}

async function end(call: ServerCall, account: string): Promise<void> {
  const answer = await call.client.ask('DELETE /life/:number', 'removed', { params: { number: account } });
  printAnswer(call, answer, () => [`The life of ${account} has ended.`]);
}
