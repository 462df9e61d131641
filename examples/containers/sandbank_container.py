"""Sandbank in a container, for Testcontainers. Copy this file. Needs the package testcontainers 4, and the image `sandbank`
(docker build -t sandbank . in a clone). The clock stands still until `advance` moves it.

    with SandbankContainer() as bank:
        bank.advance(runs=1)
"""
import json
import time
import urllib.error
import urllib.request

from testcontainers.core.container import DockerContainer

TOKEN = 'a-token-for-these-tests'


class SandbankContainer(DockerContainer):
    """A bank in a container. `now`: where the clock starts; `seed`: with the same seed the same calls give the same ids."""

    def __init__(self, image='sandbank', now='2027-03-24T12:00:00+01:00', seed='tests'):
        super().__init__(image)
        self.with_exposed_ports(7263)
        environment = {
            'SANDBANK_LEDGER': ':memory:',
            'SANDBANK_CLOCK_MODE': 'frozen',
            'SANDBANK_CLOCK_NOW': now,
            'SANDBANK_ID_SEED': seed,
            'SANDBANK_CONTROL_TOKEN': TOKEN,
            'SANDBANK_TPP_TRUST': 'any',
        }
        for name, value in environment.items():
            self.with_env(name, value)

    @property
    def url(self):
        """The address of the bank, without a slash at the end."""
        return f'http://{self.get_container_host_ip()}:{self.get_exposed_port(7263)}'

    def start(self):
        super().start()
        for attempt in range(300):
            try:
                urllib.request.urlopen(f'{self.url}/ready').close()
                return self
            except OSError:
                time.sleep(0.1)
        self.stop()
        raise TimeoutError('The bank was not ready in 30 seconds.')

    def control(self, method, path, body=None):
        """Makes a call of the control plane: bank.control('GET', '/payments'). Raises an OSError if the bank refuses."""
        data = None if body is None else json.dumps(body).encode()
        headers = {'Content-Type': 'application/json', 'Authorization': f'Bearer {TOKEN}'}
        request = urllib.request.Request(f'{self.url}/sandbox{path}', data, headers, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            raise OSError(f'{method} {path}: {refusal.code} {refusal.read().decode()}') from None

    def advance(self, **until):
        """Moves the clock: bank.advance(by='P3D'), bank.advance(to='2027-03-31'), bank.advance(runs=1)."""
        return self.control('POST', '/clock/advance', until)
