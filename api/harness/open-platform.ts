import { createBank, requireNode } from './create-bank.ts';
import { bankSettings } from '../start/settings.ts';
import { membersGiven } from './given.ts';
import type { OpenPlatform, PlatformBank } from './types.ts';

/** The settings that a bank holds are those of its profile. */
const others: readonly string[] = ['profile', 'life', 'port', ...bankSettings.map(({ key }) => key)];

/** Opens every bank of the platform for a test, each as createBank opens a bank of its profile. */
export const openPlatform: OpenPlatform = async (options = {}) => {
  requireNode(process.versions.node);
  const { optionNames } = await import('./config-of.ts');
  const names = optionNames.filter((name) => !others.includes(name));
  membersGiven('openPlatform', names, options);
  const { platformEntry, platformIds } = await import('../start/platform.ts');
  const { listedProfile } = await import('../start/profile.ts');
  const banks: PlatformBank[] = [];
  const close = async (): Promise<void> => void (await Promise.all(banks.map((bank) => bank.close())));
  try {
    for (const id of platformIds()) {
      const profile = await listedProfile(id);
      // Else payments of two banks would have one id.
      const seed = options.idSeed === undefined ? {} : { idSeed: `${options.idSeed} ${id}` };
      const bank = await createBank({ ...options, ...seed, profile });
      banks.push({ ...bank, profile: platformEntry(profile) });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return Object.assign(banks, { close, [Symbol.asyncDispose]: close });
};
