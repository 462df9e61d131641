import { createRequire, enableCompileCache } from 'node:module';

/*
 * A process of its own, written by hand with the same packages: express and better-sqlite3, a row in a new file, and `/ready`. What
 * a start takes at least. `node hello.js FILE`; prints its address and runs until a signal ends it.
 */
enableCompileCache();
const require = createRequire(import.meta.url);
const express = require('express');
const Database = require('better-sqlite3');

const [file] = process.argv.slice(2);
const database = new Database(file);
database.pragma('journal_mode = WAL');
database.exec('create table hello (id integer primary key, text text not null) strict');
database.prepare('insert into hello (text) values (?)').run('ready');
const status = database.prepare('select text from hello').pluck();

const app = express();
app.get('/ready', (_request, response) => response.json({ status: status.get() }));
const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
