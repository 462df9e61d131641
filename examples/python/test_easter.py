"""What is due at Easter is paid on the banking day after it. Needs Python 3.8 or newer, and no package.

python3 test_easter.py                                starts a bank with $SANDBANK, or else with npx
BANK=http://127.0.0.1:7263 python3 test_easter.py     uses a running one, such as a container
In a clone, with Node 24: SANDBANK='node ../../scripts/sandbank.js' python3 test_easter.py
"""
import json
import os
import subprocess
import time
import unittest
import urllib.error
import urllib.request
import uuid

PSU = '13039319955'
NOT_STARTED = 'No bank started: npm install the package sandbank here, or set SANDBANK to its command or BANK to the address of a bank.'
PAYMENTS = '/v1/payments/norwegian-domestic-credit-transfers'


def call(method, address, body=None, headers={}):
    """Sends JSON and returns the answer; raises an OSError if the bank refuses."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {'Content-Type': 'application/json', **headers}, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        raise OSError(f'{method} {address}: {refusal.code} {refusal.read().decode()}') from None


class Easter(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = os.environ.get('BANK')
        if not cls.server:
            command = os.environ.get('SANDBANK', 'npx --no sandbank').split()
            flags = ['serve', '--port', '0', '--ledger', ':memory:', '--json']
            try:
                process = subprocess.Popen(command + flags, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            except OSError:
                raise SystemExit(NOT_STARTED) from None
            cls.addClassCleanup(process.communicate)
            cls.addClassCleanup(process.terminate)
            greeting = process.stdout.readline()
            if not greeting:
                raise SystemExit(NOT_STARTED)
            cls.server = json.loads(greeting)['address']
        for attempt in range(300):
            try:
                return call('GET', f'{cls.server}/ready')
            except OSError:
                time.sleep(0.1)
        raise TimeoutError(f'{cls.server} is not ready')

    def setUp(self):
        """Each test has a bank of its own, at noon on the Wednesday before Easter."""
        name = f'easter-{uuid.uuid4()}'
        call('POST', f'{self.server}/sandbox/banks', {'name': name, 'now': '2027-03-24T12:00:00+01:00', 'mode': 'frozen'})
        self.addCleanup(call, 'DELETE', f'{self.server}/sandbox/banks/{name}')
        self.bank = f'{self.server}/banks/{name}'
        # The bank signs plain requests below /sandbox/as/{tpp}, as the TPP of that name.
        self.tpp = f'{self.bank}/sandbox/as/python'

    def paid_on(self, due):
        """Pays, has the PSU sign, and moves the clock until the payment has settled; the date on which it did."""
        account = lambda bban: {'bban': bban, 'currency': 'NOK'}
        order = {'instructedAmount': {'amount': '250.00', 'currency': 'NOK'}, 'debtorAccount': account('09232911044'),
                 'creditorAccount': account('90491105991'), 'creditorName': 'Company 123', 'requestedExecutionDate': due}
        payment = call('POST', self.tpp + PAYMENTS, order, {'X-PSU-IDENTITY': PSU, 'PSU-Context': 'PRIVATE'})
        sca = payment['_links']['scaRedirect']['href'].split('/')[-1]
        call('POST', f'{self.bank}/sandbox/sca/{sca}', {'outcome': 'approve', 'psu': PSU, 'context': 'PRIVATE'})
        until = {'until': {'paymentId': payment['paymentId'], 'status': 'ACSC'}}
        moved = call('POST', f'{self.bank}/sandbox/clock/advance', until)
        status = call('GET', self.tpp + payment['_links']['status']['href'])
        self.assertEqual(status['transactionStatus'], 'ACSC')
        return moved['to'][:10]

    def test_due_on_maundy_thursday_paid_on_tuesday(self):
        self.assertEqual(self.paid_on('2027-03-25'), '2027-03-30')

    def test_due_on_the_wednesday_before_paid_at_once(self):
        self.assertEqual(self.paid_on('2027-03-24'), '2027-03-24')


if __name__ == '__main__':
    unittest.main()
