import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { GauntletReport } from '../../../api/harness/types/gauntlet.ts';
import { limitMs, startBank } from '../../../scripts/gauntlet/run-suite.ts';
import { gauntlet, Suites } from '../../gauntlet/suites.ts';
import { program } from '../../support/program.ts';
import { builtDist } from '../package/built.ts';
import { createBank } from '../../../api/harness/index.ts';

await builtDist();
const suites = new Suites();
const file = (name: string): string => join(suites.folder, name);
const report = (name: string) => JSON.parse(readFileSync(file(name), 'utf8')) as GauntletReport;

/** A client that reads an account and takes every answer for JSON. */
const reads = `
const consent = await tpp.consent({ psu: '13039319955' });
const answer = await tpp.fetch('/v1/accounts', { headers: consent.headers });
const { accounts } = await answer.json();
assert.deepEqual(Object.keys(accounts[0]).slice(0, 2), ['resourceId', 'bban']);
`;

describe('sandbank gauntlet', () => {
  test('GA1, GA3, GA4: runs the trials that are heard, and names call, members, banks and the line that repeats it', async () => {
    const flags = ['--only', 'plain-json,member-order,gateway,no-cards-404,before-easter', '--jobs', '2'];
    const outputs = ['--json', file('r.json'), '--junit', file('r.xml')];
    const command = suites.command(reads);
    const { code, lines } = await gauntlet([...flags, ...outputs], command);
    expect(code).toBe(1);
    const text = lines.join('\n');
    expect(lines[0]).toBe('baseline: 2 calls');
    // A trial that is not heard is named once, with its reason.
    expect(text.match(/no-cards-404/g)).toHaveLength(1);
    expect(text).toMatch(/✓ plain-json .* survived/);
    expect(text).toContain('GET /v1/accounts: here the trial acts first');
    expect(text).toContain(
      `docs/gauntlet.md#gateway; again: sandbank gauntlet --only gateway@GET/accounts -- ${command.join(' ')}`,
    );
    expect(text).toMatch(/- no test reads a card: no-cards-404/);
    expect(text).toContain('survived 1 of 3; 2 were not heard by any test');
    expect(lines.at(-1)).toBe('Nothing was tried together: --together does.');
    const { version, baseline, trials, notMet } = report('r.json');
    expect({ version, command: report('r.json').command }).toEqual({ version: 1, command });
    expect(baseline).toMatchObject({ tests: null, calls: 2, flaky: false });
    expect(trials.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['no-cards-404', 'not heard'],
      ['plain-json', 'survived'],
      ['gateway@GET/accounts', 'broke'],
      ['member-order', 'broke'],
      ['before-easter', 'not heard'],
    ]);
    expect(trials.find(({ name }) => name === 'member-order')).toMatchObject({
      tests: [],
      output: expect.stringContaining('ERR_ASSERTION'),
      change: { call: 'GET /v1/accounts', path: 'answer', after: expect.stringContaining('links') },
    });
    expect(trials[1]?.banks).toContain('sparebank1-sor-norge-sr');
    expect(notMet.operations).toContainEqual({
      name: 'GET /v1/card-accounts',
      scenario: 'before-a-change',
    });
    expect(notMet.statuses.map(({ name }) => name)).toEqual(['ACSC', 'RJCT', 'CANC', 'PART']);
    const xml = readFileSync(file('r.xml'), 'utf8');
    expect(xml).toContain('<testsuite name="gauntlet" tests="5" failures="2" skipped="2">');
    expect(xml).toMatch(/name="gateway@GET\/accounts" [^>]*><failure type="broke"/);
    // What broke, again.
    const again = await gauntlet(['--since', file('r.json'), '--json', file('again.json')], command);
    expect([again.code, report('again.json').trials.map(({ name }) => name)]).toEqual([
      1,
      ['member-order', 'gateway@GET/accounts'],
    ]);
  }, 120_000);

  test('GA2: a trial stays beneath what the test sets itself; named banks carry it; the harness is spared', async () => {
    const flags = (only: string) => ['--only', only, '--json', file('own.json')];
    const paysBy = (quirks: string) =>
      suites.command(
        `
      const order = { from: '09232911044', to: '90491105991', amount: '1.00' };
      assert.ok(await tpp.pay(order));`,
        `{ now: '2027-03-24T12:00:00+01:00', quirks: '${quirks}' }`,
      );
    const on = await gauntlet(flags('fee-indicator'), paysBy('fee-indicator'));
    expect(on.lines.join('\n')).toContain('no test reads a changed answer: fee-indicator');
    await gauntlet(flags('fee-indicator,plain-json'), paysBy('-fee-indicator'));
    expect(report('own.json').trials.map(({ verdict }) => verdict)).toEqual(['not heard', 'survived']);
    const pays = suites.command(`await tpp.pay({ from: '09232911044', to: '90491105991', amount: '1.00' });`, '{}');
    await gauntlet(
      ['--only', 'cut,closed,sca-cancelled,fee-indicator,id-lengths,leap-day', '--json', file('pays.json')],
      pays,
    );
    expect(report('pays.json').trials.map(({ name, verdict, notHeard }) => [name, verdict, notHeard])).toEqual([
      ['id-lengths', 'survived', undefined],
      ['fee-indicator', 'survived', undefined],
      ['cut', 'not heard', 'no test calls the bank by its own client'],
      ['closed', 'not heard', 'no test calls the bank by its own client'],
      ['leap-day', 'survived', undefined],
      ['sca-cancelled', 'not heard', 'no test has a PSU answer an SCA'],
    ]);
  }, 120_000);
});

test('B10: a suite whose banks begin from a saved one runs through the gauntlet', async () => {
  const prepared = file('prepared.sandbank');
  await using bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
  await bank.save(prepared);
  const pays = suites.command(
    `await tpp.pay({ from: '09232911044', to: '90491105991', amount: '1.00' });${reads}`,
    `{ from: ${JSON.stringify(prepared)} }`,
  );
  await gauntlet(['--only', 'fee-indicator,gateway,leap-day', '--json', file('from.json')], pays);
  const told = report('from.json').trials.map(({ name, verdict }) => `${name} ${verdict}`);
  // The day of a saved bank is its own.
  expect(told).toEqual(expect.arrayContaining(['fee-indicator survived', 'leap-day not heard']));
  // This client takes the page of a gateway for JSON.
  expect(told.filter((each) => each.endsWith(' broke'))).not.toEqual([]);
}, 120_000);

const paysOut = "const payment = await tpp.pay({ from: '09232911044', to: '90491105991', amount: '250.00' });";

test('GA3, GA4: a break without another answer says why the test failed; a return needs a suite that waits for it', async () => {
  const ends = suites.command(`${paysOut} await bank.clock.advance('2027-03-25');`);
  const early = await gauntlet(['--only', 'returned', '--json', file('early.json')], ends);
  expect(early.lines.join('\n')).toMatch(
    /^baseline: .*\nnot heard:\n {2}- the suite ended before the money came back: returned\n/,
  );
  const waits = suites.command(`${paysOut}
    await bank.clock.advance('2027-04-10');
    const { balance } = await bank.account('09232911044');
    if (balance.amount !== '17750.00') {
      console.log('<testsuite><testcase name="pays" file="a.test.js"><failure>expected 17750.00, had ' + balance.amount + '\\n    at pays (a.test.js:3:1)</failure></testcase></testsuite>');
      process.exitCode = 1;
    }`);
  const { lines } = await gauntlet(['--only', 'returned'], waits);
  expect(lines.slice(1, 4)).toEqual([
    expect.stringMatching(/✗ returned .* 1 test breaks/),
    '      "pays" a.test.js',
    '      expected 17750.00, had 18000.00',
  ]);
}, 60_000);

test('GA7: where answers are signed, a client that verifies fails under a forged one; one that does not has not noticed', async () => {
  const reads = (verifies: string) =>
    suites.command(
      `const { createHash } = await import('node:crypto');
      const { headers } = await tpp.consent({ psu: '13039319955' });
      for (let tries = 0, own = ''; tries < 3; tries += 1) {
        const read = await tpp.fetch('/v1/accounts', { headers });
        own = 'SHA-256=' + createHash('sha256').update(await read.text()).digest('base64');
        if (!${verifies} || read.headers.get('digest') === own) process.exit(0);
      }
      process.exit(1);`,
      `{ now: '2027-03-24T12:00:00+01:00', quirks: 'signed-answers' }`,
    );
  // It asks again, and is not told the truth the second time either.
  const good = await gauntlet(['--only', 'wrong-digest', '--json', file('digest.json')], reads('true'));
  expect([good.code, report('digest.json').trials[0]?.verdict]).toEqual([0, 'noticed']);
  expect(good.lines.join('\n')).toMatch(/✓ wrong-digest .* noticed\n[^]*survived 1 of 1/);
  const bad = await gauntlet(['--only', 'wrong-digest,wrong-key', '--json', file('digest.json')], reads('false'));
  expect([bad.code, report('digest.json').trials.map(({ verdict }) => verdict)]).toEqual([
    1,
    ['not noticed', 'not noticed'],
  ]);
  expect(bad.lines.join('\n')).toContain('not noticed: no test saw that the answer was forged');
}, 60_000);

test('GA8: a fault strikes one operation at one place, and the cause is the call that it struck', async () => {
  const pages = suites.command(`
    const { headers } = await tpp.consent({ psu: '13039319955' });
    const read = async (path) => {
      const answer = await tpp.fetch(path, { headers });
      return answer.status === 503 ? (await tpp.fetch(path, { headers })).json() : answer.json();
    };
    const { accounts } = await read('/v1/accounts');
    const list = '/v1/accounts/' + encodeURIComponent(accounts[0].resourceId) + '/transactions?limit=1';
    await read(list);
    // Without another try.
    await (await tpp.fetch(list + '&offset=1', { headers })).json();`);
  const only = 'gateway,gateway-second,gateway-page,gateway-twice,gateway-page@GET/accounts/accountId/transactions';
  await gauntlet(['--only', only, '--json', file('places.json')], pages);
  const rows = report('places.json').trials.map(({ name, verdict, change }) => [name, verdict, change?.call ?? null]);
  const page = expect.stringMatching(/^GET .*transactions\?limit=1&offset=1$/);
  const first = expect.stringMatching(/^GET .*transactions\?limit=1$/);
  expect(rows).toEqual([
    ['gateway', 'survived', null],
    ['gateway-second@GET/accounts/accountId/transactions', 'broke', page],
    ['gateway-page@GET/accounts/accountId/transactions', 'broke', page],
    ['gateway-twice@GET/accounts', 'broke', 'GET /v1/accounts'],
    ['gateway-twice@GET/accounts/accountId/transactions', 'broke', first],
    ['gateway-page@GET/accounts/accountId/transactions', 'broke', page],
  ]);
}, 90_000);

test('GA9: mod 11 refuses a number that the bank does not hold, and takes the made up ones of the bank', async () => {
  const pays = (to: string) =>
    suites.command(`await tpp.pay({ from: '09232911044', to: '${to}', amount: '1.00' });`, '{}');
  const told: unknown[] = [];
  // Of the bank with a wrong digit; outside with a right one; outside with a wrong one.
  for (const to of ['74712699947', '90491105991', '90491105992']) {
    await gauntlet(['--only', 'bban-mod11', '--json', file('mod11.json')], pays(to));
    told.push(report('mod11.json').trials.map(({ verdict, output }) => [verdict, /mod-11/.test(output ?? '')])[0]);
  }
  expect(told).toEqual([
    ['not heard', false],
    ['not heard', false],
    ['broke', true],
  ]);
}, 90_000);

describe('GA6: the storm', () => {
  /** Breaks where a lost answer and an unknown member meet, and takes the address of its bank from the variable, if it is there. */
  const both = (open: string) => `
    const { headers } = await tpp.consent({ psu: '13039319955' });
    let answer = await tpp.fetch('/v1/accounts', { headers }).catch(() => null);
    const wasLost = answer === null;
    answer ??= await tpp.fetch('/v1/accounts', { headers });
    const { accounts } = await answer.json();
    if (wasLost && 'bankNote' in accounts[0]) { console.error('both'); process.exit(1); }
    ${open}`;
  const only = 'closed,unknown-member,charset,member-order,long-texts';

  test('tells the smallest set with one line that repeats it, in JSON and JUnit; --since runs it again', async () => {
    const command = suites.command(both(''));
    const outputs = ['--json', file('storm.json'), '--junit', file('storm.xml')];
    const { code, lines } = await gauntlet(['--together', '--only', only, ...outputs], command);
    const name = 'closed@GET/accounts+unknown-member';
    const told = report('storm.json');
    const row = told.trials.at(-1);
    expect([code, row?.parts?.toSorted(), row?.verdict]).toEqual([1, name.split('+'), 'broke']);
    expect(row?.name.split('+').toSorted().join('+')).toBe(name);
    expect(lines.join('\n')).toContain(`✗ ${row?.parts?.join(' + ')}   green alone, broken together; broke`);
    expect(lines.join('\n')).toContain(`docs/gauntlet.md#the-storm; again: sandbank gauntlet --only ${row?.name} -- `);
    expect(lines.at(-1)).toMatch(/^together: 10 pairs of 5 trials in \d+ worlds; all were tried$/);
    expect(told.together).toMatchObject({ trials: 5, pairs: 10, notTried: 0 });
    expect(readFileSync(file('storm.xml'), 'utf8')).toContain(`classname="gauntlet.together" name="${row?.name}"`);
    const again = await gauntlet(['--only', row?.name ?? ''], command);
    expect([again.code, again.lines[1]]).toEqual([1, expect.stringContaining('green alone, broken together')]);
    await gauntlet(['--since', file('storm.json'), '--json', file('since.json')], command);
    expect(report('since.json').trials.map((one) => [one.name, one.verdict])).toEqual([[row?.name, 'broke']]);
    // What the earlier report survived is tried together again.
    const more = await gauntlet(['--since', file('storm.json'), '--together', '--json', file('since.json')], command);
    expect([more.code, report('since.json').together?.trials]).toEqual([1, 5]);
  }, 120_000);

  test('with --address-as, in a named bank, and with --shard a machine tries all together', async () => {
    const calls = suites.program(`
      const [body, headers] = [JSON.stringify({ now: '2027-05-03' }), { 'content-type': 'application/json' }];
      await fetch(process.env.OUR_BANK + '/sandbox/banks/demo', { method: 'PUT', headers, body });
      const door = process.env.OUR_BANK + '/banks/demo/sandbox/as/shop/v1/bank-offered-consents';
      const send = () => fetch(door, { method: 'POST' }).then((answer) => answer.json());
      let wasLost = false;
      const consent = await send().catch(() => ((wasLost = true), send()));
      if (wasLost && 'bankNote' in consent) process.exit(1);`);
    const flags = ['--address-as', 'OUR_BANK', '--together', '--shard', '2/2', '--json', file('server.json')];
    await gauntlet([...flags, '--only', 'closed,unknown-member'], calls);
    const { trials, together } = report('server.json');
    expect(trials.map(({ name, verdict }) => [name.split('+').toSorted().join('+'), verdict])).toEqual([
      ['unknown-member', 'survived'],
      ['closed@POST/bank-offered-consents+unknown-member', 'broke'],
    ]);
    expect(together).toMatchObject({ trials: 2, notTried: 0 });
  }, 120_000);

  test('a stop in the middle of a search keeps what was found', async () => {
    // Each time has to meet the others in a world of its own: much is left to try when the set is found.
    const more = `${only},before-easter,new-years-eve,leap-day,summer-time,winter-time,before-midnight,after-midnight`;
    const words = [program, 'gauntlet', '--together', '--only', more, '--json', file('half.json')];
    const child = spawn(process.execPath, [...words, '--', ...suites.command(both(''), '{}')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for await (const part of child.stdout.setEncoding('utf8')) {
      said += part as string;
      if (!child.killed && said.includes('broken together')) child.kill('SIGINT');
    }
    expect(child.exitCode ?? ((await once(child, 'exit')) as unknown[])[0]).toBe(2);
    expect(report('half.json').trials.at(-1)?.parts?.toSorted()).toEqual(['closed@GET/accounts', 'unknown-member']);
  }, 120_000);
});

describe('suites that are not well', () => {
  test('GA1: a suite that is not the same twice is flaky, and --flaky goes on', async () => {
    const counts = suites.command(`
      const { existsSync, writeFileSync } = await import('node:fs');
      const isLater = existsSync('${file('later')}');
      writeFileSync('${file('later')}', '');
      await tpp.fetch('/v1/accounts');
      if (isLater) await tpp.fetch('/v1/accounts');`);
    const flaky = await gauntlet(['--jobs', '1', '--only', 'charset'], counts);
    expect([flaky.code, flaky.errors.join(' ')]).toEqual([
      2,
      expect.stringMatching(/not the same twice: .* 1 calls; then .* 2 calls/),
    ]);
    const on = await gauntlet(['--flaky', '--only', 'charset', '--json', file('flaky.json')], counts);
    expect([on.code, report('flaky.json').trials[0]?.verdict]).toEqual([0, 'survived']);
  }, 60_000);

  test('GA3: of a red suite the failed tests are told as text, and no empty report is written', async () => {
    const red = suites.command(`
      await tpp.fetch('/v1/accounts');
      console.log('<testsuite><testcase name="pays" file="a.test.js"><failure>expected 1</failure></testcase></testsuite>');
      process.exitCode = 1;`);
    const files = [file('red.json'), file('red.xml')];
    const flags = ['--only', 'charset', '--json', files[0] ?? '', '--junit', files[1] ?? ''];
    const { code, errors } = await gauntlet(flags, red);
    expect([code, errors.join('\n')]).toEqual([
      2,
      expect.stringMatching(/^"pays" a\.test\.js\nexpected 1\nThe suite is red/),
    ]);
    expect(files.map((path) => existsSync(path))).toEqual([false, false]);
    // A report that was there keeps what it has.
    writeFileSync(files[0] ?? '', '{}');
    await gauntlet(flags, red);
    expect(readFileSync(files[0] ?? '', 'utf8')).toBe('{}');
    const printed = await gauntlet(['--only', 'charset', '--json'], red);
    expect([printed.lines, printed.errors.join('\n')]).toEqual([[], expect.stringContaining('"pays" a.test.js')]);
  }, 60_000);

  test('GA1: red first and green then is flaky, not red', async () => {
    const once = suites.command(`
      const { existsSync, writeFileSync } = await import('node:fs');
      await tpp.fetch('/v1/accounts');
      if (!existsSync('${file('once')}')) process.exitCode = 1;
      writeFileSync('${file('once')}', '');`);
    const { code, errors } = await gauntlet(['--jobs', '1', '--only', 'charset'], once);
    expect([code, errors.join(' ')]).toEqual([
      2,
      expect.stringMatching(/not the same twice: exit code 1, .*; then exit code 0/),
    ]);
  }, 60_000);

  test.each([
    ['a command that watches', [], ['npx', 'vitest', '--watch'], '--watch has no end'],
    ['another one', [], ['npx', 'jest', '--watchAll'], '--watchAll has no end'],
    ['a shard that is none', ['--shard', '5/4'], ['true'], '--shard'],
    ['a shard without its number', ['--shard', '2'], ['true'], '--shard'],
    ['a set with an unknown trial', ['--only', 'charset+charsett'], ['true'], 'there is no trial "charset+charsett"'],
  ])('%s is refused before anything runs', async (_what, flags, command, says) => {
    const { code, errors } = await gauntlet(flags, command);
    expect([code, errors.join(' ')]).toEqual([2, expect.stringContaining(says)]);
  });

  test('the shards of a gauntlet run each trial once', async () => {
    const command = suites.command(`await tpp.fetch('/v1/accounts');`);
    const names: string[] = [];
    for (const shard of ['1/2', '2/2']) {
      await gauntlet(
        ['--shard', shard, '--only', 'charset,plain-json,leap-day', '--json', file('shard.json')],
        command,
      );
      names.push(...report('shard.json').trials.map(({ name }) => name));
    }
    expect(names).toEqual(['plain-json', 'leap-day', 'charset']);
  }, 60_000);

  test('GA3: a suite that hangs under a trial is ended with all of its group, and what one leaves behind too', async () => {
    const hangs = suites.alone(`
      const { spawn } = await import('node:child_process');
      spawn('sleep', ['3777'], { stdio: 'inherit' }).unref();
      const answer = await tpp.fetch('/v1/accounts');
      while (answer.headers.get('content-type').includes('UTF-8')) await new Promise((done) => setTimeout(done, 1000));
      process.exit(0);`);
    const { code, lines } = await gauntlet(['--only', 'charset', '--timeout', '6', '--json', file('h.json')], hangs);
    expect([code, lines.join('\n')]).toEqual([1, expect.stringMatching(/✗ charset .* hangs/)]);
    expect(report('h.json').trials[0]).toMatchObject({ verdict: 'hangs', change: { path: 'content-type' } });
    // One that nobody waits for may stay as a zombie.
    const left = execFileSync('sh', ['-c', 'ps -eo stat,args | grep -c "^[^Z].* sleep 3[7]77" || true'], {
      encoding: 'utf8',
    });
    expect(left.trim()).toBe('0');
  }, 60_000);

  test('GA3: a process that a suite starts in a group of its own holds up nothing', async () => {
    const leaves = suites.alone(`
      const { spawn } = await import('node:child_process');
      const { appendFileSync } = await import('node:fs');
      const left = spawn('sleep', ['400'], { detached: true, stdio: 'inherit' });
      left.unref();
      appendFileSync('${file('left')}', left.pid + '\\n');
      await tpp.fetch('/v1/accounts');`);
    const child = spawn(process.execPath, [program, 'gauntlet', '--only', 'charset', '--', ...leaves]);
    expect(await once(child, 'exit')).toEqual([0, null]);
    const pids = readFileSync(file('left'), 'utf8').trim().split('\n').map(Number);
    // Each is still there, and can be killed.
    for (const pid of pids) expect(process.kill(pid)).toBe(true);
  }, 90_000);

  test.each([
    [[0.4, 0.2], 31_200],
    [[5, 5.5], 46_500],
    [[60, 20], 210_000],
    // A whole number: a fraction is no limit of a signal.
    [[32.2, 30], 126_600],
  ])('GA3: under a trial a suite with baselines of %j s may take %i ms', (baselines, ms) => {
    expect(limitMs(baselines)).toBe(ms);
  });

  test('GA3: without --timeout a suite that hangs is ended after three baselines and 30 s', async () => {
    const hangs = suites.alone(`
      const answer = await tpp.fetch('/v1/accounts');
      if (!answer.headers.get('content-type').includes('UTF-8')) process.exit(0);
      await new Promise((done) => setTimeout(done, 3_771_000));`);
    const { timeout } = AbortSignal;
    const limits: number[] = [];
    // A baseline may take ten minutes; the limit of the trial is over soon.
    AbortSignal.timeout = (ms) => {
      limits.push(ms);
      return timeout.call(AbortSignal, ms < 600_000 ? 3_000 : ms);
    };
    const ended = gauntlet(['--only', 'charset', '--json', file('long.json')], hangs);
    const { code } = await ended.finally(() => (AbortSignal.timeout = timeout));
    const { baseline, trials } = report('long.json');
    expect([code, trials.map(({ verdict }) => verdict)]).toEqual([1, ['hangs']]);
    // Of two baselines the report tells one.
    expect(limits).toEqual([600_000, 600_000, expect.any(Number)]);
    expect(limits[2]).toBeGreaterThanOrEqual(30_000 + 3_000 * baseline.seconds);
  }, 60_000);

  test('GA3: a break of a trial that did nothing is flaky; without the break it is not heard', async () => {
    const once = suites.command(
      `
      const { existsSync, readFileSync, writeFileSync } = await import('node:fs');
      const runs = existsSync('${file('runs')}') ? Number(readFileSync('${file('runs')}', 'utf8')) : 0;
      writeFileSync('${file('runs')}', String(runs + 1));
      await tpp.fetch('/v1/accounts');
      if (runs === 2) process.exit(1);`,
      `{ quirks: '-strict-signing' }`,
    );
    const flags = ['--jobs', '1', '--only', 'strict-signing'];
    const { code, lines } = await gauntlet(flags, once);
    expect([code, lines.join('\n')]).toEqual([0, expect.stringMatching(/strict-signing .* flaky/)]);
    expect((await gauntlet(flags, once)).lines).toContain('  - every bank sets it itself: strict-signing');
  }, 60_000);

  test('GA3: a bank of --server that does not start under a trial is the verdict of that trial', async () => {
    const hook = file('hook.mjs');
    writeFileSync(
      hook,
      `import { readFileSync } from 'node:fs';
      if (process.argv.includes('serve') && readFileSync(process.env.SANDBANK_TRIAL, 'utf8').includes('plain-json')) {
        console.error('no start');
        process.exit(3);
      }`,
    );
    const calls = suites.program(`await fetch(process.env.BANK + '/v1/accounts');`);
    const flags = ['--server', '--only', 'plain-json,strict-signing', '--json', file('start.json')];
    await gauntlet(flags, calls, { NODE_OPTIONS: `--import ${hook}` });
    expect(report('start.json').trials.map(({ name, verdict, output }) => [name, verdict, output])).toEqual([
      ['strict-signing', 'survived', null],
      ['plain-json', 'broke', 'The bank of --server did not start: no start'],
    ]);
  }, 60_000);

  test('a bank of --server whose greeting comes in two pieces is reached', async () => {
    const hook = file('pieces.mjs');
    writeFileSync(
      hook,
      `const write = process.stdout.write.bind(process.stdout);
      process.stdout.write = (text, ...more) => {
        write(text.slice(0, 10));
        setTimeout(() => write(text.slice(10), ...more), 100);
        return true;
      };`,
    );
    const env = { ...process.env, NODE_OPTIONS: `--import ${hook}` };
    await using bank = await startBank(env, new AbortController().signal);
    expect(bank.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  }, 20_000);

  test('GA2: of parallel calls of an operation the wire strikes one', async () => {
    const parallel = suites.command(`
      const { headers } = await tpp.consent({ psu: '13039319955' });
      const answers = await Promise.all([1, 2, 3].map(() => tpp.fetch('/v1/accounts', { headers })));
      assert.ok(answers.filter(({ status }) => status === 503).length < 2);`);
    const { lines } = await gauntlet(['--only', 'gateway'], parallel);
    expect(lines.join(' ')).toMatch(/gateway .* survived/);
  }, 60_000);

  test.each([
    ['a suite', [], 'sleep'],
    ['a bank of --server', ['--server'], 'serve'],
  ])(
    'a stop in the first baseline ends the gauntlet at once: %s',
    async (_what, flags, seen) => {
      const words = [program, 'gauntlet', '--jobs', '1', ...flags, '--', 'sleep', '3781'];
      const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] });
      const ofChild = (): string =>
        execFileSync('sh', ['-c', `ps --ppid ${child.pid} -o args= || true`], { encoding: 'utf8' });
      while (!ofChild().includes(seen)) await new Promise((done) => setTimeout(done, 20));
      child.kill('SIGINT');
      let said = '';
      for await (const part of child.stderr.setEncoding('utf8')) said += part as string;
      expect([child.exitCode ?? (await once(child, 'exit'))[0], said]).toEqual([
        2,
        expect.stringContaining('Stopped: the baseline has not ended.'),
      ]);
    },
    20_000,
  );

  test('a stop prints and writes what is known, and ends the suites', async () => {
    const command = suites.alone(`
      await tpp.fetch('/v1/accounts');
      if ((await tpp.fetch('/v1/accounts')).headers.get('content-type').includes('UTF-8')) await new Promise((done) => setTimeout(done, 3_779_000));`);
    const words = [program, 'gauntlet', '--jobs', '1', '--only', 'plain-json,charset', '--json', file('stopped.json')];
    const child = spawn(process.execPath, [...words, '--', ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
    const said: string[] = [];
    for await (const line of child.stdout.setEncoding('utf8')) {
      said.push(line as string);
      if (!child.killed && /plain-json .* survived/.test(said.join(''))) child.kill('SIGINT');
    }
    expect([child.exitCode ?? (await once(child, 'exit'))[0], said.join('')]).toEqual([
      2,
      expect.stringContaining('survived 1 of 1'),
    ]);
    expect(report('stopped.json').trials.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['plain-json', 'survived'],
    ]);
  }, 60_000);

  test.each([
    ['another version', '{"version":2,"trial":null}'],
    ['a trial that is newer', '{"version":1,"trial":"newer","late":"PT3S"}'],
    ['no JSON', '{'],
  ])('GA2: a trial file that the harness cannot read: %s', (what, text) => {
    const trial = file(`${what}.json`);
    writeFileSync(trial, text);
    const [program = '', ...words] = suites.command('');
    const { stderr } = spawnSync(program, words, { env: { ...process.env, SANDBANK_TRIAL: trial }, encoding: 'utf8' });
    expect(stderr).toContain(
      'which names no trial of this version of sandbank: the gauntlet and the tests need the same version',
    );
  });

  test('a gauntlet within a gauntlet is refused; two beside each other keep to their own files', async () => {
    const { code, errors } = await gauntlet([], ['true'], { SANDBANK_TRIAL: '/tmp/trial.json' });
    expect([code, errors.join(' ')]).toEqual([2, expect.stringContaining('a gauntlet runs this already')]);
    const command = suites.command(reads);
    const flags = [['charset,gateway', '--min-survived', '1'], ['gateway']];
    const both = await Promise.all(flags.map((only) => gauntlet(['--only', ...only], command)));
    // So many survivals are enough, though one broke.
    expect(both.map(({ code, lines }) => [code, /survived \d of \d/.exec(lines.join('\n'))?.[0]])).toEqual([
      [0, 'survived 1 of 2'],
      [1, 'survived 0 of 1'],
    ]);
  }, 60_000);
});
