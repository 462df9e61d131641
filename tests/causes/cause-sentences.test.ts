import { describe, expect, test } from '@jest/globals';
import { sentence } from '../../api/causes/cause-sentences.ts';
import { type Cause, lateRunCause, outcomeCause, type Tried } from '../../engine/settlement/rules/cause.ts';
import { creditorRefusal } from '../../engine/settlement/rules/decide-attempts.ts';
import { type ExecutionRule, movedDate } from '../../engine/time/rules/banking-calendar.ts';
import { osloInstant } from '../../engine/values/instant.ts';
import { localDate, type LocalDate } from '../../engine/values/local-date.ts';
import { calendar } from '../lab/bank.ts';

function both(cause: Cause | null): [string, string] | null {
  return cause === null ? null : [sentence(cause), sentence(cause, 'nb')];
}

describe('S11: the date', () => {
  test.each<
    [
      string,
      [wanted: string, paid: string, rule?: ExecutionRule, isSigned?: boolean, signed?: string],
      [string, string] | null,
    ]
  >([
    ['a banking day', ['2027-04-14', '2027-04-14'], null],
    [
      'P3: one holiday',
      ['2027-05-06', '2027-05-07'],
      [
        'Thu 6 May, closed: Kristi himmelfartsdag, due Fri 7 May',
        'torsdag 6. mai, stengt: Kristi himmelfartsdag, forfaller fredag 7. mai',
      ],
    ],
    [
      'a weekend',
      ['2026-11-28', '2026-11-30'],
      [
        'Sat 28 Nov, closed: weekend, due Mon 30 Nov',
        'lørdag 28. november, stengt: helg, forfaller mandag 30. november',
      ],
    ],
    [
      'a weekend and a holiday',
      ['2027-05-15', '2027-05-18'],
      [
        'Sat 15 May, closed: weekend, Første pinsedag and Grunnlovsdagen / Andre pinsedag, due Tue 18 May',
        'lørdag 15. mai, stengt: helg, Første pinsedag og Grunnlovsdagen / Andre pinsedag, forfaller tirsdag 18. mai',
      ],
    ],
    [
      'Easter: the first and the last of many',
      ['2027-03-25', '2027-03-30'],
      [
        'Thu 25 Mar, closed: Skjærtorsdag to Andre påskedag, due Tue 30 Mar',
        'torsdag 25. mars, stengt: Skjærtorsdag til Andre påskedag, forfaller tirsdag 30. mars',
      ],
    ],
    [
      'R6: preceding names what lies between',
      ['2027-03-26', '2027-03-24', 'preceding'],
      [
        'Fri 26 Mar, closed: Skjærtorsdag and Langfredag, due Wed 24 Mar (preceding)',
        'fredag 26. mars, stengt: Skjærtorsdag og Langfredag, forfaller onsdag 24. mars (bankdagen før)',
      ],
    ],
    [
      'R6: preceding, signed when that day was over',
      ['2027-03-26', '2027-03-30', 'preceding'],
      [
        'Fri 26 Mar, closed: Skjærtorsdag and Langfredag, signed too late for Wed 24 Mar, due Tue 30 Mar',
        'fredag 26. mars, stengt: Skjærtorsdag og Langfredag, signert for sent for onsdag 24. mars, forfaller tirsdag 30. mars',
      ],
    ],
    [
      'R6: the same of an unsigned order',
      ['2027-03-26', '2027-03-30', 'preceding', false],
      [
        'Fri 26 Mar, closed: Skjærtorsdag and Langfredag, no run is left on Wed 24 Mar, due Tue 30 Mar',
        'fredag 26. mars, stengt: Skjærtorsdag og Langfredag, ingen oppgjør igjen onsdag 24. mars, forfaller tirsdag 30. mars',
      ],
    ],
    [
      'P13: signed after its day',
      ['2027-04-13', '2027-04-14'],
      [
        'Tue 13 Apr, signed after that day, due Wed 14 Apr',
        'tirsdag 13. april, signert etter denne dagen, forfaller onsdag 14. april',
      ],
    ],
    [
      'S6b: signed on its day, after its last run',
      ['2027-04-13', '2027-04-14', 'following', true, '2027-04-13'],
      [
        'Tue 13 Apr, signed too late for that day, due Wed 14 Apr',
        'tirsdag 13. april, signert for sent for denne dagen, forfaller onsdag 14. april',
      ],
    ],
    [
      'S6b: the same of an unsigned payment, on a day after closed ones',
      ['2027-04-11', '2027-04-13', 'following', false, '2027-04-12'],
      [
        'Sun 11 Apr, closed: weekend, no run is left on Mon 12 Apr, due Tue 13 Apr',
        'søndag 11. april, stengt: helg, ingen oppgjør igjen mandag 12. april, forfaller tirsdag 13. april',
      ],
    ],
  ])('%s', (_what, [wanted, paid, rule = 'following', isSigned = true, signed], said) => {
    const signedOn = localDate(signed ?? paid);
    const dated = { wanted: localDate(wanted), executionDate: localDate(paid), rule, signedOn };
    expect(both(movedDate(dated, calendar, isSigned))).toEqual(said);
  });

  test('T4: a run after the date, since it was signed late', () => {
    const run = { date: localDate('2027-04-15') };
    expect(both(lateRunCause({ executionDate: localDate('2027-04-14'), isReceivedLater: false }, run))).toEqual([
      'signed after the runs of Wed 14 Apr, tried on Thu 15 Apr',
      'signert etter oppgjørene onsdag 14. april, forsøkes torsdag 15. april',
    ]);
    expect(lateRunCause({ executionDate: run.date, isReceivedLater: false }, run)).toBeNull();
  });
});

describe('S11: the outcome', () => {
  /** In the last run of 9 June. */
  const run = { date: localDate('2027-06-09'), number: 5, at: osloInstant(localDate('2027-06-09'), '15:30') };
  const tried: Tried = {
    ...{
      outcome: 'settle',
      attempt: 1,
      run,
      available: 1_500_00n,
      needed: 1_500_00n,
      fee: null,
      currency: 'NOK',
      reason: null,
    },
  };
  const short = { available: 2_00n, needed: 100_00n };

  test.each<[string, Partial<Tried>, [string, string]]>([
    ['enough', {}, ['funds suffice', 'det er dekning']],
    [
      'P11: enough, with a fee',
      { fee: 5_00n },
      ['funds suffice (fee of 5.00 NOK included)', 'det er dekning (inkludert gebyr på 5,00 kr)'],
    ],
    ['P11: a fee of nothing', { fee: 0n }, ['funds suffice', 'det er dekning']],
    [
      'S4: short for the first time',
      { ...short, outcome: 'retry' },
      [
        '98.00 NOK short at the first attempt, run of Wed 9 Jun, 15:30',
        'mangler 98,00 kr ved første forsøk, oppgjøret onsdag 9. juni kl. 15:30',
      ],
    ],
    [
      'S4: the fifth time',
      { ...short, outcome: 'reject', attempt: 5 },
      [
        '98.00 NOK short at the fifth attempt, run of Wed 9 Jun, 15:30',
        'mangler 98,00 kr ved femte forsøk, oppgjøret onsdag 9. juni kl. 15:30',
      ],
    ],
    [
      'P11: short, with a fee',
      { ...short, outcome: 'retry', attempt: 2, fee: 15_00n },
      [
        '98.00 NOK short (fee of 15.00 NOK included) at the second attempt, run of Wed 9 Jun, 15:30',
        'mangler 98,00 kr (inkludert gebyr på 15,00 kr) ved andre forsøk, oppgjøret onsdag 9. juni kl. 15:30',
      ],
    ],
    [
      'P10: an instant payment, without a run',
      { ...short, outcome: 'reject', run: null },
      ['98.00 NOK short at the first attempt', 'mangler 98,00 kr ved første forsøk'],
    ],
    [
      'P4: a full account',
      { outcome: 'reject' },
      [
        'an account would hold more than it can, at the first attempt, run of Wed 9 Jun, 15:30',
        'en konto ville fått høyere saldo enn den kan ha, ved første forsøk, oppgjøret onsdag 9. juni kl. 15:30',
      ],
    ],
    [
      'P5c: a closed account',
      { outcome: 'reject', reason: creditorRefusal({ currency: null, wasClosed: true, credited: 'NOK' }) },
      [
        'the creditor account is closed, at the first attempt, run of Wed 9 Jun, 15:30',
        'mottakerkontoen er avsluttet, ved første forsøk, oppgjøret onsdag 9. juni kl. 15:30',
      ],
    ],
    [
      'P5c: a closed account whose number one in another currency has now',
      { outcome: 'reject', reason: creditorRefusal({ currency: 'EUR', wasClosed: true, credited: 'NOK' }) },
      [
        'the creditor account is kept in EUR, not in NOK, at the first attempt, run of Wed 9 Jun, 15:30',
        'mottakerkontoen føres i EUR, ikke i NOK, ved første forsøk, oppgjøret onsdag 9. juni kl. 15:30',
      ],
    ],
    [
      'P5c: an account in another currency',
      { outcome: 'reject', reason: creditorRefusal({ currency: 'EUR', wasClosed: false, credited: 'NOK' }) },
      [
        'the creditor account is kept in EUR, not in NOK, at the first attempt, run of Wed 9 Jun, 15:30',
        'mottakerkontoen føres i EUR, ikke i NOK, ved første forsøk, oppgjøret onsdag 9. juni kl. 15:30',
      ],
    ],
  ])('%s', (_what, one, said) => {
    const told = both(outcomeCause({ ...tried, ...one }));
    expect(told?.map((text) => text.replaceAll('\u00a0', ' '))).toEqual(said);
  });
});

test.each<[string, Extract<Cause, { kind: 'signatures' }>, [string, string]]>([
  [
    'nobody yet',
    { kind: 'signatures', given: [], missing: 2, able: ['Ada', 'Bo', 'Cai'] },
    ['2 signatures are missing: Ada, Bo and Cai can sign', '2 signaturer mangler: Ada, Bo og Cai kan signere'],
  ],
  [
    'one of two',
    { kind: 'signatures', given: ['Ada'], missing: 1, able: ['Bo'] },
    ['Ada has signed; 1 signature is missing: Bo can sign', 'Ada har signert; 1 signatur mangler: Bo kan signere'],
  ],
  [
    'nobody is left who can',
    { kind: 'signatures', given: ['Ada', 'Bo'], missing: 1, able: [] },
    [
      'Ada and Bo have signed; 1 signature is missing: nobody can give it',
      'Ada og Bo har signert; 1 signatur mangler: ingen kan gi den',
    ],
  ],
])('S11: missing signatures, %s', (_what, cause, said) => {
  expect(both(cause)).toEqual(said);
});

const easter = ['2027-03-25', '2027-03-30', '2027-03-24'].map(localDate) as [LocalDate, LocalDate, LocalDate];

test.each<[string, { late?: string; isMoved?: boolean; rejection?: string }, [string, string]]>([
  [
    'on its day',
    {},
    ['settles Tue 30 Mar, 05:30, if funds suffice', 'gjøres opp tirsdag 30. mars kl. 05:30, hvis det er dekning'],
  ],
  [
    'moved over Easter',
    { isMoved: true },
    [
      'asked for Thu 25 Mar, closed: Skjærtorsdag to Andre påskedag; settles Tue 30 Mar, 05:30, if funds suffice',
      'ønsket torsdag 25. mars, stengt: Skjærtorsdag til Andre påskedag; gjøres opp tirsdag 30. mars kl. 05:30, hvis det er dekning',
    ],
  ],
  [
    'after the runs of its day, and to be rejected',
    { late: '2027-03-24', rejection: 'the payee has moved' },
    [
      'signed after the runs of Wed 24 Mar; is rejected Tue 30 Mar, 05:30: the payee has moved',
      'signert etter oppgjørene onsdag 24. mars; avvises tirsdag 30. mars kl. 05:30: the payee has moved',
    ],
  ],
])('S11: a run that is waited for, %s', (_what, { late, isMoved = false, rejection = null }, said) => {
  const [wanted, executionDate, signedOn] = easter;
  const run = { date: executionDate, number: 1, at: osloInstant(executionDate, '05:30') };
  const moved = isMoved ? movedDate({ wanted, executionDate, rule: 'following', signedOn }, calendar) : null;
  const dated = late === undefined ? executionDate : localDate(late);
  const lateRun = lateRunCause({ executionDate: dated, isReceivedLater: false }, run);
  const refused = rejection === null ? [] : [{ count: 1, run, reason: rejection }];
  expect(both({ kind: 'awaits', run, parts: 1, refused, moved, late: lateRun })).toEqual(said);
});

const wednesday = localDate('2027-02-03');
const [first, second] = [
  { date: wednesday, number: 1, at: osloInstant(wednesday, '05:30') },
  { date: wednesday, number: 2, at: osloInstant(wednesday, '09:30') },
];
const closedHere = 'the creditor account is closed';

test.each([
  [
    'some items are rejected',
    [{ count: 3, run: first, reason: closedHere }],
    '2 of 5 settle Wed 3 Feb, 05:30, if funds suffice; 3 are rejected: the creditor account is closed',
    '2 av 5 gjøres opp onsdag 3. februar kl. 05:30, hvis det er dekning; 3 avvises: mottakerkontoen er avsluttet',
  ],
  [
    'all but one are rejected, by two runs',
    [
      { count: 3, run: first, reason: closedHere },
      { count: 1, run: second, reason: 'the creditor account is blocked' },
    ],
    '1 of 5 settles Wed 3 Feb, 05:30, if funds suffice; 3 are rejected: the creditor account is closed; 1 is rejected Wed 3 Feb, 09:30: the creditor account is blocked',
    '1 av 5 gjøres opp onsdag 3. februar kl. 05:30, hvis det er dekning; 3 avvises: mottakerkontoen er avsluttet; 1 avvises onsdag 3. februar kl. 09:30: mottakerkontoen er sperret',
  ],
  [
    'all are rejected for one reason',
    [{ count: 5, run: first, reason: closedHere }],
    'is rejected Wed 3 Feb, 05:30: the creditor account is closed',
    'avvises onsdag 3. februar kl. 05:30: mottakerkontoen er avsluttet',
  ],
])('S11: of five items %s', (_what, refused, ...said) => {
  expect(both({ kind: 'awaits', run: first, parts: 5, refused, moved: null, late: null })).toEqual(said);
});
