/*
 * Sandbank in a container, for Testcontainers. Copy this file. Needs testcontainers 11 (npm), and the image `sandbank`
 * (docker build -t sandbank . in a clone).
 *
 *   const bank = await startSandbank();
 *   await bank.advance({ runs: 1 });
 *   await bank.stop();
 */
import { GenericContainer, Wait } from 'testcontainers';

const token = 'a-token-for-these-tests';

/**
 * Starts a bank with a frozen clock. Its `url` has no slash at the end; `control` makes a call of the control plane; `advance` moves the clock:
 * `{ by: 'P3D' }`, `{ to: '2027-03-31' }`, `{ runs: 1 }`.
 *
 * @param {{ image?: string, now?: string, seed?: string }} [options] `now`: where the clock starts; `seed`: with the same seed the same calls give the same ids.
 */
export async function startSandbank({ image = 'sandbank', now = '2027-03-24T12:00:00+01:00', seed = 'tests' } = {}) {
  const container = await new GenericContainer(image)
    .withExposedPorts(7263)
    .withEnvironment({
      SANDBANK_LEDGER: ':memory:',
      SANDBANK_CLOCK_MODE: 'frozen',
      SANDBANK_CLOCK_NOW: now,
      SANDBANK_ID_SEED: seed,
      SANDBANK_CONTROL_TOKEN: token,
      SANDBANK_TPP_TRUST: 'any',
    })
    .withWaitStrategy(Wait.forHttp('/ready', 7263))
    .start();
  const url = `http://${container.getHost()}:${container.getMappedPort(7263)}`;
  /** @type {(method: string, path: string, body?: object) => Promise<unknown>} */
  const control = async (method, path, body) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const answer = await fetch(`${url}/sandbox${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  return {
    url,
    control,
    /** @param {object} until */
    advance: (until) => control('POST', '/clock/advance', until),
    stop: () => container.stop(),
  };
}
