// recording: the exchanges that tests/support/recording.h describes.
import fs from 'node:fs';
import readline from 'node:readline';

function readFields(lines) {
  const fields = new Map();
  for (const line of lines.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (colon > 0 && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

const bytes = (text) => Buffer.from(text, 'latin1');

export function readExchange(line) {
  const raw = JSON.parse(line);
  const [path, ...query] = raw.target.split('?');
  return {
    ...raw,
    path,
    query: query.length ? query.join('?') : null,
    fields: readFields(raw.fields),
    body: bytes(raw.body),
    answer: {
      status: raw.status,
      fields: readFields(raw.answer_fields),
      body: bytes(raw.answer_body),
    },
  };
}

export async function* readRecording(file) {
  const lines = readline.createInterface({ input: fs.createReadStream(file, 'latin1'), crlfDelay: Infinity });
  for await (const line of lines) if (line) yield readExchange(line);
}
