import { createServer } from 'node:net';
import process from 'node:process';
import { inspect } from 'node:util';

/*
 * A program: runs suites of Node, one after the other, each with the trial and the exit code of a process of its own. The package is loaded
 * once for all. Its word is the socket at which tests/gauntlet/in-runner.js asks for a suite.
 */

class Exit extends Error {}
let end = () => undefined;
process.exit = (code = 0) => {
  process.exitCode = code;
  end();
  throw new Exit();
};
process.on('unhandledRejection', (error) => end(error)).on('uncaughtException', (error) => end(error));

let [count, last] = [0, Promise.resolve()];

/** What a suite has printed, and its exit code. */
async function run({ file, trial }) {
  const [out, err] = [[], []];
  process.stdout.write = (text) => out.push(text);
  process.stderr.write = (text) => err.push(text);
  process.exitCode = undefined;
  process.env.SANDBANK_TRIAL = trial;
  const ended = new Promise((resolve) => {
    end = resolve;
  });
  const error = await Promise.race([
    import(`${file}?run=${(count += 1)}`).then(
      () => undefined,
      (each) => each,
    ),
    ended,
  ]);
  const isFailed = error !== undefined && !(error instanceof Exit);
  if (isFailed) err.push(`${inspect(error)}\n`);
  return { out: out.join(''), err: err.join(''), code: isFailed ? 1 : (process.exitCode ?? 0) };
}

createServer({ allowHalfOpen: true }, (socket) => {
  let asked = '';
  socket.setEncoding('utf8').on('data', (text) => (asked += text));
  // A gauntlet that is stopped ends who asks.
  socket.on('error', () => undefined);
  socket.on('end', () => {
    last = last.then(async () => socket.end(JSON.stringify(await run(JSON.parse(asked)))));
  });
}).listen(process.argv[2], () => process.send('ready'));
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
