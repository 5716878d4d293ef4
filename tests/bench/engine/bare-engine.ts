import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { parentPort } from 'node:worker_threads';

/**
 * The floor of the engine: bare TCP in a thread of its own. It stores and checks nothing; it
 * answers each publish and passes its bytes on to every open stream. Posts its port.
 */

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const BODY = '{"timetoken":"00000000000000001"}';
const ANSWER = `${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY}`;

const streams = new Set<Socket>();

const server = createServer((socket) => {
  let rest = '';
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => streams.delete(socket));
  socket.on('data', (chunk: Buffer) => {
    rest += chunk.toString('latin1');
    if (rest.startsWith('GET ') && rest.includes('\r\n\r\n')) {
      rest = '';
      streams.add(socket);
      socket.write('HTTP/1.1 200 OK\r\n\r\nevent: beat\n\n');
      return;
    }
    for (;;) {
      const end = rest.indexOf('\r\n\r\n') + 4;
      const length = Number(/content-length: (?<length>\d+)/i.exec(rest)?.groups?.['length']);
      if (end < 4 || !(rest.length >= end + length)) return;
      const body = Buffer.from(rest.slice(end, end + length), 'latin1');
      rest = rest.slice(end + length);
      for (const stream of streams) stream.write(body);
      socket.write(ANSWER);
    }
  });
});

server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
parentPort?.postMessage(typeof address === 'object' ? address?.port : undefined);
