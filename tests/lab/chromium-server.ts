import { chromium } from 'playwright-core';

/*
 * Runs the Chromium of its argument for the process that started this one, tells it the address, and ends when that process has ended, however it did.
 */

/** Features of Chromium that are switched off. */
const unwanted = [
  // Two pages of the address bar, loaded with each window: as much work as opening the window.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // Only the last list counts: these are of playwright's own.
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** Of V8. No page lives long enough for optimised code to pay for its making: a fifth of the time of axe. */
const flags = ['--no-maglev', '--no-turbofan'];

const [, , program = ''] = process.argv;
const server = await chromium.launchServer({
  executablePath: program,
  args: ['--no-sandbox', `--disable-features=${unwanted.join(',')}`, `--js-flags=${flags.join(',')}`],
});
process.once('disconnect', () => void server.close());
// Should Chromium end by itself, nothing else keeps this process alive.
server.once('close', () => process.channel?.unref());
process.send?.(server.wsEndpoint());
