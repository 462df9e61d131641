import { describe, expect, test } from '@jest/globals';
import { choiceOf, isProblem, noQuirks, quirksJson, quirkTexts, switched } from '../../engine/bank/rules/quirk.ts';
import { allQuirks } from '../../api/quirks/index.ts';
import { chooseQuirks } from '../../api/start/setting-forms.ts';

/* rules.md Q1: quirks with values. */

/** The quirks of a list as texts; or the sentence of its refusal. */
function chosen(list: string): string[] | string {
  const result = chooseQuirks(noQuirks, choiceOf(list));
  return 'problem' in result ? result.problem : quirkTexts(result);
}

describe('a list of quirks', () => {
  test.each([
    ['', []],
    ['plain-json', ['plain-json']],
    [' plain-json , signature-401 ', ['signature-401', 'plain-json']],
    ['reissued-ids', ['reissued-ids=P60D']],
    ['reissued-ids=P1W', ['reissued-ids=P7D']],
    ['reissued-ids=PT90M', ['reissued-ids=PT90M']],
    ['rewritten-texts=PT36H', ['rewritten-texts=PT36H']],
    ['id-lengths', ['id-lengths=transaction:241/payment:69/resource:49/unpadded']],
    ['id-lengths=unpadded/payment:69', ['id-lengths=payment:69/unpadded']],
    [
      'accept-fix-dates=longer-names:P30D',
      ['accept-fix-dates=card-amounts:2024-11-13/longer-names:P30D/amount-as-string:2020-08-01'],
    ],
    [
      'accept-fix-dates=longer-names:2027-01-31',
      ['accept-fix-dates=card-amounts:2024-11-13/longer-names:2027-01-31/amount-as-string:2020-08-01'],
    ],
    ['pending-dates=booking,order', ['pending-dates=booking', 'order=posting']],
  ])('%s', (list, texts) => {
    expect(chosen(list)).toEqual(texts);
    // What is written is read back as the same.
    expect(chosen(texts.join(','))).toEqual(texts);
  });

  test.each([
    ['plain-jsn', 'there is no quirk plain-jsn; the nearest is plain-json'],
    ['zzz', /^there is no quirk zzz; there are status-before-approval, december-month, /],
    ['a\u0007b', /^there is no quirk "a\\u0007b"/],
    ['plain-json=yes', 'plain-json: it takes no value'],
    ['pending-dates=boking', 'pending-dates: expected none|booking|both; the nearest is booking'],
    ['pending-dates=', 'pending-dates: expected none|booking|both'],
    ['reissued-ids=P7', 'reissued-ids: expected P60D|session, a duration of PT1H to P3650D'],
    ['reissued-ids=PT1M', /a duration of PT1H to P3650D/],
    ['reissued-ids=P1M', /a duration of PT1H to P3650D/],
    ['reissued-ids=sesion', /; the nearest is session$/],
    [
      'id-lengths=transaction:28',
      /lengths up to 512 characters, at least 29 for transaction, 49 for payment, 49 for res/,
    ],
    ['id-lengths=payment:48', /at least 29 for transaction, 49 for payment/],
    ['id-lengths=transaction:241/transaction:69', /each part at most once/],
    ['id-lengths=transaction:2e2', /lengths up to 512 characters/],
    ['id-lengths=resource:513', /lengths up to 512 characters/],
    ['pending-dates=both,pending-dates=none', 'pending-dates is named twice, with two values: name it once'],
    ['-order,order', 'order is named twice, with two values: name it once'],
    ['order,-order', 'order is named twice, with two values: name it once'],
    ['pending-filtered,pending-dates=none', /^pending-dates=none does not go with pending-filtered: /],
  ])('%s is refused', (list, sentence) => {
    const said = chosen(list);
    if (typeof sentence === 'string') expect(said).toBe(sentence);
    else expect(said).toMatch(sentence);
  });
});

test('what is on stays on, unless it is switched off', () => {
  const first = switched(noQuirks, choiceOf('plain-json,reissued-ids=P7D'));
  if (isProblem(first)) throw new Error(first.problem);
  const then = switched(first, Object.entries({ 'plain-json': false, 'bank-codes': 'iso' }));
  if (isProblem(then)) throw new Error(then.problem);
  expect(quirksJson(then)).toEqual({ 'reissued-ids': 'P7D', 'bank-codes': 'iso' });
  expect(quirksJson(first)).toEqual({ 'plain-json': true, 'reissued-ids': 'P7D' });
});

test('values are typed', () => {
  const on = switched(noQuirks, choiceOf('reissued-ids=P7D,id-lengths=payment:69,plain-json'));
  if (isProblem(on)) throw new Error(on.problem);
  const span: number | 'session' | undefined = on.get('reissued-ids');
  expect([span, on.get('id-lengths'), on.get('plain-json'), on.get('order')]).toEqual([
    7 * 24 * 3_600_000,
    { payment: 69, isPadded: true },
    true,
    undefined,
  ]);
});

const whole = await allQuirks();

test.each(whole)(
  '$name: its usual value is one, its effect names its rule, its lines are of the register',
  ({ effect, rule, value, register }) => {
    expect(effect).toContain(`(rules.md ${rule})`);
    const usual = value?.read(value.usual);
    expect(usual?.ok).not.toBe(false);
    if (usual?.ok === true) expect(value?.write(usual.value)).toBe(value?.usual);
    for (const line of register) expect(line).toBeLessThanOrEqual(70);
  },
);

test('the first seven quirks are switches without a value, as they were', () => {
  const seven = whole.slice(0, 7);
  expect(seven.filter(({ value, show }) => value !== undefined || show !== undefined)).toEqual([]);
  expect(seven.map(({ name }) => name)).toEqual([
    'status-before-approval',
    'december-month',
    'bban-mod11',
    'pending-filtered',
    'signature-401',
    'strict-signing',
    'lenient-headers',
  ]);
});
