import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { program } from '../../support/program.ts';
import { isWhole, oneOf } from '../../support/sample.ts';
import { testWith } from '../../support/test-with.ts';
import { testBank } from '../../support/test-bank.ts';

interface Example {
  readonly file: string;
  /** What runs it in its folder. */
  readonly command: readonly [program: string, ...args: string[]];
  /** What prints the version of the language, and the oldest that runs it: 3.8 is 308. */
  readonly version: readonly string[];
  readonly oldest: number;
}

/** Each runs where the machine has the language. */
const examples: Readonly<Record<string, Example>> = {
  Python: {
    file: 'examples/python/test_easter.py',
    command: ['python3', '-B', 'test_easter.py'],
    version: ['--version'],
    oldest: 308,
  },
  Java: { file: 'examples/java/Easter.java', command: ['java', 'Easter.java'], version: ['--version'], oldest: 1700 },
  Go: {
    file: 'examples/go/easter_test.go',
    command: ['go', 'test', '-count=1', 'easter_test.go'],
    version: ['version'],
    oldest: 119,
  },
};

/** Whether the machine has the language, new enough. */
function isHere({ command, version, oldest }: Example): boolean {
  const { stdout } = spawnSync(command[0], version, { encoding: 'utf8' });
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  return Number(major) * 100 + Number(minor) >= oldest;
}

/** Compiles a short program less, which is half of what it takes. */
const quickJava = { JDK_JAVA_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' };

interface Ran {
  readonly failed: boolean;
  readonly said: string;
}

function run({ command, file }: Example, env: Readonly<Record<string, string>>, folder = dirname(file)): Promise<Ran> {
  const [program, ...args] = command;
  return new Promise((done) => {
    execFile(
      program,
      args,
      { cwd: folder, env: { ...process.env, ...quickJava, BANK: undefined, SANDBANK: undefined, ...env } },
      (error, out, err) => done({ failed: error !== null, said: out + err }),
    );
  });
}

/** The first banking day from a date on, by the holidays of tests/data and not by our calendar. */
function bankingDay(date: string): string {
  const holidays = readFileSync('tests/data/norway-holidays.tsv', 'utf8');
  const day = new Date(`${date}T00:00:00Z`);
  const next = (): string => day.toISOString().slice(0, 10);
  while (day.getUTCDay() % 6 === 0 || holidays.includes(`\n${next()}\t`)) day.setUTCDate(day.getUTCDate() + 1);
  return next();
}

const bank = testBank('2026-06-01T12:00:00+02:00');
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-examples-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const [drawn] = oneOf(
  'examples',
  Object.entries(examples).flatMap(([language, example]) => (isHere(example) ? [language] : [])),
);

describe.each(Object.entries(examples))('the Easter story in %s', (language, example) => {
  const text = readFileSync(example.file, 'utf8');
  const here = testWith(isHere(example), language);

  test('has the dates of the calendar', () => {
    const due = ['2027-03-24', '2027-03-25'];
    const dates = new Set([...due, ...due.map(bankingDay)]);
    expect(bankingDay('2027-03-25')).toBe('2027-03-30');
    expect(new Set(text.match(/2027-03-\d\d(?=['"])/g))).toEqual(dates);
  });

  const clone = /In a clone, with Node 24: SANDBANK='node (\S+)' (.*)$/m.exec(text);

  test('says at its head how it starts a bank of the clone', () => {
    const [, script = '', words = ''] = clone ?? [];
    expect(resolve(dirname(example.file), script)).toBe(program);
    const plain = example.command.filter((word) => !word.startsWith('-'));
    expect(words).toBe(plain.join(' '));
  });

  here(
    'starts a bank, passes, and ends the bank',
    async () => {
      const pid = join(folder, `${language}.pid`);
      const start = join(folder, `${language}.sh`);
      writeFileSync(start, `echo $$ >'${pid}'\nexec '${process.execPath}' '${clone?.[1]}' "$@" 2>/dev/null\n`);
      expect(await run(example, { SANDBANK: `sh ${start}` })).toMatchObject({ failed: false });
      await expectEnded(Number(readFileSync(pid, 'utf8')));
    },
    180_000,
  );

  // How it fails is tried in one language of this machine.
  if (!isWhole && language !== drawn) return;

  here(
    'ends in one line where there is no package',
    async () => {
      const name = basename(example.file);
      writeFileSync(join(folder, name), text);
      const { failed, said } = await run(example, { SANDBANK: 'node /nowhere/sandbank.js' }, folder);
      expect(failed).toBe(true);
      const told = said.split('\n').filter((line) => !/^(NOTE: |Picked up |FAIL\b|$)/.test(line));
      expect(told).toEqual([expect.stringMatching(/^No bank started: npm install the package sandbank here, or set /)]);
    },
    180_000,
  );

  here(
    'says so when the bank is not ready in time',
    async () => {
      writeFileSync(join(folder, basename(example.file)), text.replace('300', '1'));
      const { failed, said } = await run(example, { BANK: 'http://127.0.0.1:1' }, folder);
      expect([failed, said]).toEqual([true, expect.stringContaining('http://127.0.0.1:1 is not ready')]);
    },
    180_000,
  );

  here(
    'fails for a wrong date; in a bank that runs each test has a named bank, and removes it',
    async () => {
      const name = basename(example.file);
      writeFileSync(join(folder, name), text.replace('2027-03-30', '2027-03-31'));
      const { failed, said } = await run(example, { BANK: bank.address }, folder);
      expect(failed).toBe(true);
      expect(said).toMatch(/2027-03-3[01].*2027-03-3[01]/s);
      expect((await bank.control('GET', '/sandbox/banks')).body.banks).toHaveLength(1);
      expect((await bank.control('GET', '/sandbox/clock')).body.now).toBe('2026-06-01T12:00:00.000+02:00');
    },
    180_000,
  );
});

describe('the Easter story in JUnit', () => {
  const file = 'examples/java/EasterTest.java';
  const text = readFileSync(file, 'utf8');
  /** JUnit 5 as Debian's package junit5 installs it. */
  const jars = ['junit-jupiter-api', 'junit-jupiter-engine', 'junit-jupiter-params', 'junit-platform-commons']
    .concat('junit-platform-console', 'junit-platform-engine', 'junit-platform-launcher', 'junit-platform-reporting')
    .concat('apiguardian-api', 'opentest4j', 'opentest4j-reporting-events', 'opentest4j-reporting-schema', 'picocli')
    .concat('univocity-parsers')
    .map((name) => `/usr/share/java/${name}.jar`);
  const classPath = [...jars, '.'].join(':');
  const script =
    `javac -d . -cp ${classPath} EasterTest.java && ` +
    `java -cp ${classPath} org.junit.platform.console.ConsoleLauncher --scan-classpath . --details=tree`;
  const example: Example = { file, command: ['sh', '-ec', script], version: [], oldest: 0 };
  const here =
    existsSync(jars[0] ?? '') && isHere({ ...example, command: ['javac'], version: ['-version'], oldest: 1700 });
  const inFolder = (content: string): string => {
    const own = mkdtempSync(join(folder, 'junit-'));
    writeFileSync(join(own, basename(file)), content);
    return own;
  };

  test('is the story of the others', () => {
    const due = ['2027-03-24', '2027-03-25'];
    expect(new Set(text.match(/2027-03-\d\d(?=')/g))).toEqual(new Set([...due, ...due.map(bankingDay)]));
  });

  testWith(here, 'JUnit')(
    'passes with a bank that each class starts and ends; in a bank that runs it fails for a wrong date, and removes its named bank',
    async () => {
      const pid = join(folder, 'junit.pid');
      const start = join(folder, 'junit.sh');
      writeFileSync(start, `echo $$ >'${pid}'\nexec '${process.execPath}' '${program}' "$@" 2>/dev/null\n`);
      const passed = await run(
        example,
        { SANDBANK: `sh ${start}` },
        inFolder(`${text}\nclass AgainTest extends EasterTest {}\n`),
      );
      expect(passed).toMatchObject({ failed: false, said: expect.stringContaining('4 tests successful') });
      await expectEnded(Number(readFileSync(pid, 'utf8')));
      const wrong = inFolder(text.replace("'2027-03-30'", "'2027-03-31'"));
      const { failed, said } = await run(example, { BANK: bank.address }, wrong);
      expect([failed, said]).toEqual([true, expect.stringContaining('expected: <2027-03-31> but was: <2027-03-30>')]);
      expect((await bank.control('GET', '/sandbox/banks')).body.banks).toHaveLength(1);
    },
    180_000,
  );
});

/** Waits for the end of a process that has been told to end. */
async function expectEnded(pid: number): Promise<void> {
  const isAlive = (): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  for (let waited = 0; isAlive() && waited < 100; waited += 1) await new Promise((done) => setTimeout(done, 100));
  const left = isAlive();
  if (left) process.kill(pid, 'SIGKILL');
  expect(left).toBe(false);
}

const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0;

testWith(hasPytest, 'pytest')(
  'sandbank_pytest.py gives each test a bank of its own, and a red test leaves its bank',
  async () => {
    const place = mkdtempSync(join(tmpdir(), 'sandbank-pytest-'));
    const write = (name: string, text: string): void => writeFileSync(join(place, name), text);
    write('sandbank_pytest.py', readFileSync('examples/python/sandbank_pytest.py', 'utf8'));
    write('conftest.py', "pytest_plugins = ['sandbank_pytest']\n");
    write(
      'test_own.py',
      `import pytest

PAYMENT = {
    'instructedAmount': {'amount': '100.00', 'currency': 'NOK'}, 'creditorName': 'Company 123', 'requestedExecutionDate': '2027-03-25',
    'debtorAccount': {'bban': '09232911044', 'currency': 'NOK'}, 'creditorAccount': {'bban': '90491105991', 'currency': 'NOK'},
}

@pytest.mark.parametrize('turn', [1, 2])
def test_settles_after_easter(bank, turn):
    assert bank.control('GET', '/payments')['payments'] == []
    headers = {'X-PSU-IDENTITY': '13039319955', 'PSU-Context': 'PRIVATE'}
    paid = bank.ask('POST', '/v1/payments/norwegian-domestic-credit-transfers', PAYMENT, headers)
    bank.approve(paid['_links']['scaRedirect']['href'], '13039319955')
    bank.advance(to='2027-03-29')
    assert bank.control('GET', '/payments')['payments'][0]['status'] == 'ACSP'
    bank.advance(to='2027-03-31')
    assert bank.control('GET', '/payments')['payments'][0]['status'] == 'ACSC'

@pytest.mark.bank(now='2027-05-14')
def test_another_day(bank):
    assert bank.control('GET', '/clock')['date'] == '2027-05-14'

def test_red(bank):
    assert bank.name == 'another'
`,
    );
    const example = {
      file: 'test_own.py',
      command: ['python3', '-B', '-m', 'pytest', '-q'],
      version: [],
      oldest: 0,
    } as const;
    const { said } = await run(example, { BANK: bank.address }, place);
    expect(said).toContain('1 failed, 3 passed');
    expect(said).toContain('npx --no sandbank open sandbank/test_red.sandbank');
    expect(readFileSync(join(place, 'sandbank/test_red.sandbank'), 'latin1')).toMatch(/^sandbank-bundle /);
    expect((await bank.control('GET', '/sandbox/banks')).body.banks).toHaveLength(1);
    rmSync(place, { recursive: true });
  },
);
