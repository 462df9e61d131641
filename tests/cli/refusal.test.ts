import { expect, test } from '@jest/globals';
import { refusal } from '../../scripts/cli/refusal.ts';

const many = Array.from({ length: 20 }, (_, index) => `bank-${index}`);

test.each([
  [{ status: 409, detail: 'No.' }, 'refused (409): No.'],
  [{ detail: 'No.' }, 'refused: No.'],
  [{ status: 404, detail: 'No.', allowed: ['a', 'b'] }, 'refused (404): No.\nallowed: a, b'],
  [{ status: 404, detail: 'No.', allowed: [] }, 'refused (404): No.'],
  [{ status: 400, detail: 'No.', allowed: { from: 1, to: 2 } }, 'refused (400): No.\nallowed: from 1 to 2'],
  [{ status: 404, detail: 'No.', allowed: many }, `refused (404): No.\nallowed: ${many.join(', ')}`],
  [{ status: 400, detail: 'No.', errors: [{ path: 'limit', detail: 'No.' }] }, 'refused (400): No.'],
  [
    { status: 400, detail: 'No.', errors: [{ path: 'fixtures.customers[0].name', detail: 'No.' }] },
    'refused (400): customers[0].name: No.',
  ],
  [
    {
      status: 400,
      detail: 'There are 3 faults; the first: No.',
      errors: [
        { path: 'fixtures.customers', detail: 'No.' },
        { path: 'name', detail: 'Nor this.' },
        { path: '', detail: 'At all.' },
      ],
    },
    'refused (400): customers: No.\nrefused (400): name: Nor this.\nrefused (400): At all.',
  ],
])('a problem %j is a line for each fault, and one with what is allowed', (problem, text) => {
  expect(refusal(problem)).toMatchObject({ message: text, problem });
});

test.each([[null], ['text'], [{}], [{ detail: 5 }], [{ tppMessages: [] }]])('%j is no problem', (answer) => {
  expect(refusal(answer)).toBeNull();
});

test('the messages of the interface are a line each, with the status and the code', () => {
  const tppMessages = [{ code: 'FORMAT_ERROR', text: 'No.' }, null, { code: 'CONFLICT', path: 'a' }, 'text'];
  const message = 'refused (400 FORMAT_ERROR): No.\nrefused (400 CONFLICT): ';
  expect(refusal({ tppMessages }, 400)).toMatchObject({ message, problem: { tppMessages } });
});
