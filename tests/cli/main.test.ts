import assert from 'node:assert/strict';
import { describe, expect, test } from '@jest/globals';
import { optionsOf, settingsOf } from '../../scripts/cli/arguments.ts';
import { commands } from '../../scripts/commands/index.ts';
import { readConfig, serviceVariables } from '../../api/start/config.ts';
import { runMain } from '../support/recorded-terminal.ts';

const names = [...commands.keys()];

test.each([['--help'], ['-h'], ['help'], ['help', '--help']])(
  '%s shows every command and every setting',
  async (...args) => {
    const { code, lines, errors } = await runMain(args);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    for (const name of names) expect(lines.filter((line) => line.startsWith(`  ${name} `))).toHaveLength(1);
    expect(lines.join('\n')).toContain('SANDBANK_CONTROL_TOKEN');
  },
);

describe.each(names)('%s', (name) => {
  test('help says the same however it is asked for, 80 columns wide', async () => {
    const { code, lines } = await runMain(['help', name]);
    expect([code, lines[0]?.startsWith(`usage: sandbank ${name} `)]).toEqual([0, true]);
    // A flag behind `--` would be one of the command of somebody else.
    const usage = lines.slice(0, lines.indexOf('')).join(' ');
    expect(usage).not.toMatch(/ -- .*\[--/);
    expect((await runMain([name, '--help'])).lines).toEqual(lines);
    expect((await runMain([name, 'x', '-h'])).lines).toEqual(lines);
    for (const flag of optionsOf((await commands.get(name)?.())?.flags ?? {}))
      expect(lines.join('\n')).toContain(`--${flag.name()}`);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(lines.at(-1)).toMatch(/^ {2}sandbank /);
  });

  test('its usage line has each of its own flags, and no flag that it does not take', async () => {
    const command = await commands.get(name)?.();
    assert.ok(command);
    const [usage = ''] = (await runMain(['help', name])).lines.join('\n').split('\n\n');
    const named = [...usage.matchAll(/--([a-z][a-z-]*)/g)].map(([, flag]) => flag);
    const own = optionsOf(command.flags).map((option) => option.name());
    const taken = [...own, ...settingsOf(command).map(({ flag }) => flag)];
    expect(own.filter((flag) => !named.includes(flag))).toEqual([]);
    expect(named.filter((flag) => !taken.includes(flag ?? ''))).toEqual([]);
    // Each once.
    expect(named).toHaveLength(new Set(named).size);
  });

  test('an unknown flag is one line and 2', async () => {
    const { code, lines, errors } = await runMain([name, '--colour', 'red']);
    expect({ code, lines }).toEqual({ code: 2, lines: [] });
    expect(errors).toEqual([expect.stringMatching(/^--colour is no flag here \(.*--help/)]);
  });
});

test.each([
  ['toString', ''],
  ['__proto__', ''],
  ['constructor', ''],
  ['', ''],
  ['resset', '; the nearest is reset'],
  ['cert', '; the nearest is certificate'],
])('%j is no command%s', async (name, hint) => {
  for (const args of [[name], [name, '--help'], ['help', name]]) {
    const { code, lines, errors } = await runMain(args);
    expect({ code, lines }).toEqual({ code: 2, lines: [] });
    expect(errors).toEqual([
      `There is no command ${JSON.stringify(name)}${hint}.`,
      `There are ${names.join(', ')}; sandbank help tells more.`,
    ]);
  }
});

test('C26: without a command the flags are those of serve', async () => {
  expect((await runMain(['--prot', '1'])).errors).toEqual([
    expect.stringContaining('the nearest is --port (sandbank serve'),
  ]);
  expect((await runMain(['--port', 'x'])).errors).toEqual(['--port is "x": expected a port from 0 to 65535']);
});

test('a variable of our prefix that does not exist is told by every command that reads settings', async () => {
  const { code, errors } = await runMain(['ready'], { env: { SANDBANK_PROT: '1' } });
  expect([code, errors]).toEqual([2, [expect.stringContaining('SANDBANK_PROT is no setting')]]);
});

test('C26: the variables of a service named sandbank are no settings, and a setting keeps its name', () => {
  const service = {
    SANDBANK_SERVICE_HOST: '10.0.0.7',
    SANDBANK_SERVICE_PORT: '7263',
    SANDBANK_SERVICE_PORT_HTTP: '7263',
    SANDBANK_PORT: 'tcp://10.0.0.7:7263',
    SANDBANK_PORT_8080_TCP: 'tcp://10.0.0.7:8080',
    SANDBANK_PORT_8080_TCP_ADDR: '10.0.0.7',
    SANDBANK_NAME: '/job/sandbank',
    SANDBANK_ENV_NODE_VERSION: '24',
  };
  const config = readConfig({ ...service, SANDBANK_QUIRKS: 'pending-dates', PORT: '7300' }, []);
  expect([config.port, config.quirks.has('pending-dates')]).toEqual([7300, true]);
  expect(serviceVariables({ ...service, SANDBANK_QUIRKS: '', PATH: '' })).toEqual(Object.keys(service));
  for (const name of ['SANDBANK_SERVICE', 'SANDBANK_PORTS', 'SANDBANK_NAMES', 'SANDBANK_ENV'])
    expect(() => readConfig({ [name]: '1' }, [])).toThrow(`${name} is no setting`);
});

test.each([
  ['SANDBANK_PROT', 'PORT'],
  ['SANDBANK_HOTS', 'HOST'],
  ['SANDBANK_QUIRK', 'SANDBANK_QUIRKS'],
])('%s: the nearest setting is %s', async (name, hint) => {
  const { errors } = await runMain(['ready'], { env: { [name]: '1' } });
  expect(errors).toEqual([`${name} is no setting; the nearest is ${hint}. --help lists all.`]);
});
