"""A bank, a shop in Node and a job in Python live in one time. This program moves it, over HTTP.

In a clone, after npm ci, with Debian's faketime: python3 examples/one-clock/story.py
"""
import glob
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
NORA = {'psu': '13039319955', 'bban': '09232911044'}
PER = {'psu': '15817550018', 'bban': '34500000017'}
CLOSED = '99110000002'  # the bank returns what is paid to it on the next banking day


def ask(method, address, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {'Content-Type': 'application/json'}, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer), answer.headers['Date']


def start(command, env):
    """Starts a program; its first line has its address."""
    process = subprocess.Popen(command, env={**os.environ, **env}, stdout=subprocess.PIPE, text=True)
    started.append(process)
    return process.stdout.readline()


def control(method, path, body=None):
    return ask(method, f'{bank}/sandbox{path}', body)[0]


def approve(page, psu):
    sca = page.split('?')[0].rsplit('/', 1)[1]
    control('POST', f'/sca/{sca}', {'outcome': 'approve', 'psu': psu, 'context': 'PRIVATE'})


def at(instant):
    """Moves the one clock, and runs the job of the night. Returns what the job says."""
    control('POST', '/clock/advance', {'to': instant})
    command = [sys.executable, str(HERE / 'job.py')]
    return subprocess.run(command, env={**os.environ, **one_time, 'SHOP': shop}, capture_output=True, text=True, check=True).stdout.strip()


def settled(order):
    control('POST', '/clock/advance', {'runs': 1})
    told, date = ask('GET', f'{shop}/orders/{order}')
    assert told['status'] == 'ACSC', told
    print(f'{date}: settled; Nora has {balance(NORA["bban"])}')


def balance(bban):
    return control('GET', f'/accounts/{bban}')['available']['amount']


library = next(iter(glob.glob('/usr/lib/*/faketime/libfaketime.so.1')), None)
if library is None:
    sys.exit('libfaketime is missing: apt-get install faketime')
started = []
folder = tempfile.mkdtemp()
file = os.path.join(folder, 'now')
node = str(ROOT / 'node_modules/.bin/node')  # npm ci brings it
one_time = {
    'LD_PRELOAD': library,
    'FAKETIME_TIMESTAMP_FILE': file,
    'FAKETIME_FMT': '%s',
    'FAKETIME_NO_CACHE': '1',
    'FAKETIME_DONT_FAKE_MONOTONIC': '1',
    'TZ': 'Europe/Oslo',
}
try:
    serve = [node, str(ROOT / 'scripts/sandbank.js'), 'serve', '--port', '0', '--ledger', ':memory:', '--json']
    clock = ['--clock-mode', 'frozen', '--clock-now', '2027-03-24T12:00:00+01:00']
    bank = json.loads(start(serve + clock + ['--follow-clock', '--faketime-file', file], {}))['address']
    program = [node, '--import', str(ROOT / 'scripts/own-package.js'), str(HERE / 'shop.ts')]
    shop = start(program, {**one_time, 'BANK': bank, 'PORT': '0'}).split()[-1]

    order = ask('POST', f'{shop}/orders')[0]
    assert (order['orderedOn'], order['remindOn']) == ('2027-03-24', '2027-04-01'), order
    print(at('2027-03-31T23:59:59+02:00'))
    print(at('2027-04-01T00:00:00+02:00'))
    told, date = ask('GET', f'{shop}/orders')
    assert told[0]['remindedOn'] == '2027-04-01', told
    assert date == 'Wed, 31 Mar 2027 22:00:00 GMT', date

    approve(ask('POST', f'{shop}/orders/{order["id"]}/pay', NORA)[0]['page'], NORA['psu'])
    settled(order['id'])
    at('2027-04-08T12:00:00+02:00')
    before = balance(PER['bban'])
    approve(ask('POST', f'{shop}/orders/{order["id"]}/refund', {'bban': CLOSED})[0]['page'], PER['psu'])
    settled(order['id'])
    at('2027-04-10T00:00:00+02:00')
    assert balance(PER['bban']) == before, 'the refund to a closed account came back'
    approve(ask('POST', f'{shop}/orders/{order["id"]}/refund', NORA)[0]['page'], PER['psu'])
    settled(order['id'])
    assert balance(NORA['bban']) == '18000.00', balance(NORA['bban'])
    print('The story is told.')
finally:
    for process in started:
        process.terminate()
        process.communicate()
