import { describe, expect, test } from '@jest/globals';
import { formatInstant, osloInstant } from '../../engine/values/instant.ts';
import { addDays, localDate, weekday } from '../../engine/values/local-date.ts';
import type { TimelineAnswer } from '../../api/control/timeline.ts';
import { axisOf, closureText, shortClosureText } from '../../api/settlement-line/axis.ts';
import { draw, narrow, pictureOf, wide } from '../../api/settlement-line/draw.ts';
import { lineOf, totalsText } from '../../api/settlement-line/model.ts';
import { rowText } from '../../api/settlement-line/text.ts';

type Payment = TimelineAnswer['payments'][number];
type Try = Payment['tries'][number];

/** A date of an answer. */
const day = localDate;
const names: Record<string, string> = {
  '2027-03-25': 'Skjærtorsdag',
  '2027-03-26': 'Langfredag',
  '2027-03-28': 'Første påskedag',
  '2027-03-29': 'Andre påskedag',
};
const instant = (date: string, time: string): string => formatInstant(osloInstant(localDate(date), time));

/** The days of a window, closed at weekends and over Easter 2027. */
function daysFrom(from: string, count: number): TimelineAnswer['days'] {
  return Array.from({ length: count }, (_, index) => {
    const date = addDays(localDate(from), index);
    const weekend = { 6: 'Saturday', 7: 'Sunday' }[weekday(date)];
    const reason = names[date] ?? weekend;
    const times = reason === undefined ? ['05:30', '09:30', '11:30', '13:30', '15:30'] : [];
    return {
      date: day(date),
      weekday: 'Monday',
      type: reason === undefined ? 'banking' : 'closed',
      ...(reason !== undefined && { reason }),
      runs: times.map((time, number) => ({ id: `${date}/${number + 1}`, at: instant(date, time) })),
    };
  });
}

const now = instant('2027-03-24', '12:00');
const none = {
  settled: 0,
  rejected: 0,
  cancelled: 0,
  settles: 0,
  'is rejected': 0,
  'is tried again': 0,
  'waits for a signature': 0,
  later: 0,
};

function tryAt(date: string, time: string, own: Partial<Try> = {}): Try {
  const at = instant(date, time);
  const shared = { run: `${date}/1`, outcome: 'settle', count: 1, attempt: 1, reason: 'funds suffice' } as const;
  return { at, hasHappened: Date.parse(at) <= Date.parse(now), ...shared, ...own };
}

function payment(own: Partial<Payment>): Payment {
  return {
    paymentId: 'enc!!MpMDxF9R6Ok8K-aSVmHGu0wAIoqAKzyjBQ7dPb0aK1o==',
    service: 'payments',
    product: 'norwegian-domestic-credit-transfers',
    status: 'ACSP',
    amount: { amount: '2500.00', currency: 'NOK' },
    account: '86011117947',
    payee: 'Påskehytta AS',
    orderedAt: now,
    signedAt: now,
    askedFor: null,
    nextDate: day('2027-03-30'),
    outcome: 'settles',
    changedAt: now,
    tries: [],
    returns: [],
    ...own,
  };
}

const overEaster = payment({
  askedFor: day('2027-03-25'),
  tries: [tryAt('2027-03-30', '05:30', { movedFrom: day('2027-03-25') })],
});

function answer(payments: Payment[], own: Partial<TimelineAnswer> = {}): TimelineAnswer {
  return { now, days: daysFrom('2027-03-22', 11), totals: none, payments, coming: [], ...own };
}

/** The row of a payment, over Easter. */
const rowFor = (own: Payment) => {
  const [row] = lineOf(answer([own])).rows;
  if (row === undefined) throw new Error('no row');
  return row;
};

describe('C31: the axis', () => {
  const axis = axisOf(daysFrom('2027-03-22', 11));

  test('banking days are wide, closed days narrow, and closed days in a row have one name', () => {
    const [monday, thursday] = [axis.columns[0], axis.columns[3]];
    const widths = [monday, thursday].map((column) => (column?.end ?? 0) - (column?.start ?? 0));
    expect((widths[1] ?? 0) / (widths[0] ?? 1)).toBeCloseTo(0.4);
    expect(axis.columns.at(-1)?.end).toBeCloseTo(1);
    expect(axis.closures).toEqual([
      { from: '2027-03-25', to: '2027-03-29', names: expect.arrayContaining(['Maundy Thursday', 'Easter Monday']) },
    ]);
    expect(axis.closures.map(closureText)).toEqual(['closed: Maundy Thursday to Easter Monday']);
    expect(axis.closures.map(shortClosureText)).toEqual(['closed: Easter']);
  });

  test.each([
    ['begins', '2027-03-28', 5],
    ['ends', '2027-03-22', 6],
    ['begins and ends', '2027-03-26', 2],
  ])('closed days have their right names in a window that %s inside Easter', (_what, from, count) => {
    const { closures } = axisOf(daysFrom(from, count));
    expect(closures.map(closureText)).toEqual(['closed: Maundy Thursday to Easter Monday']);
  });

  test('an instant lies in its day in the order of time, also where the day is long or short', () => {
    const texts = ['00:00', '04:59', '05:30', '12:00', '15:30', '16:00', '23:59'].map((time) =>
      instant('2027-03-28', time),
    );
    const places = texts.map(axis.at);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBeGreaterThanOrEqual(axis.at('2027-03-27T23:59'));
    expect([axis.at('2027-01-01'), axis.at('2028-01-01')]).toEqual([0, 1]);
  });
});

test.each([
  ['in the evening', ['18:00', '20:00', '22:00']],
  ['from midnight to the last hour', ['00:00', '12:00', '23:30']],
])('C31: runs %s lie as far apart as those of the day do', (_what, times) => {
  const days = daysFrom('2027-03-22', 11).map((each) => ({
    ...each,
    runs: each.runs.length === 0 ? [] : times.map((time, nth) => ({ id: `${nth}`, at: instant(each.date, time) })),
  }));
  const axis = axisOf(days);
  const [monday] = axis.columns;
  const width = (monday?.end ?? 0) - (monday?.start ?? 0);
  const [first = 0, second = 0, third = 0] = axis.runs.map(axis.at);
  expect(Math.min(second - first, third - second) / width).toBeGreaterThan(0.3);
  expect(third).toBeLessThan(monday?.end ?? 0);
});

describe('C31: a row', () => {
  test('a payment for a closed day leaps to its run, hollow until the clock has passed it', () => {
    const row = rowFor(overEaster);
    expect(row.marks).toEqual([
      { kind: 'order', at: now, isSolid: true },
      { kind: 'asked', at: '2027-03-25', isSolid: true },
      { kind: 'settle', at: instant('2027-03-30', '05:30'), isSolid: false },
    ]);
    expect(row.ways.map(({ kind }) => kind)).toEqual(['wait', 'leap']);
    expect([row.sentence, row.brief, row.tone]).toEqual([
      'settles Tue 30 Mar, 05:30, asked for Thu 25 Mar',
      'settles 05:30, asked for Thu 25 Mar',
      'good',
    ]);
  });

  const tries = ['11:30', '13:30', '15:30'].map((time, index) =>
    tryAt('2027-03-24', time, { outcome: 'retry', attempt: index + 1 }),
  );

  test.each<[string, Partial<Payment>, string]>([
    ['settled', { status: 'ACSC', tries: [tryAt('2027-03-24', '11:30')] }, 'settled Wed 24 Mar, 11:30'],
    ['unsigned', { status: 'RCVD', signedAt: null }, 'waits for a signature'],
    ['signed by one of two', { status: 'PATC', signedAt: null }, 'waits for another signature'],
    ['deleted', { status: 'CANC' }, 'cancelled Wed 24 Mar, 12:00'],
    ['rejected without a try', { status: 'RJCT' }, 'rejected Wed 24 Mar, 12:00'],
    ['due after the window', { nextDate: day('2027-05-03') }, 'due Mon 3 May'],
    [
      'out of funds',
      { status: 'ACCP', nextDate: day('2027-03-24'), tries: tries.slice(0, 1) },
      'short of funds Wed 24 Mar, 11:30, tried again',
    ],
    [
      'to be rejected',
      { status: 'ACCP', tries: [...tries, tryAt('2027-03-30', '09:30', { outcome: 'reject', attempt: 5 })] },
      'will be rejected Tue 30 Mar, 09:30, try 5 of 5',
    ],
    [
      'a bulk payment of which a part fails',
      {
        status: 'PART',
        payee: null,
        service: 'bulk-payments',
        tries: [tryAt('2027-03-24', '11:30', { count: 3 }), tryAt('2027-03-24', '11:30', { outcome: 'reject' })],
      },
      'rejected Wed 24 Mar, 11:30, 3 settled',
    ],
    [
      'a standing order',
      { service: 'periodic-payments', tries: [tryAt('2027-03-30', '05:30'), tryAt('2027-04-01', '05:30')] },
      'settles Tue 30 Mar, 05:30, then 1 more',
    ],
    [
      'returned',
      {
        status: 'ACSC',
        tries: [tryAt('2027-03-22', '11:30')],
        returns: [{ due: day('2027-03-30'), at: null, text: 'account closed' }],
      },
      'will come back Tue 30 Mar: account closed',
    ],
    [
      'to be returned',
      {
        tries: [tryAt('2027-03-30', '05:30')],
        returns: [{ due: day('2027-03-31'), at: null, text: 'account closed' }],
      },
      'settles Tue 30 Mar, 05:30, comes back Wed 31 Mar',
    ],
  ])('%s', (_what, own, sentence) => {
    expect(rowFor(payment({ nextDate: null, ...own })).sentence).toContain(sentence);
  });

  test('an occurrence of a standing order comes back from its own run, and the order goes on', () => {
    const dates = ['2027-03-22', '2027-03-23', '2027-03-30', '2027-03-31'];
    const row = rowFor(
      payment({
        service: 'periodic-payments',
        orderedAt: instant('2027-03-22', '04:00'),
        tries: dates.map((date) => tryAt(date, '05:30')),
        returns: [{ due: day('2027-03-24'), at: instant('2027-03-24', '11:30'), text: 'account closed' }],
      }),
    );
    const [settled, back] = [instant('2027-03-23', '05:30'), instant('2027-03-24', '11:30')];
    expect(row.ways.filter(({ kind }) => kind === 'back')).toEqual([{ kind: 'back', from: settled, to: back }]);
    expect(row.marks.map(({ kind }) => kind)).toEqual(['order', 'settle', 'settle', 'return', 'settle', 'settle']);
    expect(row.sentence).toBe('settles Tue 30 Mar, 05:30, then 1 more, 1 came back');
  });

  test.each<[Partial<Payment>, string | undefined, string]>([
    [
      { ...overEaster, status: 'ACSC', tries: [tryAt('2027-03-30', '05:30', { hasHappened: true })] },
      '2027-03-29',
      'ordered Wed 24 -- closed 25-29 -- ● Tue 30 05:30   expected Mon 29',
    ],
    [{ tries }, undefined, 'ordered Wed 24 -- • 11:30 -- ◦ 13:30 -- ◦ 15:30'],
    [{ status: 'RCVD' }, undefined, 'ordered Wed 24 -- waits for a signature'],
  ])('as text', (own, expected, text) => {
    expect(rowText(rowFor(payment(own)), axisOf(daysFrom('2027-03-22', 11)).closures, expected)).toBe(text);
  });
});

describe('C31: the whole line', () => {
  test('payments without a row are counted by what becomes of them, and the totals count all', () => {
    const totals = { ...none, settles: 35, settled: 4, 'is rejected': 1 };
    const line = lineOf(answer([overEaster], { totals }));
    expect(line.rest).toEqual(['+ 4 that settled', '+ 34 that will settle', '+ 1 that will be rejected']);
    expect(totalsText(line)).toBe('4 payments settled, 35 will settle, 1 will be rejected');
  });

  test('money that came back is not counted as settled', () => {
    const settled = payment({ status: 'ACSC', outcome: 'settled', tries: [tryAt('2027-03-22', '11:30')] });
    const back = payment({ ...settled, returns: [{ due: day('2027-03-23'), at: now, text: 'account closed' }] });
    const line = lineOf(answer([settled, back], { totals: { ...none, settled: 2, settles: 1 } }));
    expect(totalsText(line)).toBe('1 payment settled, 1 will settle, 1 came back');
    expect(line.rest).toEqual(['+ 1 that will settle']);
  });

  test('rows stand by their end: what is over, what is to come, what goes on, what waits for somebody', () => {
    const rows: readonly [string, Partial<Payment>][] = [
      ['waits', { status: 'RCVD', signedAt: null }],
      ['later', { nextDate: day('2027-05-03') }],
      ['third', { tries: [tryAt('2027-03-31', '05:30')] }],
      ['second', { tries: [tryAt('2027-03-30', '05:30'), tryAt('2027-04-01', '05:30')] }],
      ['settled', { status: 'ACSC', nextDate: null, tries: [tryAt('2027-03-23', '11:30')] }],
      ['rejected', { status: 'RJCT', nextDate: null, tries: [tryAt('2027-03-22', '11:30', { outcome: 'reject' })] }],
    ];
    const line = lineOf(answer(rows.map(([payee, own]) => payment({ payee, ...own }))));
    expect(line.rows.map(({ name }) => name)).toEqual(['rejected', 'settled', 'second', 'third', 'later', 'waits']);
  });

  test.each([
    ['time', [now, instant('2027-03-24', '13:00')], ['12:00', '13:00']],
    ['day', [instant('2027-03-23', '12:00'), now], ['Tue 23 Mar, 12:00', 'Wed 24 Mar, 12:00']],
    ['number', [now, now], ['no. 1', 'no. 2']],
  ])('rows of one payee and amount are told apart by the %s of their order', (_what, ordered, expected) => {
    const line = lineOf(answer(ordered.map((orderedAt) => payment({ orderedAt }))));
    expect(line.rows.map(({ apart }) => apart)).toEqual(expected);
    expect(lineOf(answer([payment({}), payment({ payee: 'Mobil AS' })])).rows.map(({ apart }) => apart)).toEqual([
      '',
      '',
    ]);
  });

  test('a run that tries more than one has its count, of the past only where all payments have rows', () => {
    const at = instant('2027-03-30', '05:30');
    const tried = payment({ tries: [tryAt('2027-03-23', '11:30', { count: 2, outcome: 'retry' })] });
    const coming = [
      { at, settle: 60, retry: 4, reject: 1 },
      { at: instant('2027-03-31', '05:30'), settle: 1, retry: 0, reject: 0 },
    ];
    const counts = (settles: number) => [...lineOf(answer([tried], { coming, totals: { ...none, settles } })).counts];
    expect(counts(1)).toEqual([
      [instant('2027-03-23', '11:30'), 2],
      [at, 65],
    ]);
    expect(counts(2)).toEqual([[at, 65]]);
    expect(drawn(lineOf(answer([tried], { coming }))).every((text) => text.includes('>65</text>'))).toBe(true);
  });

  test('tries before the window are told', () => {
    const tries = ['05:30', '09:30'].map((time, index) =>
      tryAt('2027-03-22', time, { outcome: index === 0 ? 'retry' : 'reject', attempt: index + 4 }),
    );
    const line = lineOf(answer([payment({ status: 'RJCT', tries })], { days: daysFrom('2027-03-22', 4) }));
    expect(line.rows[0]?.earlier).toBe(0);
    const last = payment({
      status: 'RJCT',
      tries: [tryAt('2027-03-19', '15:30', { outcome: 'retry', attempt: 3 }), ...tries],
    });
    const cut = lineOf(answer([last]));
    expect(cut.rows[0]?.earlier).toBe(3);
    for (const text of drawn(cut)) expect(text).toContain('>3 earlier</text>');
  });

  test('the handle stops at each run and midnight to come, with what happens until then', () => {
    const at = instant('2027-03-30', '05:30');
    const { stops } = lineOf(answer([overEaster], { coming: [{ at, settle: 2, retry: 0, reject: 1 }] }));
    expect(stops[0]).toEqual({ at: instant('2027-03-24', '13:30'), settle: 0, reject: 0 });
    expect(stops.filter((stop) => stop.at === at)).toEqual([{ at, settle: 2, reject: 1 }]);
    expect(stops.at(-1)).toMatchObject({ at: instant('2027-04-01', '15:30'), settle: 2, reject: 1 });
    expect(stops.filter((stop) => stop.at.slice(11, 16) === '00:00')).toHaveLength(8);
  });
});

const drawing = { href: (id: string) => `payments/${encodeURIComponent(id)}`, isNamed: true, isMovable: true };

/** Both layouts of a line. */
function drawn(line: ReturnType<typeof lineOf>): string[] {
  return [wide, narrow].map((layout) => draw(line, layout, drawing).text);
}

describe('C31: the pictures', () => {
  test('counts of runs are told apart, and now ends above what has no row', () => {
    const coming = ['05:30', '09:30', '11:30', '13:30', '15:30'].map((time, index) => {
      return { at: `2027-03-30T${time}:00+02:00`, settle: index === 0 ? 124 : 4, retry: 0, reject: 0 };
    });
    const line = lineOf(answer([overEaster], { coming, totals: { ...none, settles: 140 } }));
    for (const text of drawn(line)) {
      const counts = [...text.matchAll(/<text class="k u" x="([\d.]+)"[^>]*>(\d+)</g)].map(([, x, count = '']) => {
        return { middle: Number(x), half: (count.length * 6.2) / 2 };
      });
      expect(counts.length).toBeGreaterThan(1);
      for (const [index, { middle, half }] of counts.slice(1).entries()) {
        const before = counts[index];
        expect(middle - half - ((before?.middle ?? 0) + (before?.half ?? 0))).toBeGreaterThanOrEqual(6);
      }
      const [, end = ''] = /class="p at-now"[^>]*V([\d.]+)"/.exec(text) ?? [];
      const rest = [...text.matchAll(/<text class="k" x="[\d.]+" y="([\d.]+)">\+/g)].map(([, y]) => Number(y));
      expect(rest).toHaveLength(1);
      expect(Math.min(...rest) - 11).toBeGreaterThanOrEqual(Number(end));
    }
  });

  test('50 payments and 30 days take less than 60 KB, wide and narrow', () => {
    const rows = Array.from({ length: 50 }, (_, index) => {
      const start = addDays(localDate('2027-03-30'), index % 20);
      const five = Array.from({ length: 5 }, (_try, nth) =>
        tryAt(addDays(start, Math.floor(nth / 3)), `${String(9 + (nth % 3) * 2).padStart(2, '0')}:30`, {
          outcome: nth === 4 ? 'reject' : 'retry',
          attempt: nth + 1,
          ...(nth === 0 && { movedFrom: day('2027-03-26') }),
        }),
      );
      return payment({ payee: `Et ganske langt navn ${index} & Sønner AS`, tries: five });
    });
    const line = lineOf(answer(rows, { days: daysFrom('2027-03-22', 30) }));
    const sizes = drawn(line).map((text) => Buffer.byteLength(text));
    expect(Math.max(...sizes)).toBeLessThan(60 * 1024);
    expect(Math.min(...sizes)).toBeGreaterThan(10_000);
  });

  test('what lies before the days has no way; a return due today, after the last stop, knows no stop', () => {
    const old = payment({
      service: 'periodic-payments',
      orderedAt: instant('2027-03-02', '12:00'),
      tries: ['2027-03-03', '2027-03-04', '2027-03-30'].map((date) => tryAt(date, '05:30')),
      returns: [],
    });
    for (const text of drawn(lineOf(answer([old]))))
      expect(text.match(/<path class="dot" d="([^"]*)"/)?.[1]?.match(/M/g)).toHaveLength(1);
    const due = payment({ status: 'ACSC', returns: [{ due: day('2027-03-24'), at: null, text: 'account closed' }] });
    const line = lineOf(answer([due], { now: instant('2027-03-24', '16:00'), days: daysFrom('2027-03-22', 3) }));
    expect(drawn(line).join('')).not.toContain('data-stop=');
  });

  test('a name that has no room is whole in its title', () => {
    const payee = 'Et ganske langt navn & Sønner AS og et navn til';
    const line = lineOf(answer([payment({ ...overEaster, payee, tries: [tryAt('2027-03-30', '05:30')] })]));
    for (const text of drawn(line))
      expect(text).toMatch(/>Et ganske[^<]*…<title>Et ganske langt navn &amp; Sønner AS og et navn til<\/title>/);
  });

  test('what is to come is hollow and knows its stop; names are escaped', () => {
    const line = lineOf(answer([payment({ ...overEaster, payee: '<img src=x>' })]));
    for (const text of drawn(line)) {
      expect(text).toMatch(/class="s f"\s+data-stop="\d+"/);
      expect(text).not.toContain('<img');
      expect(text).toContain('settles');
      expect(text).toContain('role="slider"');
    }
  });

  test.each<[string, Partial<Payment>, RegExp]>([
    ['what waits for a person is a stub with an open end', { status: 'RCVD', signedAt: null }, /class="stub"/],
    ['what goes on after the window ends in an arrow', { nextDate: day('2027-05-03') }, /class="tip"/],
    [
      'what came back has a mark of its own',
      {
        status: 'ACSC',
        outcome: 'settled',
        tries: [tryAt('2027-03-24', '11:30')],
        returns: [{ due: day('2027-03-24'), at: now, text: 'account closed' }],
      },
      /<path class="b"/,
    ],
    ['a try that lacked funds is a dot', { tries: [tryAt('2027-03-24', '11:30', { outcome: 'retry' })] }, /class="q"/],
    ['the day that was asked for is a diamond', overEaster, /<path class="o" [^>]*l5 -5/],
  ])('each mark has one meaning: %s', (_what, own, mark) => {
    for (const text of drawn(lineOf(answer([payment(own)])))) expect(text).toMatch(mark);
    const others = drawn(lineOf(answer([payment({ tries: [tryAt('2027-03-30', '05:30')] })])));
    for (const text of others) expect(text).not.toMatch(mark);
  });

  test('every occurrence, leap and asked day is on both layouts, also among many rows', () => {
    const dates = ['2027-03-30', '2027-04-06', '2027-04-13', '2027-04-20'];
    const weekly = payment({
      service: 'periodic-payments',
      payee: 'Mobil AS',
      tries: dates.map((date) =>
        tryAt(date, '05:30', { ...(date === '2027-03-30' && { movedFrom: day('2027-03-26') }) }),
      ),
    });
    const others = Array.from({ length: 20 }, (_, index) => payment({ payee: `Payee ${index}`, status: 'RCVD' }));
    for (const text of drawn(lineOf(answer([weekly, ...others], { days: daysFrom('2027-03-22', 34) })))) {
      expect(text.match(/class="s f"/g)).toHaveLength(4);
      expect(text.match(/class="arc"/g)).toHaveLength(1);
      expect(text.match(/class="stub"/g)).toHaveLength(20);
    }
  });

  test('the axis has months, the number of each day of a few weeks, and each Monday of more', () => {
    const numbers = (count: number, layout = wide): string[] => {
      const { text } = draw(lineOf(answer([], { days: daysFrom('2027-03-22', count) })), layout, drawing);
      return [...text.matchAll(/class="d(?: [^"]*)?"[^>]*>([^<]*)</g)].map(([, number = '']) => number);
    };
    expect(numbers(11, narrow).map((each) => each.replace(/\D/g, ''))).toEqual([
      '22',
      '23',
      '24',
      '25',
      '26',
      '27',
      '28',
      '29',
      '30',
      '31',
      '1',
    ]);
    expect(numbers(11)).toContain('Tue 30');
    const banking = daysFrom('2027-03-22', 28).filter(({ type }) => type === 'banking');
    for (const layout of [wide, narrow])
      for (const { date } of banking)
        expect(numbers(28, layout).some((each) => each.endsWith(String(Number(date.slice(8)))))).toBe(true);
    for (const layout of [wide, narrow])
      expect(numbers(60, layout).map((each) => each.replace(/\D/g, ''))).toEqual([
        '22',
        '29',
        '5',
        '12',
        '19',
        '26',
        '3',
        '10',
        '17',
      ]);
    const [text = ''] = drawn(lineOf(answer([], { days: daysFrom('2027-03-22', 60) })));
    expect([...text.matchAll(/class="m"[^>]*>([^<]*)</g)].map(([, month]) => month)).toEqual([
      'March 2027',
      'April',
      'May',
    ]);
    expect(text).toContain('<title>Tue 30 Mar: 05:30, 09:30, 11:30, 13:30, 15:30</title>');
  });

  test('the name of the picture says what it shows; a row is one link with its outcome', () => {
    for (const text of drawn(lineOf(answer([overEaster], { totals: { ...none, settles: 1 } })))) {
      expect(text).toMatch(/role="group" aria-label="1 payment will settle"/);
      const [link = ''] = text.match(/<a .*?<\/a>/) ?? [];
      expect(link.replace(/<g aria-hidden.*?<\/g>/, '').replaceAll(/<[^>]*>/g, ' ')).toMatch(
        /Påskehytta AS\s+2,500\.00.NOK\s+settles 05:30, asked for Thu 25 Mar/,
      );
      expect(text.match(/<a /g)).toHaveLength(1);
    }
  });

  test.each(['light', 'dark'] as const)(
    'a %s picture to give away has its sentence, and no name, id or number',
    (scheme) => {
      const line = lineOf(answer([overEaster], { totals: { ...none, settles: 1 } }));
      const picture = pictureOf(line, scheme);
      expect(picture).toMatch(/^<svg\s+xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
      expect(picture).toContain('1 payment will settle');
      expect(picture).toContain('settles 05:30, asked for Thu 25 Mar');
      expect(picture).not.toMatch(/Påskehytta|enc!!|86011117947|slider|<a\b|data-places|class="hit"/);
      expect(pictureOf(line, scheme, true)).toContain('Påskehytta');
      expect(picture).toContain(scheme === 'dark' ? '--paper:#1a211e' : '--paper:#fff');
    },
  );
});

test('C20: a line whose days are all past has no handle, which would stand at its edge', () => {
  const shown = (count: number): string => {
    const line = lineOf({
      ...{ now, days: daysFrom('2027-03-15', count), payments: [], coming: [], totals: none },
      planned: [],
    } as never);
    return draw(line, wide, { href: null, isNamed: true, isMovable: true }).text;
  };
  expect(shown(14)).toContain('class="pf"');
  expect(shown(5)).not.toContain('class="pf"');
});
