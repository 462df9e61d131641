"""A pytest plugin: the fixture `bank`, a bank whose clock stands still until the test moves it. Needs pytest 7 or newer, and no other package.

Copy this file beside your tests and write in conftest.py: pytest_plugins = ['sandbank_pytest']

    def test_a_payment_of_maundy_thursday_settles_after_easter(bank):
        bank.control('POST', '/clock/advance', {'to': '2027-03-31'})

$BANK is the address of a running bank, such as a container; without it the plugin starts one with $SANDBANK, or else with npx. Each test has the
known state at 2027-03-24T12:00:00+01:00; `@pytest.mark.bank(now='2027-05-14')` sets another instant, and other members of POST /sandbox/banks.
A red test leaves its bank as the file sandbank/TEST.sandbank: `npx --no sandbank open FILE` shows it.
"""
import json
import os
import pathlib
import re
import subprocess
import time
import urllib.error
import urllib.request
import uuid

import pytest

JSON = {'Content-Type': 'application/json'}


def send(method, address, body=None, headers=None):
    """Sends JSON and returns the bytes of the answer; raises an OSError if the bank refuses."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {**JSON, **(headers or {})}, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.read()
    except urllib.error.HTTPError as refusal:
        raise OSError(f'{method} {address}: {refusal.code} {refusal.read().decode()}') from None


class Bank:
    """A bank of one test. `url` is its address; `door` signs plain requests as the TPP `shop`."""

    def __init__(self, server, name):
        self.name = name
        self.url = f'{server}/banks/{name}'
        self.door = f'{self.url}/sandbox/as/shop'

    def control(self, method, path, body=None):
        """A call of the control plane: bank.control('GET', '/payments')."""
        return json.loads(send(method, f'{self.url}/sandbox{path}', body))

    def ask(self, method, path, body=None, headers=None):
        """A call of the interface through the unsigned door: bank.ask('GET', '/v1/accounts', headers={...})."""
        return json.loads(send(method, self.door + path, body, headers))

    def advance(self, **until):
        """Moves the clock: bank.advance(by='P3D'), bank.advance(to='2027-03-31'), bank.advance(runs=1)."""
        return self.control('POST', '/clock/advance', until)

    def approve(self, sca_redirect, psu, context='PRIVATE'):
        """The PSU signs. `sca_redirect` is the address in `_links.scaRedirect.href`."""
        sca = sca_redirect.split('?')[0].rsplit('/', 1)[1]
        return self.control('POST', f'/sca/{sca}', {'outcome': 'approve', 'psu': psu, 'context': context})

    def save(self, file):
        """Saves the bank as a file for `sandbank open`."""
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(send('GET', f'{self.url}/sandbox/bundle'))


def pytest_configure(config):
    config.addinivalue_line('markers', 'bank(**members): members of POST /sandbox/banks for the bank of this test')


@pytest.fixture(scope='session')
def sandbank_server():
    """The address of the server: that of $BANK, or of one that ends with the tests."""
    address, process = os.environ.get('BANK'), None
    if not address:
        command = os.environ.get('SANDBANK', 'npx --no sandbank').split()
        flags = ['serve', '--port', '0', '--ledger', ':memory:', '--json']
        process = subprocess.Popen(command + flags, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        greeting = process.stdout.readline()
        if not greeting:
            pytest.exit('No bank started: install the package sandbank here, or set SANDBANK to its command or BANK to an address.')
        address = json.loads(greeting)['address']
    for attempt in range(300):
        try:
            send('GET', f'{address}/ready')
            break
        except OSError:
            time.sleep(0.1)
    yield address
    if process is not None:
        process.terminate()
        process.communicate()


@pytest.hookimpl(tryfirst=True, hookwrapper=True)
def pytest_runtest_makereport(item):
    """Saves the bank of a red test."""
    outcome = yield
    report = outcome.get_result()
    bank = getattr(item, 'sandbank_bank', None)
    if report.when == 'call' and report.failed and bank is not None:
        file = pathlib.Path('sandbank', re.sub(r'[^\w.-]+', '-', item.name) + '.sandbank')
        try:
            bank.save(file)
            report.sections.append(('Sandbank', f'npx --no sandbank open {file} shows the bank as it was'))
        except OSError as problem:
            report.sections.append(('Sandbank', f'the bank was not saved: {problem}'))


@pytest.fixture
def bank(request, sandbank_server):
    """A bank of this test alone, with a frozen clock."""
    marker = request.node.get_closest_marker('bank')
    members = {'now': '2027-03-24T12:00:00+01:00', 'mode': 'frozen', **(marker.kwargs if marker else {})}
    own = Bank(sandbank_server, f'test-{uuid.uuid4()}')
    send('POST', f'{sandbank_server}/sandbox/banks', {'name': own.name, **members})
    request.node.sandbank_bank = own
    yield own
    send('DELETE', f'{sandbank_server}/sandbox/banks/{own.name}')
