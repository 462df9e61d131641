import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { GauntletReport } from '../../../api/harness/types/gauntlet.ts';
import { startBank } from '../../../scripts/gauntlet/run-suite.ts';
import { gauntlet, Suites } from '../../gauntlet/suites.ts';
import { program } from '../../support/program.ts';

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
    expect(text).toContain(`docs/gauntlet.md#gateway; again: sandbank gauntlet --only gateway -- ${command.join(' ')}`);
    expect(text).toMatch(/- no test reads a card: no-cards-404/);
    expect(text).toContain('survived 1 of 3; 2 were not heard by any test');
    const { version, baseline, trials, notMet } = report('r.json');
    expect({ version, command: report('r.json').command }).toEqual({ version: 1, command });
    expect(baseline).toMatchObject({ tests: null, calls: 2, flaky: false });
    expect(trials.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['no-cards-404', 'not heard'],
      ['plain-json', 'survived'],
      ['gateway', 'broke'],
      ['member-order', 'broke'],
      ['before-easter', 'not heard'],
    ]);
    expect(trials.find(({ name }) => name === 'member-order')).toMatchObject({
      tests: [],
      output: expect.stringContaining('ERR_ASSERTION'),
      change: { call: 'GET /v1/accounts', path: 'answer', after: expect.stringContaining('links') },
      heardBy: 'GET /v1/accounts',
    });
    expect(trials[1]?.banks).toContain('sparebank1-sor-norge-sr');
    expect(notMet.operations).toContainEqual({
      name: 'GET /v1/card-accounts',
      scenario: 'before-a-change',
    });
    expect(notMet.statuses.map(({ name }) => name)).toEqual(['ACSC', 'RJCT', 'CANC', 'PART']);
    const xml = readFileSync(file('r.xml'), 'utf8');
    expect(xml).toContain('<testsuite name="gauntlet" tests="5" failures="2" skipped="2">');
    expect(xml).toMatch(/name="gateway" [^>]*><failure type="broke"/);
    // What broke, again; so many survivals are enough.
    const again = await gauntlet(['--since', file('r.json'), '--json', file('again.json')], command);
    expect([again.code, report('again.json').trials.map(({ name }) => name)]).toEqual([1, ['gateway', 'member-order']]);
    expect((await gauntlet(['--only', 'plain-json,gateway', '--min-survived', '1'], command)).code).toBe(0);
  }, 120_000);

  test('GA2: a trial stays beneath what the test sets itself; named banks carry it; the harness is spared', async () => {
    const flags = ['--only', 'fee-indicator,plain-json', '--json', file('own.json')];
    const paysBy = (quirks: string) =>
      suites.command(
        `
      const order = { from: '09232911044', to: '90491105991', amount: '1.00' };
      assert.ok(await tpp.pay(order));`,
        `{ now: '2027-03-24T12:00:00+01:00', quirks: '${quirks}' }`,
      );
    const on = await gauntlet(flags, paysBy('fee-indicator'));
    expect(on.lines.join('\n')).toContain('no test reads an answer that it changes: fee-indicator');
    await gauntlet(flags, paysBy('-fee-indicator'));
    expect(report('own.json').trials.map(({ verdict }) => verdict)).toEqual(['not heard', 'survived']);
    const pays = suites.command(`await tpp.pay({ from: '09232911044', to: '90491105991', amount: '1.00' });`, '{}');
    await gauntlet(
      ['--only', 'cut,closed,sca-cancelled,fee-indicator,id-lengths,leap-day', '--json', file('pays.json')],
      pays,
    );
    expect(
      report('pays.json').trials.map(({ name, value, verdict, heardBy, notHeard }) => [
        name,
        value,
        verdict,
        heardBy ?? notHeard,
      ]),
    ).toEqual([
      ['id-lengths', 'transaction:241/payment:69/resource:49/unpadded', 'survived', 'POST /v1/payments/{product}'],
      ['fee-indicator', null, 'survived', 'POST /v1/payments/{product}'],
      ['cut', null, 'not heard', 'no test calls the bank by its own client'],
      ['closed', null, 'not heard', 'no test calls the bank by its own client'],
      ['leap-day', '2028-02-29T12:00:00+01:00', 'survived', 'createBank without now'],
      ['sca-cancelled', null, 'not heard', 'no test has a PSU answer an SCA'],
    ]);
  }, 120_000);
});

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

test('GA2: where answers are signed, a digest that is another tells a client that does not verify from one that does', async () => {
  const verifies = suites.command(
    `const { createHash } = await import('node:crypto');
    const { headers } = await tpp.consent({ psu: '13039319955' });
    const read = await tpp.fetch('/v1/accounts', { headers });
    const own = 'SHA-256=' + createHash('sha256').update(await read.text()).digest('base64');
    assert.equal(read.headers.get('digest'), own);`,
    `{ now: '2027-03-24T12:00:00+01:00', quirks: 'signed-answers' }`,
  );
  await gauntlet(['--only', 'wrong-digest', '--json', file('digest.json')], verifies);
  expect(report('digest.json').trials[0]).toMatchObject({
    verdict: 'broke',
    change: { call: 'GET /v1/accounts', path: 'trial', after: expect.stringContaining('belongs to another body') },
  });
}, 60_000);

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

  test('GA3: a suite that hangs under a trial is ended with all of its group, and what one leaves behind too', async () => {
    const hangs = suites.command(`
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
    const command = suites.command(`
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
    ['another version', '{"version":2}', 'it has version 2, and this sandbank reads version 1'],
    [
      'a trial that is newer',
      '{"version":1,"trial":"newer","late":"PT3S"}',
      'this version of sandbank has no trial newer',
    ],
    ['no JSON', '{', 'cannot be read'],
  ])('GA2: a trial file that the harness cannot read: %s', (_what, text, says) => {
    writeFileSync(file('trial.json'), text);
    const [program = '', ...words] = suites.command('');
    const run = (): string =>
      execFileSync(program, words, {
        env: { ...process.env, SANDBANK_TRIAL: file('trial.json') },
        encoding: 'utf8',
        stdio: 'pipe',
      });
    expect(run).toThrow(says);
    expect(run).toThrow('the gauntlet and the tests need the same version of sandbank');
  });

  test('a gauntlet within a gauntlet is refused; two beside each other keep to their own files', async () => {
    const { code, errors } = await gauntlet([], ['true'], { SANDBANK_TRIAL: '/tmp/trial.json' });
    expect([code, errors.join(' ')]).toEqual([2, expect.stringContaining('a gauntlet runs this already')]);
    const command = suites.command(reads);
    const both = await Promise.all(['charset', 'gateway'].map((name) => gauntlet(['--only', name], command)));
    expect(both.map((ended) => ended.code)).toEqual([0, 1]);
  }, 60_000);
});
