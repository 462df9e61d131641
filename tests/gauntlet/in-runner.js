import { connect } from 'node:net';
import process from 'node:process';

/* A program: runs a suite in the process of tests/gauntlet/suite-runner.js, and prints and ends as the suite does. Its words are a socket and the suite. */

const [, , path, file] = process.argv;
const socket = connect(path).setEncoding('utf8');
let answer = '';
socket.on('data', (text) => (answer += text));
socket.on('end', () => {
  const { out, err, code } = JSON.parse(answer);
  process.stdout.write(out);
  process.stderr.write(err);
  process.exitCode = code;
});
socket.end(JSON.stringify({ file, trial: process.env.SANDBANK_TRIAL }));
