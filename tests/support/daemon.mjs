// daemon: the real arbiterd in a process of its own, on a free loopback port, with a store in a folder of its own.
//
//     const daemon = await startDaemon(['--log-level', 'warn']);
//     await fetch(`${daemon.origin}/v1`);
//     await daemon.restart();      // the same port and store
//     await daemon.close();        // ends it by its pid and removes the folder
//
// The binary is $ARBITERD. What it writes goes to `daemon.lines`.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';

const PATIENCE_MS = 20000;

// Settings of whoever runs the tests must not reach the daemon.
function cleanEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ARBITER_')));
}

class Daemon {
  constructor(options) {
    this.options = options;
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'arbiter-test-'));
    this.listen = '127.0.0.1:0';
    this.lines = [];
  }

  async start() {
    const store = `sqlite:${path.join(this.folder, 'arbiter.db')}`;
    this.process = spawn(process.env.ARBITERD, ['--listen', this.listen, '--db', store, ...this.options], {
      env: cleanEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.ended = new Promise((resolve) => this.process.once('close', (code, signal) => resolve(code ?? signal)));
    this.origin = await this.listening();
    this.listen = new URL(this.origin).host;
  }

  listening() {
    const lines = readline.createInterface({ input: this.process.stderr });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.fail(reject, 'it does not listen'), PATIENCE_MS);
      lines.on('line', (line) => {
        this.lines.push(line);
        const origin = line.match(/listening on (http:\/\/[0-9.:]+)/)?.[1];
        if (origin) resolve(origin);
        if (origin) clearTimeout(timer);
      });
      this.process.once('error', (error) => this.fail(reject, error.message));
      this.ended.then((how) => this.fail(reject, `it ended (${how})`));
    });
  }

  fail(reject, why) {
    this.process.kill('SIGKILL');
    reject(new Error(`arbiterd: ${why}\n${this.lines.slice(-20).join('\n')}`));
  }

  async stop(signal = 'SIGTERM') {
    this.process.kill(signal);
    return this.ended;
  }

  async restart(signal = 'SIGTERM') {
    await this.stop(signal);
    await this.start();
  }

  async close() {
    await this.stop();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function startDaemon(options = []) {
  const daemon = new Daemon(options);
  await daemon.start();
  return daemon;
}
