"""The job of the night, as cron starts it: it looks which orders are due for a reminder, by its own clock, and has the shop send them."""
import datetime
import json
import os
import urllib.request

SHOP = os.environ.get('SHOP', 'http://127.0.0.1:3000')
today = datetime.date.today().isoformat()
with urllib.request.urlopen(f'{SHOP}/orders') as answer:
    orders = json.load(answer)
due = [order['id'] for order in orders if order['payment'] is None and order['remindOn'] <= today]
if due:
    urllib.request.urlopen(urllib.request.Request(f'{SHOP}/remind', method='POST')).close()
print(f'{today}: {len(due)} of {len(orders)} orders are due')
