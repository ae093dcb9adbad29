import { createServer, type ServerResponse } from 'node:http';

/* Tells all who listen what it is sent, with nothing in between: no log, and no fsync. */

const listening = new Set<ServerResponse>();
let position = 0;

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    listening.add(response);
    response.on('close', () => listening.delete(response));
    return;
  }
  let body = '';
  request.on('data', (bytes) => {
    body += bytes;
  });
  request.on('end', () => {
    const text = `id: ${++position}\nevent: config:changed\ndata: ${body}\n\n`;
    for (const each of listening) each.write(text);
    response.end('{}');
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const health = typeof address === 'object' && address !== null ? address.port : null;
  console.log(JSON.stringify({ ports: { health } }));
});
process.on('SIGTERM', () => process.exit());
