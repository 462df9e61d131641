import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { answerLines } from '../../scripts/cli/answer-lines.ts';
import { makeCallForms } from '../../scripts/cli/make-call-forms.ts';
import { optionsOf } from '../../scripts/cli/arguments.ts';
import { commands } from '../../scripts/commands/index.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');

test('the kept forms of calls are those of the control document: npm run generate', () => {
  const forms = makeCallForms();
  expect(Object.keys(forms)).toContain('GET /payments');
  expect(JSON.parse(readFileSync('scripts/cli/call-forms.json', 'utf8'))).toEqual(forms);
});

test('a plain command has a flag for each parameter, with the words of the document', async () => {
  const payments = await commands.get('payments')?.();
  const { paths, components } = (await bank.control('GET', '/sandbox/openapi.json')).body;
  const parameters: { name: string }[] = paths['/sandbox/payments'].get.parameters.map(
    ({ $ref }: { $ref: string }) => components.parameters[$ref.split('/').at(-1) ?? ''],
  );
  const flags = optionsOf(payments?.flags ?? {}).map((option) => option.name());
  expect(flags.slice(0, parameters.length)).toEqual(parameters.map(({ name }) => name));
  expect(payments?.flags['--account <VALUE>']).toBe('The debtor or a creditor: a BBAN or an IBAN.');
  expect(payments?.flags['--service <VALUE>']).toContain('One of payments, periodic-payments, bulk-payments.');
});

test('a value of a list is understood in any letter case; a file is sent as JSON', async () => {
  const env = { BANK: bank.address };
  expect(await runMain(['payments', '--status', 'rjct'], { env })).toMatchObject({
    code: 0,
    lines: ['Total  0', 'Payments: none'],
  });
  const persona = 'fixtures/personas/student.json';
  const args = ['life', 'begin', '--persona', persona, '--account', '09232911044', '--months', '1'];
  expect((await runMain(args, { env })).lines).toContain('Persona  student');
  expect(await runMain(['life', 'begin', '--persona', './nofile.json', '--account', '1'], { env })).toMatchObject({
    code: 2,
    errors: [expect.stringContaining('--persona ./nofile.json cannot be read: there is no such file or folder')],
  });
  expect((await runMain(['life', 'begin', '--account', '1'], { env })).errors[0]).toContain('--persona is missing');
});

test('an answer is printed by its members, then its objects, then its lists', () => {
  const answer = {
    name: 'x',
    hasToken: false,
    gone: null,
    booked: { amount: '1.00', currency: 'NOK' },
    clock: { now: '2027', mode: 'frozen', rate: 1 },
    tags: ['a', 'b'],
    rows: [{ id: 1, amount: { amount: '2.00', currency: 'NOK' }, note: null }],
    none: [],
  };
  expect(answerLines(answer, {})).toEqual([
    'Name       x',
    'Has token  false',
    'Booked     1.00 NOK',
    'Tags       a, b',
    'Clock',
    '  Now   2027',
    '  Mode  frozen',
    '  Rate  1',
    'Rows: 1',
    '  Id  Amount',
    '  1   2.00 NOK',
    'None: none',
  ]);
});
